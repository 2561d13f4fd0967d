#include "cue/module/update.h"

#include <algorithm>

#include "cue/module/build_list.h"
#include "cue/module/import_path.h"
#include "cue/module/version.h"
#include "cue/syntax/literal.h"

namespace opm::cue::module {
namespace {

std::unexpected<ModuleError> fail(ModuleErrorKind kind, std::string message) {
  return std::unexpected(ModuleError{kind, std::move(message)});
}

}  // namespace

std::string latest_version(std::span<const std::string> versions) {
  std::string latest;
  for (const std::string& version : versions) {
    if (latest.empty()) {
      latest = version;
      continue;
    }
    bool is_release = prerelease_of(version).empty();
    bool has_release = prerelease_of(latest).empty();
    if (is_release == has_release ? compare_versions(version, latest) > 0 : is_release) latest = version;
  }
  return latest;
}

std::expected<ModuleVersion, ModuleError> find_version(std::string_view wish, const ModuleFile& file,
                                                       ModuleSources& sources) {
  auto [base, version] = split_version(wish);
  if (auto problem = check_module_path(base)) return fail(ModuleErrorKind::invalid, *problem);
  if (is_version(version) && canonical_version(version) == version)
    return ModuleVersion{std::string(base) + "@" + std::string(major_version(version)), std::string(version)};
  std::string prefix;  // of the versions that will do
  if (version.empty()) {
    for (const Dependency& dependency : file.dependencies)
      if (dependency.is_default && dependency.module.base_path() == base)
        prefix = std::string(split_version(dependency.module.path).second) + ".";
  } else if (version != "latest") {
    if (!is_version(version) || version.find_first_of("-+") != std::string_view::npos)
      return fail(ModuleErrorKind::invalid,
                  syntax::quote(wish) + " does not specify a valid semantic version; say for example " +
                      std::string(base) + "@v1.2.3, @v1 or @latest");
    prefix = std::string(version) + ".";
  }
  auto versions = sources.versions(base);
  if (!versions) return std::unexpected(std::move(versions.error()));
  std::erase_if(*versions, [&](const std::string& candidate) { return !candidate.starts_with(prefix); });
  std::string found = latest_version(*versions);
  if (found.empty())
    return fail(ModuleErrorKind::not_found, "no versions found for module " + std::string(wish));
  return ModuleVersion{std::string(base) + "@" + std::string(major_version(found)), found};
}

std::expected<ModuleFile, ModuleError> update_versions(const ModuleFile& file,
                                                       const std::vector<ModuleVersion>& wanted,
                                                       ModuleSources& sources) {
  auto wish_for = [&](const std::string& path) {
    return std::ranges::find(wanted, path, &ModuleVersion::path);
  };
  for (const ModuleVersion& module : wanted) {
    if (module.path == file.path) return fail(ModuleErrorKind::invalid, "cannot update version of main module");
    if (const ModuleVersion& first = *wish_for(module.path); first != module)
      return fail(ModuleErrorKind::invalid,
                  "conflicting version update requirements " + first.text() + " vs " + module.text());
  }
  std::vector<ModuleVersion> roots;
  for (const Dependency& dependency : file.dependencies)
    if (!dependency.module.version.empty()) roots.push_back(dependency.module);
  auto before = BuildList::expand(file.path, roots, sources);
  if (!before) return std::unexpected(std::move(before.error()));
  std::vector<ModuleVersion> changed = before->modules();
  std::erase_if(changed, [&](const ModuleVersion& module) { return wish_for(module.path) != wanted.end(); });
  changed.insert(changed.end(), wanted.begin(), wanted.end());
  std::ranges::sort(changed);
  changed.erase(std::ranges::unique(changed).begin(), changed.end());
  auto after = BuildList::expand(file.path, changed, sources);
  if (!after) return std::unexpected(std::move(after.error()));
  for (const ModuleVersion& module : wanted) {
    std::string selected = after->selected(module.path).value_or("");
    if (selected != module.version)
      return fail(ModuleErrorKind::invalid, "other requirements prevent changing module " + module.path +
                                                " to version " + module.version +
                                                " (actual selected version: " + selected + ")");
  }
  ModuleFile result = file;
  result.dependencies.clear();
  for (ModuleVersion& module : after->modules()) {
    Dependency dependency;
    for (const Dependency& old : file.dependencies)
      if (old.module.path == module.path) dependency = old;
    dependency.module = std::move(module);
    result.dependencies.push_back(std::move(dependency));
  }
  return result;
}

}  // namespace opm::cue::module
