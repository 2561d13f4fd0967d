#include "cue/load/locator.h"

#include <algorithm>

#include "base/path.h"
#include "base/suggestion.h"
#include "cue/compile/package_image.h"
#include "cue/load/build_attribute.h"
#include "cue/module/local_module.h"
#include "cue/module/version.h"
#include "cue/syntax/literal.h"

namespace opm::cue::load {
namespace {

constexpr std::string_view kLocalFolders[] = {"gen", "usr", "pkg"};

std::string cannot_find(std::string_view import_path, const std::string& why) {
  std::string shown = module::parse_import_path(import_path).unqualified().text();
  return "cannot find package " + syntax::quote(shown) + ": " + why;
}

}  // namespace

bool Locator::is_in_nested_module(const Tree& tree, const std::string& folder) const {
  std::string at = folder;
  while (at != tree.root && base::is_within(at, tree.root)) {
    if (tree.files->status(base::join_path(at, "cue.mod/module.cue"))) return true;
    at = base::parent_path(at);
  }
  return false;
}

std::expected<std::string, std::string> Locator::import_path_of(const std::string& folder,
                                                                std::string_view as_written) const {
  auto fail = [&](std::string_view why) {
    return std::unexpected("cannot determine import path for " + syntax::quote(as_written) + " (" + std::string(why) +
                           ")");
  };
  const std::string& root = workspace_.module_root;
  if (!base::is_within(folder, root)) return fail("dir outside of root");
  std::string below = base::relative_path(root, folder);
  if (below.starts_with("cue.mod/")) return below.substr(std::string_view("cue.mod/").size());
  if (!workspace_.main_module) return fail("no module");
  if (is_in_nested_module(workspace_.main_tree(), folder)) return fail("directory is in a nested module");
  module::ImportPath path;
  path.path = workspace_.main_module->base_path();
  if (below != ".") path.path += "/" + below;
  path.version = workspace_.main_module->major_version();
  return path.text();
}

std::expected<Locator::Replaced, module::ModuleError> Locator::open_replacement(const module::Dependency& dependency) {
  auto fail = [](module::ModuleErrorKind kind, std::string why) {
    return std::unexpected(module::ModuleError{kind, std::move(why)});
  };
  auto target = module::parse_replacement(dependency.replace_with, workspace_.main_module->dependencies);
  if (!target) return fail(module::ModuleErrorKind::invalid, target.error());
  if (target->folder.empty()) {
    if (target->module.version.empty())
      return fail(module::ModuleErrorKind::invalid, "no version is listed of its replacement " + target->module.path);
    if (workspace_.options.resolver == nullptr) return fail(module::ModuleErrorKind::not_found, "module not found");
    auto content = workspace_.options.resolver->fetch(target->module);
    if (!content) return std::unexpected(std::move(content.error()));
    return Replaced{{(*content)->files, (*content)->root, (*content)->display_root}, (*content)->file};
  }
  std::string about = "replacement directory " + syntax::quote(target->folder);
  std::string root = base::is_absolute_path(target->folder) ? base::clean_path(target->folder)
                                                            : base::join_path(workspace_.module_root, target->folder);
  std::string path = base::join_path(root, "cue.mod/module.cue");
  auto text = workspace_.files.read_file(path, module::kMaxModuleFileBytes);
  if (!text) return fail(module::ModuleErrorKind::not_found, about + ": " + text.error().message);
  const diag::Source* source = workspace_.sources.add(workspace_.display(path), std::move(*text));
  if (source == nullptr) return fail(module::ModuleErrorKind::invalid, about + ": too much source text");
  auto file = module::read_module_file(*source);
  if (!file) return fail(module::ModuleErrorKind::invalid, about + ": " + file.error().front().message);
  if (file->path != dependency.module.path)
    return fail(module::ModuleErrorKind::invalid, about + " has module path " + syntax::quote(file->path) + ", want " +
                                                      syntax::quote(dependency.module.path));
  return Replaced{{&workspace_.files, std::move(root), {}}, std::move(*file)};
}

std::expected<const Locator::Replaced*, module::ModuleError> Locator::replaced(const module::ModuleVersion& module) {
  const module::Dependency* dependency = module::find_dependency(workspace_.main_module->dependencies, module.path);
  if (dependency == nullptr || dependency->replace_with.empty()) return nullptr;
  auto known = replaced_.find(module.path);
  if (known == replaced_.end()) known = replaced_.emplace(module.path, open_replacement(*dependency)).first;
  if (!known->second) return std::unexpected(known->second.error());
  return &*known->second;
}

module::ImportPath Locator::as_replaced(module::ImportPath path, const module::ModuleVersion& importer) const {
  auto known = replaced_.find(importer.path);
  if (known == replaced_.end() || !known->second) return path;
  std::string_view own = known->second->file.base_path();
  std::string_view meant = importer.base_path();
  if (own == meant || !base::is_within(path.path, own)) return path;
  if (!path.version.empty() && path.version != known->second->file.major_version()) return path;
  path.path = std::string(meant) + path.path.substr(own.size());
  path.version = module::split_version(importer.path).second;
  return path;
}

bool Locator::depends_on(const module::ModuleVersion& importer, std::string_view import_path) const {
  return module::split_version(import_path).second.empty() || replaced_.contains(importer.path);
}

std::expected<std::string, module::ModuleError> Locator::major_version_for(const Search& search,
                                                                           std::string_view prefix) {
  if (!search.path.version.empty()) return search.path.version;
  const module::ModuleVersion& importer = search.importer;
  bool is_foreign = !importer.path.empty() && importer.path != "local" && importer.path != workspace_.module_path();
  if (is_foreign) {
    auto other = replaced(importer);
    if (!other) return std::unexpected(std::move(other.error()));
    std::string_view own = *other != nullptr ? (*other)->file.default_major_version(prefix) : std::string_view();
    if (!own.empty()) return std::string(own);
    if (*other == nullptr && workspace_.options.resolver != nullptr) {
      auto listed = workspace_.options.resolver->default_major_version(importer, prefix);
      if (!listed || !listed->empty()) return listed;
    }
  }
  // One that does not say means what the main module means.
  return std::string(workspace_.main_module->default_major_version(prefix));
}

std::expected<std::optional<module::ModuleVersion>, module::ModuleError> Locator::version_for(
    const Search& search, std::string_view prefix) {
  auto major = major_version_for(search, prefix);
  if (!major) return std::unexpected(std::move(major.error()));
  if (major->empty()) return std::nullopt;
  std::string module_path;
  module_path.reserve(prefix.size() + 1 + major->size());
  module_path.append(prefix).append("@").append(*major);
  if (module_path == workspace_.module_path()) return module::ModuleVersion{std::move(module_path), {}};
  if (workspace_.options.resolver != nullptr) return workspace_.options.resolver->selected(module_path, search.scope);
  const auto& known = workspace_.main_module->dependencies;
  auto listed = std::ranges::find(known, module_path, [](const auto& dependency) { return dependency.module.path; });
  if (listed == known.end()) return std::nullopt;
  return listed->module;
}

std::expected<std::optional<PackageLocation>, module::ModuleError> Locator::in_module(Search& search,
                                                                                      std::string_view prefix) {
  auto version = version_for(search, prefix);
  if (!version) return std::unexpected(std::move(version.error()));
  if (!*version) return std::nullopt;
  std::optional<PackageLocation> found;
  PackageLocation& location = found.emplace();
  location.module = std::move(**version);
  const module::ModuleVersion& module = location.module;
  bool is_main = module.path == workspace_.module_path();
  if (is_main) {
    location.tree = workspace_.main_tree();
    location.language_version = workspace_.main_module->language_version;
  } else {
    auto fail = [&](module::ModuleErrorKind kind, const std::string& why) {
      return std::unexpected(module::ModuleError{kind, "cannot fetch " + module.text() + ": " + why});
    };
    auto other = replaced(module);
    if (!other) return fail(other.error().kind, other.error().message);
    if (*other != nullptr) {
      location.tree = (*other)->tree;
      location.language_version = (*other)->file.language_version;
    } else {
      if (workspace_.options.resolver == nullptr) return fail(module::ModuleErrorKind::not_found, "module not found");
      auto content = workspace_.options.resolver->fetch(module);
      if (!content) return fail(content.error().kind, content.error().message);
      location.tree = {(*content)->files, (*content)->root, (*content)->display_root};
      location.language_version = (*content)->file.language_version;
    }
  }
  std::string_view below = std::string_view(search.path.path).substr(prefix.size());
  std::string folder = base::join_path(location.tree.root, below);
  if (is_main && is_in_nested_module(location.tree, folder)) {
    search.tried.push_back(module.text() + ": the folder belongs to a module of its own");
    return std::nullopt;
  }
  const compile::PackageImage* image = image_of(location.tree);
  bool is_compiled = image != nullptr && image->find(folder, search.path.qualifier);
  if (!is_compiled && !workspace_.has_cue_files(*location.tree.files, folder)) {
    search.tried.push_back(module.text() + ": no CUE files in " +
                           (below.empty() ? "its root folder" : "folder " + std::string(below.substr(1))));
    if (!below.empty() && search.meant.empty()) search.meant = nearest_package(search, location.tree, folder);
    return std::nullopt;
  }
  if (std::string_view major = module::split_version(module.path).second; major == search.path.version) {
    location.identity = search.canonical;
  } else {
    module::ImportPath identity = search.path;
    identity.version = major;
    location.identity = identity.canonical().text();
  }
  location.folders.push_back(std::move(folder));
  return found;
}

std::string Locator::shown(const PackageLocation& location) const {
  const module::ModuleVersion& module = location.module;
  const std::string& root = location.is_local() ? workspace_.module_root : location.tree.root;
  std::string name = module.version.empty() ? module.path : module.path + " " + module.version;
  return name + " (" + base::relative_path(root, location.folders.front()) + ")";
}

std::string Locator::nearest_package(const Search& search, const Tree& tree, const std::string& folder) {
  auto entries = tree.files->list_directory(base::parent_path(folder));
  if (!entries) return {};
  base::Suggestion suggestion(base::base_name(folder));
  for (const base::DirectoryEntry& entry : *entries) {
    bool is_package = entry.kind == base::FileKind::directory &&
                      workspace_.has_cue_files(*tree.files, base::join_path(base::parent_path(folder), entry.name));
    if (is_package) suggestion.consider(entry.name);
  }
  if (suggestion.best().empty()) return {};
  module::ImportPath meant = module::parse_import_path(base::join_path(base::parent_path(search.path.path), suggestion.best()));
  meant.version = search.path.version;
  return meant.text();
}

std::expected<std::vector<PackageLocation>, module::ModuleError> Locator::in_modules(Search& search) {
  std::vector<PackageLocation> candidates;
  search.tried.clear();
  search.meant.clear();
  for (std::string_view prefix = search.path.path;;) {
    auto candidate = in_module(search, prefix);
    if (!candidate) return std::unexpected(std::move(candidate.error()));
    if (*candidate) candidates.push_back(std::move(**candidate));
    std::size_t slash = prefix.rfind('/');
    if (slash == prefix.npos) return candidates;
    prefix = prefix.substr(0, slash);
  }
}

std::optional<PackageLocation> Locator::in_local_folders(const Search& search) {
  if (!local_folders_) {
    local_folders_.emplace();
    for (std::string_view folder : kLocalFolders) {
      std::string at = base::join_path(workspace_.module_root, "cue.mod/" + std::string(folder));
      if (workspace_.files.status(at)) local_folders_->push_back(std::move(at));
    }
  }
  if (local_folders_->empty()) return std::nullopt;
  PackageLocation local;
  for (const std::string& folder : *local_folders_) {
    std::string at = base::join_path(folder, search.path.path);
    if (workspace_.has_cue_files(workspace_.files, at)) local.folders.push_back(std::move(at));
  }
  if (local.folders.empty()) return std::nullopt;
  local.tree = workspace_.main_tree();
  local.module = {"local", {}};
  local.language_version = workspace_.main_module->language_version;
  local.identity = search.canonical;
  return local;
}

void Locator::prepare(const std::vector<std::string_view>& import_paths, const module::ModuleVersion& importer) {
  if (workspace_.options.resolver == nullptr || !workspace_.main_module) return;
  std::vector<module::ModuleVersion> wanted;
  auto is_fetched = [&](const module::ModuleVersion& module) {
    const module::Dependency* listed = module::find_dependency(workspace_.main_module->dependencies, module.path);
    return listed == nullptr || listed->replace_with.empty();
  };
  for (std::string_view import_path : import_paths) {
    module::ImportPath path = as_replaced(module::parse_import_path(import_path), importer);
    Search search{path, path.path, importer};  // for versions, not for places
    for (std::string_view prefix = path.path;;) {
      auto version = version_for(search, prefix);
      bool is_module = version && *version && !(*version)->version.empty();
      if (is_module && is_fetched(**version)) wanted.push_back(std::move(**version));
      std::size_t slash = prefix.rfind('/');
      if (slash == prefix.npos) break;
      prefix = prefix.substr(0, slash);
    }
  }
  std::ranges::sort(wanted);
  auto [first, last] = std::ranges::unique(wanted);
  wanted.erase(first, last);
  workspace_.options.resolver->prepare(wanted);
}

diag::Diagnostic LocateError::diagnostic() const {
  diag::Diagnostic error = load_error(message);
  error.code = code;
  error.advice = advice;
  for (const std::string& module : tried) error.notes.push_back({"tried " + module, {}});
  return error;
}

std::optional<std::string> Locator::problem_with(const PackageLocation& location, std::string_view import_path) {
  std::size_t excluded = 0;
  bool is_main = location.module.path == workspace_.module_path();
  for (const std::string& folder : location.folders) {
    workspace_.read_ahead({{location.tree, folder}});
    const auto& names = workspace_.file_names(*location.tree.files, folder);
    if (!names) return cannot_find(import_path, names.error().message);
    for (const std::string& name : *names) {
      if (!name.ends_with(".cue") || is_hidden_name(name)) continue;
      const SourceFile& file = workspace_.parsed(location.tree, base::join_path(folder, name));
      // What is wrong with the file is told when the package is loaded.
      if (file.syntax == nullptr || !file.errors.empty()) return std::nullopt;
      if (file.syntax->package_name() != location.name) continue;
      bool is_test = name.ends_with("_test.cue") && !(is_main && workspace_.options.tests);
      bool is_tool = name.ends_with("_tool.cue") && !workspace_.options.tools;
      auto is_tag_set = [&](std::string_view tag) { return is_main && workspace_.tags.is_set(tag); };
      if (!is_test && !is_tool && decide_build(*file.syntax, is_tag_set).included) return std::nullopt;
      ++excluded;
    }
  }
  std::string problem = "no files in package directory with package name " + syntax::quote(location.name);
  if (excluded > 0) problem += " (" + std::to_string(excluded) + " files were excluded)";
  return cannot_find(import_path, problem);
}

std::expected<PackageLocation, LocateError> Locator::locate(std::string_view import_path,
                                                            const module::ModuleVersion& importer) {
  auto fail = [](std::string message) { return std::unexpected(LocateError{.message = std::move(message)}); };
  if (import_path.empty()) return fail("empty import path");
  if (module::looks_standard(import_path))
    return fail("standard library import path " + syntax::quote(import_path) + " cannot be imported as a CUE package");
  if (!workspace_.main_module) {
    if (auto problem = module::check_import_path(import_path)) return fail(*problem);
    return fail("imports are unavailable because there is no cue.mod/module.cue file");
  }
  module::ImportPath path = module::parse_import_path(import_path);
  if (path.path.starts_with('/'))
    return fail(cannot_find(import_path, syntax::quote(import_path) + " is not a package path"));
  path = as_replaced(std::move(path), importer);
  std::string canonical = path.canonical().text();
  if (auto problem = module::check_import_path(canonical)) return fail(cannot_find(import_path, *problem));

  std::vector<PackageLocation> candidates;
  Search search{path, canonical, importer};
  if (auto local = in_local_folders(search)) candidates.push_back(std::move(*local));
  for (Scope scope : {Scope::listed, Scope::build_list}) {
    search.scope = scope;
    auto found = in_modules(search);
    if (!found)
      return std::unexpected(LocateError{.message = cannot_find(import_path, found.error().message),
                                         .code = std::string(found.error().code())});
    std::ranges::move(*found, std::back_inserter(candidates));
    if (!candidates.empty() || workspace_.options.resolver == nullptr) break;
  }
  if (candidates.empty())
    return std::unexpected(
        LocateError{.message = cannot_find(import_path, "cannot find module providing package " + canonical),
                    .tried = std::move(search.tried),
                    .advice = search.meant.empty()
                                  ? "run \"opm mod tidy\" to add the module that provides it to cue.mod/module.cue"
                                  : "did you mean " + syntax::quote(search.meant) + "?",
                    .is_missing = true});
  if (candidates.size() > 1) {
    std::string message = "ambiguous import: found package " + canonical + " in multiple locations:";
    std::ranges::reverse(candidates);
    for (const PackageLocation& candidate : candidates) message += "\n\t" + shown(candidate);
    return fail(cannot_find(import_path, message));
  }
  PackageLocation location = std::move(candidates.front());
  location.name = path.qualifier;
  if (location.name.empty())
    return fail("cannot determine package name for " + syntax::quote(import_path) + "; set it explicitly with ':'");
  if (location.name == "_") return fail("_ is not a valid import path qualifier in " + syntax::quote(import_path));
  return location;
}

}  // namespace opm::cue::load
