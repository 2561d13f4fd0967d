#include "cue/module/build_list.h"

#include "cue/module/version.h"

namespace opm::cue::module {

BuildList::BuildList(const std::string& main_path, const std::vector<ModuleVersion>& roots) : main_path_(main_path) {
  for (const ModuleVersion& root : roots) require(root);
}

void BuildList::require(const ModuleVersion& module) {
  if (module.path == main_path_) return;
  auto [entry, is_new] = versions_.try_emplace(module.path, module.version);
  if (!is_new && compare_versions(entry->second, module.version) < 0) entry->second = module.version;
}

std::expected<BuildList, ModuleError> BuildList::expand(const std::string& main_path,
                                                        const std::vector<ModuleVersion>& roots,
                                                        ModuleSources& sources) {
  BuildList list(main_path, roots);
  sources.prepare_files(roots);
  for (const ModuleVersion& root : roots) {
    auto file = sources.module_file(root);
    if (!file) {
      ModuleError error = std::move(file.error());
      error.message = root.text() + ": " + error.message;
      return std::unexpected(std::move(error));
    }
    for (const Dependency& dependency : (*file)->dependencies) list.require(dependency.module);
  }
  return list;
}

std::optional<std::string> BuildList::selected(std::string_view module_path) const {
  if (module_path == main_path_) return std::string();
  auto found = versions_.find(module_path);
  if (found == versions_.end()) return std::nullopt;
  return found->second;
}

std::vector<ModuleVersion> BuildList::modules() const {
  std::vector<ModuleVersion> all;
  all.reserve(versions_.size());
  for (const auto& [path, version] : versions_) all.push_back({path, version});
  return all;
}

void BuildListResolver::begin(const ModuleFile& main_module) {
  main_path_ = main_module.path;
  roots_.clear();
  for (const Dependency& dependency : main_module.dependencies)
    if (!dependency.module.version.empty()) roots_.push_back(dependency.module);
  listed_ = BuildList(main_path_, roots_);
  expanded_.reset();
}

std::expected<std::optional<ModuleVersion>, ModuleError> BuildListResolver::selected(std::string_view module_path,
                                                                                     Scope scope) {
  const BuildList* list = &listed_;
  if (scope == Scope::build_list) {
    if (!expanded_) expanded_ = BuildList::expand(main_path_, roots_, sources_);
    if (!*expanded_) {
      ModuleError error = expanded_->error();
      error.message = "cannot expand module graph: " + error.message;
      return std::unexpected(std::move(error));
    }
    list = &**expanded_;
  }
  auto version = list->selected(module_path);
  if (!version) return std::nullopt;
  return ModuleVersion{std::string(module_path), std::move(*version)};
}

std::expected<std::string, ModuleError> BuildListResolver::default_major_version(const ModuleVersion& importer,
                                                                                 std::string_view module_base_path) {
  // It was given out, so its content is there, and with it its file.
  auto content = sources_.content(importer);
  if (!content) return std::unexpected(std::move(content.error()));
  return std::string((*content)->file.default_major_version(module_base_path));
}

}  // namespace opm::cue::module
