// Finds the folder that an import path means: in cue.mod/{gen,usr,pkg}, in the main module or
// in a module that the resolver knows.
#pragma once

#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cue/load/load.h"
#include "cue/load/workspace.h"
#include "cue/module/import_path.h"

namespace opm::cue::load {

struct PackageLocation {
  Tree tree;
  std::vector<std::string> folders;  // more than one only below cue.mod/{gen,usr,pkg}
  module::ModuleVersion module;      // {"local", ""} below cue.mod/{gen,usr,pkg}
  std::string language_version;
  std::string name;      // of the package
  std::string identity;  // the import path with its major version, whatever was written

  bool is_local() const { return module.path == "local"; }
};

class Locator {
 public:
  explicit Locator(Workspace& workspace) : workspace_(workspace) {}

  // `importer`: the module whose file has the import. The error is what `cue` says behind
  // "import failed: ".
  std::expected<PackageLocation, std::string> locate(std::string_view import_path,
                                                     const module::ModuleVersion& importer);
  // What keeps the folder that was found from having the package, or nothing. Apart from
  // locate(), because it needs the files, which are best read together with others.
  std::optional<std::string> problem_with(const PackageLocation& location, std::string_view import_path);

  // The import path of a folder of the main module. The error explains why it has none.
  std::expected<std::string, std::string> import_path_of(const std::string& folder, std::string_view as_written) const;

 private:
  struct Candidate {
    PackageLocation location;
    std::string shown;  // how the ambiguity message lists it
  };

  std::expected<std::optional<Candidate>, std::string> in_module(const module::ImportPath& path,
                                                                 const std::string& prefix,
                                                                 const module::ModuleVersion& importer);
  std::expected<std::string, std::string> major_version_for(const module::ImportPath& path, const std::string& prefix,
                                                            const module::ModuleVersion& importer);
  bool is_in_nested_module(const Tree& tree, const std::string& folder) const;

  Workspace& workspace_;
};

}  // namespace opm::cue::load
