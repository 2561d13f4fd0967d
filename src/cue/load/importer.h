// Loads what packages import, each package once, and what their files embed.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cue/load/load.h"
#include "cue/load/locator.h"
#include "cue/load/workspace.h"

namespace opm::cue::load {

class Importer {
 public:
  Importer(Workspace& workspace, Locator& locator, LoadResult& result)
      : workspace_(workspace), locator_(locator), result_(result) {}

  // The files of the package at a location; its imports are not looked at.
  Package collect(const PackageLocation& location, const std::string& import_path);
  // What is compiled of the package at a location, if everything that it imports is what it was then.
  std::optional<CompiledPackage> compiled_at(const PackageLocation& location);
  // That package, complete.
  Package take(const CompiledPackage& compiled, const PackageLocation& location, const std::string& import_path);
  // Resolves and loads all imports of the package, and reads the files that it embeds.
  void complete(Package& package);
  // Gives the package its place in the result.
  PackageId keep(Package package);

 private:
  struct Wanted {
    std::vector<diag::Position> positions;
    const PackageLocation* location = nullptr;  // null: not found, or standard
    std::optional<CompiledPackage> compiled;
  };
  // What the imports of a compiled package mean here.
  struct Meaning {
    bool is_same = true;                            // as when it was compiled
    std::vector<const PackageLocation*> locations;  // by import; null for standard packages
  };
  using MeaningKey = std::pair<const compile::PackageImage*, std::uint32_t>;

  std::map<std::string, Wanted> imports_of(Package& package);
  // Where an import of the module leads, found out once.
  const std::expected<PackageLocation, LocateError>& locate(std::string_view import_path,
                                                            const module::ModuleVersion& module);
  const Meaning& meaning_of(const CompiledPackage& compiled, const module::ModuleVersion& module);
  PackageId load_compiled(const CompiledPackage& compiled, const PackageLocation& location,
                          const std::string& import_path);
  void resolve(Package& package, std::map<std::string, Wanted>& wanted);
  void load_import(Package& package, const std::string& path, Wanted& wanted);
  void fail_to_find(Package& package, diag::Position position, diag::Diagnostic error) const;
  static void fail(Package& package, diag::Position position, std::vector<diag::Diagnostic> errors);

  Workspace& workspace_;
  Locator& locator_;
  LoadResult& result_;
  std::map<std::string, PackageId> loaded_;
  std::map<std::pair<std::string, std::string>, std::expected<PackageLocation, LocateError>> located_;
  std::map<MeaningKey, Meaning> meanings_;
  std::vector<std::string> stack_;  // what is being loaded, outermost first
  std::vector<std::string> chain_;  // the import paths of the same, as messages show them
};

}  // namespace opm::cue::load
