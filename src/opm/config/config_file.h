// The user's config.cue: what it says, read from its syntax where that is plain data and evaluated where it is not.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cue/value.h"
#include "data/tree.h"
#include "opm/config/configuration.h"

namespace opm::config {

inline constexpr std::string_view kPackage = "config";

// What stands in the field `config`.
struct ConfigData {
  data::Value settings;                                          // without the providers: a map
  std::vector<std::pair<std::string, diag::Position>> providers;  // names and where they stand
  std::shared_ptr<const diag::SourceMap> sources;
};

class ConfigFile {
 public:
  // `path` is that of config.cue. All files of its package beside it belong to it.
  static std::expected<ConfigFile, Failure> open(const std::string& path, const std::string& working_directory,
                                                 const base::FileSystem& files);

  // The plain string that `config.registry` is; empty: not given. It is needed before imports can be resolved, so a
  // registry that is no plain string is an error.
  std::expected<std::string, Failure> registry() const;
  // Nothing: it has to be evaluated.
  std::optional<ConfigData> plain_data() const;
  // The same, evaluated.
  std::expected<ConfigData, Failure> evaluate(cue::module::ModuleResolver* resolver) const;

  // For cue::Program::load.
  const std::vector<std::string>& arguments() const { return arguments_; }
  const cue::load::LoadOptions& options() const { return options_; }

 private:
  std::vector<std::string> arguments_;
  cue::load::LoadOptions options_;
  std::shared_ptr<diag::SourceMap> sources_;
  std::shared_ptr<cue::load::LoadResult> loaded_;  // without imports
};

}  // namespace opm::config
