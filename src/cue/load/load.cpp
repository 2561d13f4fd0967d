#include "cue/load/load.h"

#include <algorithm>
#include <ranges>
#include <set>
#include <utility>

#include "base/path.h"
#include "cue/load/build_attribute.h"
#include "cue/load/collector.h"
#include "cue/load/compiled.h"
#include "cue/load/importer.h"
#include "cue/load/locator.h"
#include "cue/load/overlay.h"
#include "cue/load/workspace.h"
#include "cue/module/import_path.h"
#include "cue/syntax/literal.h"

namespace opm::cue::load {
namespace {

using Errors = std::vector<diag::Diagnostic>;

Errors one_error(std::string message) { return {load_error(std::move(message))}; }

// A package argument, its parts cleaned.
struct PackageArgument {
  std::string written;
  module::ImportPath path;
  bool is_relative = false;
  bool is_pattern = false;           // has "..."
  std::string folder;                // of a relative one or a pattern: where it points, or where the walk starts
  std::vector<std::string> folders;  // of a pattern: all that it means
};

class Loader {
 public:
  Loader(Workspace& workspace, LoadResult& result)
      : workspace_(workspace),
        result_(result),
        locator_(workspace),
        importer_(workspace, locator_, result),
        waiting_(workspace.options.joined_files) {}

  // What makes the whole request fail comes back; what is wrong with a package is kept there.
  Errors run(std::vector<std::string> arguments);

 private:
  std::expected<PackageArgument, Errors> understand(const std::string& argument);
  std::optional<Errors> check_single_package(const PackageArgument& argument);
  std::optional<Errors> check_folder(const std::string& folder, const std::string& shown, bool allow_implied,
                                     const std::string& implied);
  Errors add_packages(const PackageArgument& argument);
  Errors add_pattern(const PackageArgument& argument);
  std::expected<std::vector<std::string>, Errors> folders_below(const std::string& top) const;
  std::vector<Package> collect(const std::string& folder, const std::string& display, const std::string& name);
  void add_imported(const PackageArgument& argument);
  Errors add_files(const std::vector<std::string>& arguments);
  void add_instance(Package package);
  void inject_tags();

  Workspace& workspace_;
  LoadResult& result_;
  Locator locator_;
  Importer importer_;
  std::set<std::string> joined_;     // added files that found their package
  std::vector<JoinedFile> waiting_;  // for the first package
};

Errors Loader::run(std::vector<std::string> arguments) {
  workspace_.schema_settings = take_schema_settings(arguments);
  if (arguments.empty()) arguments.push_back(".");
  for (std::string& argument : arguments) {
    if (!base::is_absolute_path(argument)) continue;
    std::string relative = base::relative_path(workspace_.directory, base::clean_path(argument));
    argument = "./" + relative;
  }
  SplitArguments split = split_arguments(arguments);
  std::vector<PackageArgument> packages;
  for (const std::string& argument : split.packages) {
    auto understood = understand(argument);
    if (!understood) return std::move(understood.error());
    if (auto errors = check_single_package(*understood)) return std::move(*errors);
    packages.push_back(std::move(*understood));
  }
  for (const PackageArgument& argument : packages) {
    Errors errors = add_packages(argument);
    if (!errors.empty()) return errors;
  }
  if (!split.files.empty()) {
    Errors errors = add_files(split.files);
    if (!errors.empty()) return errors;
  }
  for (const std::string& path : workspace_.options.added_files)
    if (!joined_.contains(base::clean_path(path)))
      return one_error("no package to add " + workspace_.display(base::clean_path(path)) + " to");
  inject_tags();
  return {};
}

std::expected<PackageArgument, Errors> Loader::understand(const std::string& written) {
  PackageArgument argument;
  argument.written = written;
  argument.path = module::parse_import_path(written);
  module::ImportPath& path = argument.path;
  const std::string& wanted = workspace_.options.package;
  bool wants_name = !wanted.empty() && wanted != "_" && wanted != "*";
  if (wants_name && !path.explicit_qualifier) {
    path.qualifier = wanted;
    path.explicit_qualifier = true;
  }
  if (path.qualifier == "_")
    return std::unexpected(one_error("invalid import path qualifier _ in " + syntax::quote(written)));
  // Names for many packages that Go has, and CUE only reserves.
  if (written == "all" || written == "cmd" || written == "std")
    return std::unexpected(one_error("cue: " + syntax::quote(written) + " matched no packages"));
  argument.is_relative = module::is_relative_import(path.path);
  if (argument.is_relative && !path.version.empty()) {
    // Folders have no versions, so the name really has an '@'.
    path.path += "@" + std::exchange(path.version, {});
  }
  argument.is_pattern = path.path.find("...") != std::string::npos;
  std::string prefix = path.path.substr(0, path.path.find("..."));
  if (argument.is_pattern) prefix.resize(prefix.rfind('/') == std::string::npos ? 0 : prefix.rfind('/'));
  if (argument.is_relative) {
    std::string clean = base::clean_path(path.path);
    path.path = module::is_relative_import(clean) ? clean : "./" + clean;
    argument.folder = base::join_path(workspace_.directory, argument.is_pattern ? prefix : clean);
    if (workspace_.main_module) {
      auto import_path = locator_.import_path_of(argument.folder, written);
      if (!import_path) return std::unexpected(one_error(import_path.error()));
    }
  } else if (argument.is_pattern) {
    std::string_view base = workspace_.main_module ? workspace_.main_module->base_path() : std::string_view();
    if (base.empty() || !base::is_within(prefix, base))
      return std::unexpected(one_error("pattern not allowed in external package path " + syntax::quote(written)));
    if (!path.path.ends_with("..."))
      return std::unexpected(one_error("cue: " + syntax::quote(written) + " matched no packages"));
    argument.folder = base::join_path(workspace_.module_root, prefix.substr(base.size()));
  } else if (!path.version.empty() && path.version.find_first_not_of("v0123456789") != std::string::npos) {
    return std::unexpected(
        one_error("cannot load " + written + ": packages of a given version are not loaded directly"));
  }
  if (argument.is_pattern) {
    auto folders = folders_below(argument.folder);
    if (!folders) return std::unexpected(std::move(folders.error()));
    argument.folders = std::move(*folders);
    std::vector<std::pair<Tree, std::string>> ahead;
    for (const std::string& folder : argument.folders) ahead.emplace_back(workspace_.main_tree(), folder);
    workspace_.read_ahead(ahead);
  }
  return argument;
}

// Without a name, a folder has to have one package only, or one that is called like the folder.
std::optional<Errors> Loader::check_single_package(const PackageArgument& argument) {
  const std::string& wanted = workspace_.options.package;
  if (argument.path.explicit_qualifier || wanted == "*" || wanted == "_") return std::nullopt;
  if (argument.is_pattern) {
    for (const std::string& folder : argument.folders)
      if (auto errors = check_folder(folder, base::relative_path(workspace_.module_root, folder), false, {}))
        return errors;
    return std::nullopt;
  }
  if (!argument.is_relative) return std::nullopt;
  auto status = workspace_.files.status(argument.folder);
  if (!status) return std::nullopt;
  if (status->kind != base::FileKind::directory)
    return one_error(argument.written + " is a file and not a package directory");
  std::string implied;
  if (auto path = locator_.import_path_of(argument.folder, argument.written))
    implied = module::parse_import_path(*path).qualifier;
  return check_folder(argument.folder, base::relative_path(workspace_.module_root, argument.folder), true, implied);
}

std::optional<Errors> Loader::check_folder(const std::string& folder, const std::string& shown, bool allow_implied,
                                           const std::string& implied) {
  const auto& names = workspace_.file_names(workspace_.files, folder);
  if (!names) return std::nullopt;
  workspace_.read_ahead({{workspace_.main_tree(), folder}});
  std::string first_package, first_file, other_package, other_file;
  for (const std::string& name : *names) {
    if (!name.ends_with(".cue") || is_hidden_name(name)) continue;
    const SourceFile& file = workspace_.parsed(workspace_.main_tree(), base::join_path(folder, name));
    if (file.syntax == nullptr) continue;
    std::string package(file.syntax->package_name());
    if (package.empty() || package == "_") continue;
    auto is_tag_set = [&](std::string_view tag) { return workspace_.tags.is_set(tag); };
    if (!decide_build(*file.syntax, is_tag_set).included) continue;
    if (allow_implied && package == implied) return std::nullopt;
    if (first_package.empty()) {
      first_package = package;
      first_file = name;
    } else if (package != first_package && other_package.empty()) {
      other_package = package;
      other_file = name;
    }
  }
  if (other_package.empty()) return std::nullopt;
  return one_error("found packages " + syntax::quote(first_package) + " (" + first_file + ") and " +
                   syntax::quote(other_package) + " (" + other_file + ") in " + syntax::quote(shown));
}

// A folder of the main module (or of no module) as instances.
std::vector<Package> Loader::collect(const std::string& folder, const std::string& display, const std::string& name) {
  Package package;
  package.directory = folder;
  package.display_path = display;
  package.root = workspace_.module_root;
  package.name = name;
  if (workspace_.main_module) {
    package.module = {workspace_.main_module->path, {}};
    package.language_version = workspace_.main_module->language_version;
  }
  if (auto path = locator_.import_path_of(folder, display)) package.import_path = *path;
  auto status = workspace_.files.status(folder);
  if (!status || status->kind != base::FileKind::directory) {
    package.errors = one_error("cannot find package " + syntax::quote(display));
    std::vector<Package> failed;
    failed.push_back(std::move(package));
    return failed;
  }
  Collector collector(workspace_, workspace_.main_tree(), std::move(package), false);
  bool with_parents = !workspace_.find_module_root(workspace_.files, folder).empty();
  collector.add_folder(folder, workspace_.module_root, with_parents);
  for (const std::string& added : workspace_.options.added_files) {
    std::string path = base::clean_path(added);
    if (base::parent_path(path) != folder) continue;
    collector.add_to_package(path);
    joined_.insert(path);
  }
  for (const JoinedFile& file : std::exchange(waiting_, {})) collector.join(file);
  std::vector<Package> found = collector.finish();
  for (Package& instance : found) {
    if (instance.import_path.empty()) continue;
    module::ImportPath path = module::parse_import_path(instance.import_path);
    if (!instance.name.empty()) path.qualifier = instance.name;
    path.explicit_qualifier = instance.name == "_" || workspace_.options.package == "*";
    instance.import_path = path.text();
  }
  return found;
}

Errors Loader::add_packages(const PackageArgument& argument) {
  if (argument.is_pattern) return add_pattern(argument);
  if (!argument.is_relative) {
    add_imported(argument);
    return {};
  }
  std::string name = argument.path.explicit_qualifier ? argument.path.qualifier : std::string();
  std::vector<Package> found = collect(argument.folder, argument.path.path, name);
  if (found.empty()) return one_error("cue: " + syntax::quote(argument.path.path) + " matched no packages");
  for (Package& package : found) add_instance(std::move(package));
  return {};
}

// All folders that a pattern means, parents first, in order of their names. Links are not
// followed, so there are no loops.
std::expected<std::vector<std::string>, Errors> Loader::folders_below(const std::string& top) const {
  std::vector<std::string> found;
  std::vector<std::string> waiting{top};
  while (!waiting.empty()) {
    std::string folder = std::move(waiting.back());
    waiting.pop_back();
    if (found.size() >= workspace_.options.max_directories)
      return std::unexpected(one_error("more than " + std::to_string(workspace_.options.max_directories) +
                                       " folders below " + workspace_.display(top)));
    // Another module below is not part of this one.
    if (folder != top && workspace_.is_module_root(workspace_.files, folder)) continue;
    auto entries = workspace_.files.list_directory(folder);
    if (!entries) continue;
    for (const base::DirectoryEntry& entry : std::views::reverse(*entries)) {
      if (entry.kind != base::FileKind::directory) continue;
      if (is_hidden_name(entry.name) || entry.name == "testdata" || entry.name == module::kModuleFolder) continue;
      waiting.push_back(base::join_path(folder, entry.name));
    }
    found.push_back(std::move(folder));
  }
  return found;
}

Errors Loader::add_pattern(const PackageArgument& argument) {
  if (!base::is_within(argument.folder, workspace_.module_root))
    return one_error("cue: pattern " + argument.written + " refers to dir " + argument.folder +
                     ", outside module root " + workspace_.module_root);
  std::string name = argument.path.explicit_qualifier ? argument.path.qualifier : std::string();
  std::size_t before = result_.instances.size();
  for (const std::string& folder : argument.folders) {
    for (Package& package : collect(folder, workspace_.display(folder), name)) {
      bool is_empty =
          std::ranges::any_of(package.errors, [](const auto& error) { return error.code == "no-cue-files"; });
      if (!is_empty) add_instance(std::move(package));
    }
  }
  if (result_.instances.size() == before)
    return one_error("cue: " + syntax::quote(argument.path.unqualified().text()) + " matched no packages");
  return {};
}

void Loader::add_imported(const PackageArgument& argument) {
  std::string text = argument.path.text();
  module::ModuleVersion main{std::string(workspace_.module_path()), {}};
  auto location = locator_.locate(text, main);
  Errors errors;
  if (!location) {
    errors.push_back(location.error().diagnostic());
  } else if (auto compiled = importer_.compiled_at(*location)) {
    result_.instances.push_back(importer_.keep(importer_.take(*compiled, *location, text)));
    return;
  } else if (auto problem = locator_.problem_with(*location, text)) {
    errors = one_error(*problem);
  } else {
    return add_instance(importer_.collect(*location, text));
  }
  Package package;
  package.import_path = text;
  package.display_path = text;
  package.name = argument.path.qualifier;
  package.errors = std::move(errors);
  result_.instances.push_back(importer_.keep(std::move(package)));
}

Errors Loader::add_files(const std::vector<std::string>& arguments) {
  auto files = parse_file_arguments(arguments);
  if (!files) return one_error(files.error());
  Package package;
  package.is_command_line = true;
  package.directory = workspace_.directory;
  package.root = workspace_.directory;
  package.display_path = "command-line-arguments";
  if (workspace_.main_module) package.language_version = workspace_.main_module->language_version;
  std::vector<SourceRequest> ahead;
  for (const FileArgument& file : *files) {
    if (file.name == "-") continue;
    std::string path = base::join_path(workspace_.directory, file.name);
    if (file.type.encoding == Encoding::cue) ahead.push_back({&workspace_.files, path, workspace_.display(path)});
  }
  workspace_.source_files.read_all(ahead);
  for (const FileArgument& file : *files) {
    if (file.name == "-") continue;
    std::string path = base::join_path(workspace_.directory, file.name);
    bool is_cue = file.type.encoding == Encoding::cue;
    if (is_cue && workspace_.parsed(workspace_.main_tree(), path).source != nullptr) continue;
    auto status = workspace_.files.status(path);
    if (!status) return one_error("stat " + path + ": " + status.error().message);
    if (status->kind == base::FileKind::directory) return one_error("read " + path + ": is a directory");
  }
  Collector collector(workspace_, workspace_.main_tree(), std::move(package), false);
  for (const FileArgument& file : *files) {
    if (file.name != "-") {
      collector.add_file(base::join_path(workspace_.directory, file.name), file.type);
    } else if (workspace_.options.standard_input) {
      collector.add_standard_input(file.type, *workspace_.options.standard_input);
    } else {
      return one_error("read stdin: nothing to read");
    }
  }
  for (Package& instance : collector.finish()) add_instance(std::move(instance));
  return {};
}

void Loader::add_instance(Package package) {
  // A package that lacks files has no imports worth looking for.
  if (package.errors.empty()) importer_.complete(package);
  result_.instances.push_back(importer_.keep(std::move(package)));
}

void Loader::inject_tags() {
  for (PackageId id : result_.instances) {
    Package& package = result_.package(id);
    if (package.compiled) continue;
    for (const PackageFile& file : package.files) append_errors(package.errors, workspace_.tags.find(*file.syntax));
  }
  if (result_.arenas.empty()) result_.arenas.push_back(std::make_unique<base::Arena>());
  Errors errors = workspace_.tags.inject(*result_.arenas.front(), workspace_.options.tag_variables);
  for (PackageId id : result_.instances) append_errors(result_.package(id).errors, errors);
  if (result_.instances.empty()) append_errors(result_.errors, errors);
}

}  // namespace

LoadResult load(const std::vector<std::string>& arguments, const LoadOptions& options, diag::SourceMap& sources) {
  if (auto compiled = load_compiled(arguments, options)) return std::move(*compiled);
  LoadResult result;
  const base::FileSystem* files = options.files != nullptr ? options.files : &base::real_file_system();
  if (!options.overlay.empty()) {
    result.overlay = std::make_unique<OverlayFileSystem>(*files, options.overlay);
    files = result.overlay.get();
  }
  Workspace workspace(options, *files, sources, result.arenas);
  auto opened = workspace.open_module();
  result.module_root = workspace.module_root;
  result.main_module = workspace.main_module;
  if (!opened) {
    result.errors = std::move(opened.error());
    return result;
  }
  append_errors(result.errors, Loader(workspace, result).run(arguments));
  for (PackageId id : result.instances) append_errors(result.errors, result.package(id).errors);
  return result;
}

}  // namespace opm::cue::load
