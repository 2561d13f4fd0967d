// Where the modules that are not the main one come from. The loader asks; a registry with
// its cache, a folder of vendored modules or content built into the program answers.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "cue/module/module_file.h"

namespace opm::cue::module {

// The files of one module at one version.
struct ModuleContent {
  const base::FileSystem* files = nullptr;  // lives as long as the resolver
  std::string root;                         // the folder in `files` that has cue.mod
  std::string display_root;                 // what messages say instead of root; empty: root itself
  ModuleFile file;
};

class ModuleResolver {
 public:
  virtual ~ModuleResolver() = default;

  // The version of the module "host/name@vN" that the build uses; nothing: it is no part of
  // the build. An error says why that can't be known.
  virtual std::expected<std::optional<ModuleVersion>, std::string> selected(std::string_view module_path) = 0;
  // What an import without a version means in the files of `importer` (a module that this
  // resolver gave out): the major version, or empty if there is none or more than one.
  virtual std::expected<std::string, std::string> default_major_version(const ModuleVersion& importer,
                                                                        std::string_view module_base_path) = 0;
  // The same object for the same module, valid as long as the resolver.
  virtual std::expected<const ModuleContent*, std::string> fetch(const ModuleVersion& module) = 0;
};

}  // namespace opm::cue::module
