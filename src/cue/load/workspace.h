// What one load works in: its options made complete, the main module, and files and folders
// that are read once.
#pragma once

#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_system.h"
#include "cue/load/load.h"
#include "cue/load/schema_settings.h"
#include "cue/load/source_files.h"
#include "cue/load/tags.h"
#include "cue/module/module_file.h"

namespace opm::cue::load {

diag::Diagnostic load_error(std::string message, diag::Position position = {});

// Adds those that are not there yet.
void append_errors(std::vector<diag::Diagnostic>& to, const std::vector<diag::Diagnostic>& errors);

// A tree of files and the folder in it that a module starts at.
struct Tree {
  const base::FileSystem* files = nullptr;
  std::string root;
  std::string display_root;  // empty: paths are shown as seen from the working folder
};

// What is compiled of it; null: nothing.
const compile::PackageImage* image_of(const Tree& tree);

class Workspace {
 public:
  Workspace(const LoadOptions& options, const base::FileSystem& files, diag::SourceMap& sources,
            std::vector<std::unique_ptr<base::Arena>>& arenas);

  // Finds the main module and reads its module.cue, if there is one.
  std::expected<void, std::vector<diag::Diagnostic>> open_module();

  const LoadOptions& options;
  const base::FileSystem& files;
  diag::SourceMap& sources;
  SourceFiles source_files;
  Tags tags;
  SchemaSettings schema_settings;
  std::string directory;
  std::string module_root;  // where there is no module: `directory`
  std::optional<module::ModuleFile> main_module;       // with the dependencies of local-module.cue, if that is there
  std::optional<module::ModuleFile> published_module;  // as module.cue says it
  bool has_local_module = false;
  bool moves_replacements = false;  // set before opening it: module.cue may replace, which only local-module.cue should

  Tree main_tree() const { return {&files, module_root, {}}; }
  std::string_view module_path() const { return main_module ? main_module->path : std::string_view(); }

  // How messages name a file or folder: "./x.cue", "../y".
  std::string display(const std::string& path) const;
  std::string display(const Tree& tree, const std::string& path) const;

  // Names of all that is no folder, sorted.
  const std::expected<std::vector<std::string>, base::FileError>& file_names(const base::FileSystem& tree_files,
                                                                             const std::string& folder);
  bool is_module_root(const base::FileSystem& tree_files, const std::string& folder) const;
  // The nearest folder with cue.mod, itself or above; empty: none.
  std::string find_module_root(const base::FileSystem& tree_files, const std::string& folder) const;
  bool has_cue_files(const base::FileSystem& tree_files, const std::string& folder);

  // A CUE file of a tree, parsed.
  const SourceFile& parsed(const Tree& tree, const std::string& path);
  // Reads the CUE files of folders ahead, all together.
  void read_ahead(const std::vector<std::pair<Tree, std::string>>& folders);

 private:
  std::expected<void, std::vector<diag::Diagnostic>> open_local_module(const std::string& path);
  SourceFiles& source_files_of(const Tree& tree);
  std::map<std::pair<const base::FileSystem*, std::string>, std::expected<std::vector<std::string>, base::FileError>>
      listings_;
};

// Names that are skipped unless a user names them.
bool is_hidden_name(std::string_view name);

}  // namespace opm::cue::load
