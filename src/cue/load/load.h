// From arguments to packages of parsed files. Nothing is evaluated: a package is the list
// of its syntax trees, what each of its import paths means, and the data that its files
// embed. Errors are kept with the package that has them, in CUE's words.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/arena.h"
#include "base/file_system.h"
#include "cue/load/file_type.h"
#include "cue/module/module_file.h"
#include "cue/module/resolver.h"
#include "cue/syntax/ast.h"
#include "data/tree.h"
#include "diag/diagnostic.h"
#include "diag/source.h"

namespace opm::cue::compile {
class PackageImage;
}

namespace opm::cue::load {

class SourceFiles;

// What a tag variable (@tag(name,var=now)) stands for.
struct TagVariable {
  std::string text;
  bool is_number = false;
};

// A file that is made part of a package from outside it.
struct JoinedFile {
  std::string path;  // absolute
  // A data file stands for a struct with its content in this field, unless the content has the field itself.
  std::string data_field;
  // What standard input holds; the path is then a name that says what it is ("-.yaml").
  std::optional<std::string> content = std::nullopt;
};

struct LoadOptions {
  std::string directory;    // absolute; arguments and messages are relative to it
  std::string module_root;  // empty: the nearest folder above with cue.mod; relative: to `directory`

  const base::FileSystem* files = nullptr;     // nullptr: the disk
  std::map<std::string, std::string> overlay;  // absolute path -> content that stands in for the disk's
  // Joined to the package that an argument names although their names (_x.cue) or an @if would
  // leave them out. Absolute paths, on disk or in the overlay.
  std::vector<std::string> added_files;
  // Joined to the first package that an argument names, whatever their folder and package clause.
  std::vector<JoinedFile> joined_files;
  std::optional<std::string> standard_input;  // what "-" holds
  // May change what joined and embedded data files hold before it becomes part of a package.
  std::function<void(const diag::SourceMap& sources, data::Value& document)> revise_data;

  // "": the folder's only package; "_": files without a package; "*": all; else that one.
  std::string package;

  std::vector<std::string> tags;  // "key=value" or "word", as behind -t
  // What @tag(..,var=name) may refer to; not given: variables stay uninjected.
  std::optional<std::map<std::string, TagVariable>> tag_variables;

  bool tests = false;  // with *_test.cue
  bool tools = false;  // with *_tool.cue
  bool ignore_build_attributes = false;
  bool skip_imports = false;  // leave Package::imports empty
  // Expressions that are compiled later may name standard packages that no file imports.
  bool all_standard_packages = true;
  bool data_files = false;    // a folder with data files alone is an instance too
  bool comments = true;       // keep comments in the trees

  // The import paths that the engine has built in ("strings"). Not given: whatever looks like one.
  std::function<bool(std::string_view)> is_standard_package;
  module::ModuleResolver* resolver = nullptr;  // nullptr: only the main module and cue.mod/{gen,usr,pkg}

  // Where several loads read the files of other modules, each once. nullptr: each load on its own.
  SourceFiles* module_files = nullptr;

  unsigned threads = 0;  // for reading and parsing; 0: as many as there are processors
  std::size_t max_file_bytes = base::FileSystem::kDefaultMaxBytes;
  std::size_t max_directories = 200'000;  // that "./..." may walk
};

enum class PackageId : std::uint32_t {};

struct PackageFile {
  std::string path;  // absolute; "-": standard input
  const diag::Source* source = nullptr;
  syntax::File* syntax = nullptr;
};

struct ExcludedFile {
  std::string path;
  std::string reason;
  diag::Position position;  // of the attribute or clause that excludes it, if there is one
};

// A recognised file that is no CUE; see decode.h for what it holds.
struct DataFile {
  std::string path;  // absolute; "-": standard input
  FileType type;
  const base::FileSystem* files = nullptr;
  const diag::Source* source = nullptr;  // already read (standard input, named as an argument)
};

// A package of an image (cue/compile/package_image.h).
struct CompiledPackage {
  const compile::PackageImage* image = nullptr;
  std::uint32_t package = 0;
};

// What an import path means in one package.
struct Import {
  std::optional<PackageId> package;  // nothing: a standard package, or one that could not be loaded
  bool is_standard = false;
  diag::Position position;  // of the first import of it
};

struct Package {
  PackageId id{};
  std::string import_path;  // "host/module/dir@v0:name"; empty for files named as arguments
  // Says which package this is however it was imported; hidden fields belong to it.
  std::string identity;
  std::string name;          // of the package clause; "_" or empty: none
  std::string display_path;  // as the user named it
  std::string directory;
  std::string root;                               // the module's
  const base::FileSystem* file_system = nullptr;  // that all these paths are in
  module::ModuleVersion module;                   // empty path: in no module; "local": from cue.mod/{gen,usr,pkg}
  std::string language_version;                   // of its files; empty: the newest
  bool is_command_line = false;                   // made of files named as arguments

  std::vector<PackageFile> files;  // parents' before children's, then by name; none of a compiled package
  std::optional<CompiledPackage> compiled;  // taken from there
  std::vector<DataFile> data_files;
  std::vector<ExcludedFile> excluded;
  std::map<std::string, Import, std::less<>> imports;  // by path as written
  // What each @embed attribute brings in: to be unified with its field, or embedded in its struct.
  std::unordered_map<const syntax::Attribute*, data::Value> embedded;
  std::vector<data::Value> joined_data;  // to be unified with the whole package

  std::vector<diag::Diagnostic> errors;  // with those of its imports

  bool ok() const { return errors.empty(); }
};

// A file of a package, parsed or compiled: where it is, and where its text begins.
struct PackageSource {
  std::string_view path;
  diag::Position begin;
};
std::vector<PackageSource> sources_of(const Package& package);

// Owns the trees; sources stay with the map that was given to load().
struct LoadResult {
  std::deque<Package> packages;          // by id; imported ones before their importers
  std::vector<PackageId> instances;      // what the arguments named, in order
  std::vector<diag::Diagnostic> errors;  // of the arguments, the module file and all instances, without repeats
  std::optional<module::ModuleFile> main_module;
  std::string module_root;

  const Package& package(PackageId id) const { return packages[static_cast<std::size_t>(id)]; }
  Package& package(PackageId id) { return packages[static_cast<std::size_t>(id)]; }

  std::vector<std::unique_ptr<base::Arena>> arenas;
  std::unique_ptr<base::FileSystem> overlay;  // DataFile::files may point to it
};

// `arguments`: ".", "./dir", "./...", "dir:name", "host/module/dir", files, "json:" and "-";
// none means ".".
LoadResult load(const std::vector<std::string>& arguments, const LoadOptions& options, diag::SourceMap& sources);

}  // namespace opm::cue::load
