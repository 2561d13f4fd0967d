// The build list: one version of each module, the largest that any module of the build asks
// for (minimal version selection). A module file lists everything that its packages need,
// directly or not, so the files of the modules that the main one lists say all.
#pragma once

#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cue/module/module_file.h"
#include "cue/module/resolver.h"
#include "cue/module/source.h"

namespace opm::cue::module {

class BuildList {
 public:
  BuildList() = default;
  // Only what is listed: `main` and `roots`, the largest version where one is listed twice.
  BuildList(const std::string& main_path, const std::vector<ModuleVersion>& roots);

  // With what the modules of `roots` ask for.
  static std::expected<BuildList, ModuleError> expand(const std::string& main_path,
                                                      const std::vector<ModuleVersion>& roots, ModuleSources& sources);

  // The version of "host/name@vN"; empty for the main module, nothing if it is no part of the build.
  std::optional<std::string> selected(std::string_view module_path) const;
  // Without the main module, sorted.
  std::vector<ModuleVersion> modules() const;

 private:
  void require(const ModuleVersion& module);

  std::string main_path_;
  std::map<std::string, std::string, std::less<>> versions_;
};

// Answers the loader from a build list and a chain of sources.
class BuildListResolver : public ModuleResolver {
 public:
  explicit BuildListResolver(ModuleSources& sources) : sources_(sources) {}

  void begin(const ModuleFile& main_module) override;
  std::expected<std::optional<ModuleVersion>, ModuleError> selected(std::string_view module_path, Scope scope) override;
  std::expected<std::string, ModuleError> default_major_version(const ModuleVersion& importer,
                                                                std::string_view module_base_path) override;
  void prepare(std::span<const ModuleVersion> modules) override { sources_.prepare_contents(modules); }
  std::expected<const ModuleContent*, ModuleError> fetch(const ModuleVersion& module) override {
    return sources_.content(module);
  }

 private:
  ModuleSources& sources_;
  std::string main_path_;
  std::vector<ModuleVersion> roots_;
  BuildList listed_;
  std::optional<std::expected<BuildList, ModuleError>> expanded_;  // once somebody needed it
};

}  // namespace opm::cue::module
