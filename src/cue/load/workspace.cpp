#include "cue/load/workspace.h"
#include "cue/module/local_module.h"

#include <algorithm>
#include <unordered_set>

#include "base/path.h"
#include "cue/compile/package_image.h"

namespace opm::cue::load {
namespace {

// Packages below cue.mod/{gen,usr,pkg} are loadable, the rest of cue.mod is not.
bool is_inside_module_folder(std::string path) {
  std::string below;
  for (;;) {
    std::string name(base::base_name(path));
    if (name == module::kModuleFolder) return below != "pkg" && below != "usr" && below != "gen";
    std::string parent = base::parent_path(path);
    if (parent == path) return false;
    path = std::move(parent);
    below = std::move(name);
  }
}

std::string fingerprint(const diag::Diagnostic& error) {
  std::string key = error.path + "\n" + error.message;
  for (diag::Position position : error.positions) key += "\n" + std::to_string(position.value);
  return key;
}

}  // namespace

diag::Diagnostic load_error(std::string message, diag::Position position) {
  diag::Diagnostic diagnostic;
  diagnostic.code = "load";
  diagnostic.message = std::move(message);
  if (position.valid()) diagnostic.positions.push_back(position);
  return diagnostic;
}

void append_errors(std::vector<diag::Diagnostic>& to, const std::vector<diag::Diagnostic>& errors) {
  if (errors.empty()) return;
  std::unordered_set<std::string> known;
  for (const diag::Diagnostic& error : to) known.insert(fingerprint(error));
  for (const diag::Diagnostic& error : errors)
    if (known.insert(fingerprint(error)).second) to.push_back(error);
}

bool is_hidden_name(std::string_view name) { return name.empty() || name[0] == '.' || name[0] == '_'; }

Workspace::Workspace(const LoadOptions& load_options, const base::FileSystem& load_files, diag::SourceMap& load_sources,
                     std::vector<std::unique_ptr<base::Arena>>& arenas)
    : options(load_options),
      files(load_files),
      sources(load_sources),
      source_files(load_sources, arenas, {load_options.threads, load_options.max_file_bytes, load_options.comments}),
      tags(load_options.tags),
      directory(base::clean_path(load_options.directory)) {}

std::expected<void, std::vector<diag::Diagnostic>> Workspace::open_local_module(const std::string& path) {
  using Errors = std::vector<diag::Diagnostic>;
  published_module = *main_module;
  auto content = files.read_file(path, module::kMaxModuleFileBytes);
  if (!content) return {};
  const diag::Source* source = sources.add(display(path), std::move(*content));
  if (source == nullptr) return std::unexpected(Errors{load_error("open " + display(path) + ": too much source text")});
  auto dependencies = module::read_local_module_file(*source, *main_module);
  if (!dependencies) return std::unexpected(std::move(dependencies.error()));
  main_module->dependencies = std::move(*dependencies);
  has_local_module = true;
  return {};
}

std::expected<void, std::vector<diag::Diagnostic>> Workspace::open_module() {
  using Errors = std::vector<diag::Diagnostic>;
  if (!base::is_absolute_path(directory))
    return std::unexpected(Errors{load_error("the working folder " + directory + " is no absolute path")});
  for (const auto& [path, content] : options.overlay)
    if (!base::is_absolute_path(path))
      return std::unexpected(Errors{load_error("non-absolute file path \"" + path + "\" in overlay")});
  if (is_inside_module_folder(directory))
    return std::unexpected(Errors{load_error("cannot load packages inside the cue.mod directory")});
  if (options.module_root.empty()) {
    module_root = find_module_root(files, directory);
    if (module_root.empty()) {
      module_root = directory;
      return {};
    }
  } else if (base::is_absolute_path(options.module_root)) {
    module_root = base::clean_path(options.module_root);
  } else {
    module_root = base::join_path(directory, options.module_root);
  }
  std::string folder = base::join_path(module_root, module::kModuleFolder);
  std::string path = base::join_path(folder, module::kModuleFileName);
  auto content = files.read_file(path, module::kMaxModuleFileBytes);
  if (!content) {
    auto status = files.status(folder);
    if (status && status->kind != base::FileKind::directory)
      return std::unexpected(Errors{load_error("cue.mod files are no longer supported; use cue.mod/module.cue")});
    base::FileErrorKind kind = content.error().kind;
    if (kind == base::FileErrorKind::not_found || kind == base::FileErrorKind::not_a_directory) return {};
    return std::unexpected(Errors{load_error("open " + display(path) + ": " + content.error().message)});
  }
  const diag::Source* source = sources.add(display(path), std::move(*content));
  if (source == nullptr) return std::unexpected(Errors{load_error("open " + display(path) + ": too much source text")});
  auto file = moves_replacements ? module::read_replacing_module_file(*source) : module::read_module_file(*source);
  if (!file) return std::unexpected(std::move(file.error()));
  main_module = std::move(*file);
  if (auto local = open_local_module(base::join_path(folder, module::kLocalModuleFileName)); !local) return local;
  if (options.resolver != nullptr) options.resolver->begin(*main_module);
  return {};
}

std::string Workspace::display(const std::string& path) const {
  std::string relative = base::relative_path(directory, path);
  if (relative.starts_with('.') || base::is_absolute_path(relative)) return relative;
  return "./" + relative;
}

std::string Workspace::display(const Tree& tree, const std::string& path) const {
  if (tree.display_root.empty()) return display(path);
  return base::join_path(tree.display_root, base::relative_path(tree.root, path));
}

const std::expected<std::vector<std::string>, base::FileError>& Workspace::file_names(
    const base::FileSystem& tree_files, const std::string& folder) {
  auto [entry, is_new] = listings_.try_emplace(std::pair(&tree_files, folder));
  if (!is_new) return entry->second;
  auto listing = tree_files.list_directory(folder);
  if (!listing) {
    entry->second = std::unexpected(listing.error());
    return entry->second;
  }
  std::vector<std::string> names;
  for (base::DirectoryEntry& item : *listing) {
    if (item.kind == base::FileKind::directory) continue;
    if (item.kind == base::FileKind::symbolic_link) {
      auto target = tree_files.status(base::join_path(folder, item.name));
      if (target && target->kind == base::FileKind::directory) continue;
    }
    names.push_back(std::move(item.name));
  }
  entry->second = std::move(names);
  return entry->second;
}

bool Workspace::is_module_root(const base::FileSystem& tree_files, const std::string& folder) const {
  return tree_files.status(base::join_path(folder, module::kModuleFolder)).has_value();
}

std::string Workspace::find_module_root(const base::FileSystem& tree_files, const std::string& folder) const {
  std::string at = folder;
  for (;;) {
    if (is_module_root(tree_files, at)) return at;
    std::string parent = base::parent_path(at);
    if (parent == at || base::base_name(parent) == module::kModuleFolder) return {};
    at = std::move(parent);
  }
}

const compile::PackageImage* image_of(const Tree& tree) {
  const auto* compiled = dynamic_cast<const compile::CompiledFiles*>(tree.files);
  return compiled == nullptr ? nullptr : compiled->image();
}

bool Workspace::has_cue_files(const base::FileSystem& tree_files, const std::string& folder) {
  const auto& names = file_names(tree_files, folder);
  return names && std::ranges::any_of(*names, [](const std::string& name) { return name.ends_with(".cue"); });
}

const SourceFile& Workspace::parsed(const Tree& tree, const std::string& path) {
  return source_files_of(tree).get({tree.files, path, display(tree, path)});
}

// The files of the main module are its own: tags change their trees.
SourceFiles& Workspace::source_files_of(const Tree& tree) {
  return options.module_files != nullptr && tree.files != &files ? *options.module_files : source_files;
}

void Workspace::read_ahead(const std::vector<std::pair<Tree, std::string>>& folders) {
  std::vector<SourceRequest> own, foreign;
  for (const auto& [tree, folder] : folders) {
    std::vector<SourceRequest>& requests = &source_files_of(tree) == &source_files ? own : foreign;
    const auto& names = file_names(*tree.files, folder);
    if (!names) continue;
    for (const std::string& name : *names) {
      if (!name.ends_with(".cue") || is_hidden_name(name)) continue;
      std::string path = base::join_path(folder, name);
      std::string shown = display(tree, path);
      requests.push_back({tree.files, std::move(path), std::move(shown)});
    }
  }
  source_files.read_all(own);
  if (!foreign.empty()) options.module_files->read_all(foreign);
}

}  // namespace opm::cue::load
