// Decides which files make a package: those of a folder and its parents with the right
// package clause, without tests, tools and what build attributes exclude.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cue/load/load.h"
#include "cue/load/workspace.h"

namespace opm::cue::load {

class Collector {
 public:
  // `package` has directory, module, display path and the wanted name (empty: whichever is found).
  // `ignore_others`: files of other packages are left out silently rather than being an error.
  Collector(Workspace& workspace, Tree tree, Package package, bool ignore_others);

  // A folder, and its parents up to `top` (or the module root) if `with_parents`.
  void add_folder(const std::string& folder, const std::string& top, bool with_parents);
  // A file that the user named; it may have any name and no package clause.
  void add_file(const std::string& path, const FileType& type);
  // A file that joins the package whatever its name and build attributes say.
  void add_to_package(const std::string& path);
  // A file that is made part of the package, whatever package it says it is in.
  void join(const JoinedFile& file);
  // The file "-".
  void add_standard_input(const FileType& type, const std::string& content);

  // The packages found, sorted by name: one, or with LoadOptions::package "*" any number, or
  // none in a folder without files.
  std::vector<Package> finish();

 private:
  enum class Mode { found, named, joined, foreign };

  // True: the file is a schema of another language, and part of the package now.
  bool add_schema(DataFile& file, const std::string& display);
  void add_text(const std::string& content, Mode mode);

  bool add(const std::string& path, const FileType& type, Mode mode);
  bool place(const std::string& path, const SourceFile& file, bool same_folder, Mode mode);
  Package* choose(const std::string& path, std::string_view name, bool same_folder, Mode mode);
  bool is_tag_set(const Package& package, std::string_view tag);
  void conclude(Package& package);
  std::string nothing_found(const Package& package) const;

  Workspace& workspace_;
  Tree tree_;
  std::map<std::string, Package> packages_;  // "_": the default one
  Package& default_;
  bool ignore_others_;
  bool all_packages_ = false;
  std::string first_file_;  // the one that gave the package its name
  std::vector<diag::Diagnostic> errors_;
  std::vector<syntax::File*> schemas_;  // of other languages
  bool saw_unknown_file_ = false;
  bool saw_invalid_file_ = false;
};

}  // namespace opm::cue::load
