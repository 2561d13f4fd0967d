// Loads what packages import, each package once, and what their files embed.
#pragma once

#include <map>
#include <string>
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
  // Resolves and loads all imports of the package, and reads the files that it embeds.
  void complete(Package& package);
  // Gives the package its place in the result.
  PackageId keep(Package package);

 private:
  struct Wanted {
    std::vector<diag::Position> positions;
    std::optional<PackageLocation> location;
  };

  std::map<std::string, Wanted> imports_of(Package& package);
  void resolve(Package& package, std::map<std::string, Wanted>& wanted);
  void load_import(Package& package, const std::string& path, Wanted& wanted);
  void fail_to_find(Package& package, diag::Position position, diag::Diagnostic error) const;
  static void fail(Package& package, diag::Position position, std::vector<diag::Diagnostic> errors);

  Workspace& workspace_;
  Locator& locator_;
  LoadResult& result_;
  std::map<std::string, PackageId> loaded_;
  std::vector<std::string> stack_;  // what is being loaded, outermost first
  std::vector<std::string> chain_;  // the import paths of the same, as messages show them
};

}  // namespace opm::cue::load
