#include "cue/load/locator.h"

#include <algorithm>

#include "base/path.h"
#include "cue/load/build_attribute.h"
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

std::expected<std::string, std::string> Locator::major_version_for(const module::ImportPath& path,
                                                                   const std::string& prefix,
                                                                   const module::ModuleVersion& importer) {
  if (!path.version.empty()) return path.version;
  bool is_foreign = !importer.path.empty() && importer.path != "local" && importer.path != workspace_.module_path();
  if (is_foreign && workspace_.options.resolver != nullptr)
    return workspace_.options.resolver->default_major_version(importer, prefix);
  return std::string(workspace_.main_module->default_major_version(prefix));
}

std::expected<std::optional<Locator::Candidate>, std::string> Locator::in_module(
    const module::ImportPath& path, const std::string& prefix, const module::ModuleVersion& importer) {
  auto major = major_version_for(path, prefix, importer);
  if (!major) return std::unexpected(major.error());
  if (major->empty()) return std::nullopt;
  std::string module_path = prefix + "@" + *major;
  Candidate candidate;
  PackageLocation& location = candidate.location;
  bool is_main = module_path == workspace_.module_path();
  if (is_main) {
    location.tree = workspace_.main_tree();
    location.module = {module_path, {}};
    location.language_version = workspace_.main_module->language_version;
  } else {
    if (workspace_.options.resolver == nullptr) {
      const auto& known = workspace_.main_module->dependencies;
      auto listed =
          std::ranges::find(known, module_path, [](const auto& dependency) { return dependency.module.path; });
      if (listed == known.end()) return std::nullopt;
      return std::unexpected("cannot fetch " + listed->module.text() + ": module not found");
    }
    auto version = workspace_.options.resolver->selected(module_path);
    if (!version) return std::unexpected(version.error());
    if (!*version) return std::nullopt;
    auto content = workspace_.options.resolver->fetch(**version);
    if (!content) return std::unexpected("cannot fetch " + (*version)->text() + ": " + content.error());
    if (*content == nullptr) return std::nullopt;
    location.tree = {(*content)->files, (*content)->root, (*content)->display_root};
    location.module = **version;
    location.language_version = (*content)->file.language_version;
  }
  std::string_view below = std::string_view(path.path).substr(prefix.size());
  std::string folder = base::join_path(location.tree.root, below);
  if (is_main && is_in_nested_module(location.tree, folder)) return std::nullopt;
  if (!workspace_.has_cue_files(*location.tree.files, folder)) return std::nullopt;
  module::ImportPath identity = path;
  identity.version = *major;
  location.identity = identity.canonical().text();
  candidate.shown = location.module.path;
  if (!location.module.version.empty()) candidate.shown += " " + location.module.version;
  candidate.shown += " (" + (below.empty() ? std::string(".") : std::string(below.substr(1))) + ")";
  location.folders.push_back(std::move(folder));
  return candidate;
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

std::expected<PackageLocation, std::string> Locator::locate(std::string_view import_path,
                                                            const module::ModuleVersion& importer) {
  if (import_path.empty()) return std::unexpected("empty import path");
  if (module::looks_standard(import_path))
    return std::unexpected("standard library import path " + syntax::quote(import_path) +
                           " cannot be imported as a CUE package");
  if (!workspace_.main_module) {
    if (auto problem = module::check_import_path(import_path)) return std::unexpected(*problem);
    return std::unexpected("imports are unavailable because there is no cue.mod/module.cue file");
  }
  module::ImportPath path = module::parse_import_path(import_path);
  auto fail = [&](const std::string& why) { return std::unexpected(cannot_find(import_path, why)); };
  if (path.path.starts_with('/')) return fail(syntax::quote(import_path) + " is not a package path");
  std::string canonical = path.canonical().text();
  if (auto problem = module::check_import_path(canonical)) return fail(*problem);

  std::vector<Candidate> candidates;
  Candidate local;
  for (std::string_view folder : kLocalFolders) {
    std::string at = base::join_path(workspace_.module_root, "cue.mod/" + std::string(folder) + "/" + path.path);
    if (workspace_.has_cue_files(workspace_.files, at)) local.location.folders.push_back(std::move(at));
  }
  if (!local.location.folders.empty()) {
    local.location.tree = workspace_.main_tree();
    local.location.module = {"local", {}};
    local.location.language_version = workspace_.main_module->language_version;
    local.location.identity = canonical;
    local.shown = "local (" + base::relative_path(workspace_.module_root, local.location.folders.front()) + ")";
    candidates.push_back(std::move(local));
  }
  for (std::string prefix = path.path;;) {
    auto candidate = in_module(path, prefix, importer);
    if (!candidate) return fail(candidate.error());
    if (*candidate) candidates.push_back(std::move(**candidate));
    std::size_t slash = prefix.rfind('/');
    if (slash == std::string::npos) break;
    prefix.resize(slash);
  }
  if (candidates.empty()) return fail("cannot find module providing package " + canonical);
  if (candidates.size() > 1) {
    std::string message = "ambiguous import: found package " + canonical + " in multiple locations:";
    std::ranges::reverse(candidates);
    for (const Candidate& candidate : candidates) message += "\n\t" + candidate.shown;
    return fail(message);
  }
  PackageLocation location = std::move(candidates.front().location);
  location.name = path.qualifier;
  if (location.name.empty())
    return std::unexpected("cannot determine package name for " + syntax::quote(import_path) +
                           "; set it explicitly with ':'");
  if (location.name == "_")
    return std::unexpected("_ is not a valid import path qualifier in " + syntax::quote(import_path));
  return location;
}

}  // namespace opm::cue::load
