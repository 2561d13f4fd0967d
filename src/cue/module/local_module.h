// cue.mod/local-module.cue: what the main module depends on while people work on it. It stands for the dependencies of
// module.cue, and may say that one of them is replaced by a folder or by another module. It is never published.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cue/module/module_file.h"

namespace opm::cue::module {

inline constexpr std::string_view kLocalModuleFileName = "local-module.cue";

// A module file whose dependencies may be replaced, and may have no version.
std::expected<ModuleFile, std::vector<diag::Diagnostic>> read_replacing_module_file(const diag::Source& source);

// The dependencies that it lists. What they leave out, version and default, is as in `published`.
std::expected<std::vector<Dependency>, std::vector<diag::Diagnostic>> read_local_module_file(
    const diag::Source& source, const ModuleFile& published);

// As text, without what `published` says already.
std::string write_local_module_file(const std::vector<Dependency>& dependencies, const ModuleFile& published);

// What a dependency is replaced with.
struct Replacement {
  std::string folder;    // relative to the module's root, or absolute; empty: it is a module
  ModuleVersion module;  // its version may be empty: nobody says which
};
// `dependencies`: of the main module; a module without a version has the version that is listed there.
std::expected<Replacement, std::string> parse_replacement(std::string_view text,
                                                          const std::vector<Dependency>& dependencies);

const Dependency* find_dependency(const std::vector<Dependency>& dependencies, std::string_view module_path);

}  // namespace opm::cue::module
