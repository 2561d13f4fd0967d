// The package of releases as one context sees it, with the platforms of the folder .opm in the place of `platforms`.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "opm/model/environment.h"
#include "opm/render/release_files.h"
#include "opm/render/result.h"

namespace opm::render {

// Which instances of a program are the package and its platforms.
inline constexpr std::size_t kPackageInstance = 0;
inline constexpr std::size_t kPlatformsInstance = 1;

// Gives the package the platforms of the folder .opm, unless it declares some itself. Nothing of it may have been evaluated in
// the context before.
void share_platforms(cue::Context& context);

// Platforms as they are declared, their kubeconfigs as absolute paths.
std::vector<model::Platform> read_placed_platforms(const RenderOptions& options, const cue::Value& platforms);

class ReleasePackage {
 public:
  // Nothing of the package may have been evaluated in the context before. `platforms_folder`: empty, if there is none.
  ReleasePackage(const RenderOptions& options, cue::Context& context, std::string platforms_folder);

  const std::vector<model::Platform>& platforms() const { return platforms_; }
  // What is wrong with the folder of platforms.
  std::vector<Problem> platform_problems() const;

  // Names of all releases, in order.
  std::vector<std::string> names() const;
  std::expected<model::ReleaseDeclaration, std::vector<Problem>> find(const std::string& release) const;

  // What is wrong with where an environment runs: its metadata, platform and namespace.
  std::vector<Problem> problems_of(const model::ReleaseDeclaration& release, const model::Environment& environment) const;

 private:
  std::string known_platforms() const;
  Problem unknown_platform(const model::Environment& environment, const cue::Value& platform) const;

  const RenderOptions& options_;
  cue::Context& context_;
  std::string platforms_folder_;
  cue::Value root_;
  std::vector<model::Platform> platforms_;
};

}  // namespace opm::render
