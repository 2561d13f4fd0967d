#include "lsp/importable.h"

#include <set>

#include "base/path.h"
#include "cue/module/module_file.h"
#include "cue/std/standard.h"
#include "opm/builtin/catalog.h"

namespace opm::lsp {

namespace {

constexpr int kDeepest = 12;
constexpr std::size_t kMostFolders = 5000;

class Folders {
 public:
  // `own`: the folder of the package itself, which cannot be imported.
  Folders(std::vector<CompletionItem>& items, std::set<std::string>& known, std::string own)
      : items_(items), known_(known), own_(std::move(own)) {}

  // Packages below `root`, whose import path is `path`, of a module with that major version.
  void add(const base::FileSystem& files, const std::string& root, const std::string& path, const std::string& version,
           const std::string& detail, char rank, int depth = 0) {
    if (depth > kDeepest || ++seen_ > kMostFolders) return;
    auto entries = files.list_directory(root, base::FileSystem::kDefaultMaxEntries);
    if (!entries) return;
    bool has_package = false;
    for (const base::DirectoryEntry& entry : *entries) {
      if (entry.name.starts_with('.') || entry.name.starts_with('_') || entry.name == cue::module::kModuleFolder)
        continue;
      std::string below = base::join_path(root, entry.name);
      if (entry.kind == base::FileKind::directory) {
        if (files.status(base::join_path(below, cue::module::kModuleFolder))) continue;
        add(files, below, path + "/" + entry.name, version, detail, rank, depth + 1);
      } else {
        has_package = has_package || (entry.name.ends_with(".cue") && !entry.name.ends_with("_test.cue") &&
                                      !entry.name.ends_with("_tool.cue"));
      }
    }
    if (!has_package || root == own_) return;
    std::string text = path + version;
    if (known_.insert(text).second) items_.push_back({CompletionItem::Kind::module, text, text, detail, "", rank});
  }

 private:
  std::vector<CompletionItem>& items_;
  std::set<std::string>& known_;
  std::string own_;
  std::size_t seen_ = 0;
};

// "example.com/x@v0" as its two parts.
std::pair<std::string, std::string> split(std::string_view module) {
  std::size_t at = module.rfind('@');
  if (at == module.npos) return {std::string(module), ""};
  return {std::string(module.substr(0, at)), std::string(module.substr(at))};
}

}  // namespace

std::vector<CompletionItem> importable_packages(const Workspace& workspace, const Analysis* analysis) {
  std::vector<CompletionItem> items;
  std::set<std::string> known;
  Folders folders(items, known, analysis != nullptr ? analysis->program().instances()[0].directory : std::string());
  if (analysis != nullptr) {
    const cue::load::LoadResult& loaded = analysis->program().loaded(0);
    if (loaded.main_module)
      folders.add(workspace.files(), loaded.module_root, split(loaded.main_module->path).first, "", "this module", '0');
    // Of other modules those that the package uses already: they are here.
    std::set<std::string> modules;
    for (const cue::load::Package& package : loaded.packages) {
      if (package.module.version.empty() || package.file_system == nullptr ||
          !modules.insert(package.module.path).second)
        continue;
      if (package.file_system == &builtin::catalog_files()) continue;
      auto [path, version] = split(package.module.path);
      folders.add(*package.file_system, package.root, path, version, package.module.path + " " + package.module.version,
                  '1');
    }
  }
  for (const builtin::CatalogModule& module : builtin::catalog_modules()) {
    auto [path, version] = split(module.path);
    folders.add(builtin::catalog_files(), std::string(module.root), path, version, "the catalog of opm", '2');
  }
  for (std::string_view standard : cue::standard::standard_paths()) {
    std::string path(standard);
    if (known.insert(path).second) items.push_back({CompletionItem::Kind::module, path, path, "CUE", "", '3'});
  }
  return items;
}

}  // namespace opm::lsp
