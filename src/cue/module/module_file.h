// What cue.mod/module.cue says: the module's path, the language version of its files and
// the modules it depends on.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/tree.h"
#include "diag/diagnostic.h"
#include "diag/source.h"

namespace opm::cue::module {

// The newest language version that this engine implements.
inline constexpr std::string_view kLanguageVersion = "v0.17.1";
inline constexpr std::string_view kModuleFolder = "cue.mod";
inline constexpr std::string_view kModuleFileName = "module.cue";
inline constexpr std::size_t kMaxModuleFileBytes = std::size_t{16} << 20;

// A module at a version: {"host/name@v1", "v1.2.3"}. The main module and local packages have
// no version.
struct ModuleVersion {
  std::string path;  // with the major version
  std::string version;

  auto operator<=>(const ModuleVersion&) const = default;
  // "host/name@v1.2.3"
  std::string text() const;
  std::string_view base_path() const;
};

struct Dependency {
  ModuleVersion module;
  bool is_default = false;   // the major version that an import without one means
  std::string replace_with;  // only in a local file
  diag::Position position;
};

struct ModuleFile {
  std::string path;              // "host/name@v1"; "@v0" is added where no major version is written
  bool has_major_version = true;  // whether it is written
  std::string language_version;  // "v0.15.0"
  std::string source_kind;       // "self", "git" or empty
  std::string description;
  std::vector<Dependency> dependencies;  // sorted by module path
  data::Value custom;                    // what other tools keep there; null: nothing
  diag::Position position;

  std::string_view base_path() const;      // "host/name"
  std::string_view major_version() const;  // "v1"
  // The major version that an import of that module path means when it names none; empty: ambiguous or unknown.
  std::string_view default_major_version(std::string_view module_base_path) const;
};

enum class Strictness {
  lenient,  // the main module's file: dependencies may leave the major version out
  strict,   // what may be published
};

// `path_for_messages`: how the file is called where a message names it.
std::expected<ModuleFile, std::vector<diag::Diagnostic>> read_module_file(const diag::Source& source,
                                                                          Strictness strictness = Strictness::lenient);

// As text in the one form that all programs write, so that a file changes only where its meaning does.
std::string write_module_file(const ModuleFile& file);

}  // namespace opm::cue::module
