// Which version of each module a build uses, and where its files are. The loader asks, and
// knows nothing of registries, caches or what is built into the program (source.h).
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "cue/module/module_file.h"

namespace opm::cue::module {

// Why a module can't be had. The kind decides what a program that called us is told.
enum class ModuleErrorKind : std::uint8_t {
  invalid,      // something was found, and it is wrong
  not_found,    // nobody has it
  unreachable,  // whoever has it gives no answer
  denied,       // whoever has it does not let us
};

struct ModuleError {
  ModuleErrorKind kind = ModuleErrorKind::invalid;
  std::string message;

  // A stable word for programs: "module-not-found", "registry-unreachable", ...
  std::string_view code() const;
};

// The files of one module at one version.
struct ModuleContent {
  const base::FileSystem* files = nullptr;  // lives as long as the resolver
  std::string root;                         // the folder in `files` that has cue.mod
  std::string display_root;                 // what messages say instead of root; empty: root itself
  ModuleFile file;
};

class ModuleResolver {
 public:
  // The versions that the main module lists are enough for most imports. Only where none of
  // them has the package are the module files of those modules looked at as well.
  enum class Scope : std::uint8_t { listed, build_list };

  virtual ~ModuleResolver() = default;

  // Whose requirements the build list starts from. Called before anything is asked.
  virtual void begin(const ModuleFile& main_module) = 0;
  // The version of the module "host/name@vN" that the build uses; nothing: it is no part of
  // the build. An error says why that can't be known.
  virtual std::expected<std::optional<ModuleVersion>, ModuleError> selected(std::string_view module_path,
                                                                            Scope scope) = 0;
  // What an import without a version means in the files of `importer` (a module that this
  // resolver gave out): the major version, or empty if there is none or more than one.
  virtual std::expected<std::string, ModuleError> default_major_version(const ModuleVersion& importer,
                                                                        std::string_view module_base_path) = 0;
  // Will be fetched soon: what has to be downloaded may be so at the same time.
  virtual void prepare(std::span<const ModuleVersion> modules) { static_cast<void>(modules); }
  // The same object for the same module, valid as long as the resolver.
  virtual std::expected<const ModuleContent*, ModuleError> fetch(const ModuleVersion& module) = 0;
};

}  // namespace opm::cue::module
