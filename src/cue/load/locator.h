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
#include "cue/module/resolver.h"

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

// Why there is no package.
struct LocateError {
  std::string message;             // what `cue` says behind "import failed: "
  std::string code = "load";       // as in a diagnostic
  std::vector<std::string> tried;  // the modules that could have had it, and why they have not
  std::string advice;
  bool is_missing = false;  // no module of the build has it; one that is added might

  diag::Diagnostic diagnostic() const;
};

class Locator {
 public:
  explicit Locator(Workspace& workspace) : workspace_(workspace) {}

  // `importer`: the module whose file has the import.
  std::expected<PackageLocation, LocateError> locate(std::string_view import_path,
                                                     const module::ModuleVersion& importer);
  // Whether the same import may mean something else in another module.
  bool depends_on(const module::ModuleVersion& importer, std::string_view import_path) const;
  // Has the modules that these imports will need fetched together.
  void prepare(const std::vector<std::string_view>& import_paths, const module::ModuleVersion& importer);
  // What keeps the folder that was found from having the package, or nothing. Apart from
  // locate(), because it needs the files, which are best read together with others.
  std::optional<std::string> problem_with(const PackageLocation& location, std::string_view import_path);

  // The import path of a folder of the main module. The error explains why it has none.
  std::expected<std::string, std::string> import_path_of(const std::string& folder, std::string_view as_written) const;

 private:
  using Scope = module::ModuleResolver::Scope;
  struct Search {
    const module::ImportPath& path;
    const std::string& canonical;  // the same as text
    const module::ModuleVersion& importer;
    Scope scope = Scope::listed;
    std::vector<std::string> tried;  // see LocateError
    std::string meant;               // a package that is there and has nearly this path; empty: none
  };

  std::expected<std::vector<PackageLocation>, module::ModuleError> in_modules(Search& search);
  std::expected<std::optional<PackageLocation>, module::ModuleError> in_module(Search& search, std::string_view prefix);
  // The package beside the folder whose path is nearly the one that is searched; empty: none is.
  std::string nearest_package(const Search& search, const Tree& tree, const std::string& folder);
  std::optional<PackageLocation> in_local_folders(const Search& search);
  // How a message lists a place.
  std::string shown(const PackageLocation& location) const;
  // The version of the module `prefix` that the import means; without a version where it is the main module.
  std::expected<std::optional<module::ModuleVersion>, module::ModuleError> version_for(const Search& search,
                                                                                       std::string_view prefix);
  std::expected<std::string, module::ModuleError> major_version_for(const Search& search, std::string_view prefix);
  // Where the files of a module are that a replacement stands for; nothing: it is not replaced.
  struct Replaced {
    Tree tree;
    module::ModuleFile file;
  };
  std::expected<const Replaced*, module::ModuleError> replaced(const module::ModuleVersion& module);
  std::expected<Replaced, module::ModuleError> open_replacement(const module::Dependency& dependency);
  // An import in the files of a module that stands for another: its own name is the other's there.
  module::ImportPath as_replaced(module::ImportPath path, const module::ModuleVersion& importer) const;
  bool is_in_nested_module(const Tree& tree, const std::string& folder) const;

  Workspace& workspace_;
  std::map<std::string, std::expected<Replaced, module::ModuleError>, std::less<>> replaced_;  // by module path
  std::optional<std::vector<std::string>> local_folders_;  // cue.mod/{gen,usr,pkg}, those that are there
};

}  // namespace opm::cue::load
