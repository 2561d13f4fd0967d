#include "opm/builtin/catalog.h"

#include <algorithm>

#include "base/embedded_files.h"

extern "C" const unsigned char opm_catalog[];

namespace opm::builtin {
namespace {

namespace module = cue::module;

constexpr std::string_view kMajorVersion = "v0";

constexpr CatalogModule kModules[] = {
    {"opmodel.dev/blueprints@v0", "/blueprints"},
    {"opmodel.dev/core@v0", "/core"},
    {"opmodel.dev/policies@v0", "/policies"},
    {"opmodel.dev/providers@v0", "/providers"},
    {"opmodel.dev/resources@v0", "/resources"},
    {"opmodel.dev/schemas/kubernetes@v0", "/schemas_kubernetes"},
    {"opmodel.dev/schemas@v0", "/schemas"},
    {"opmodel.dev/traits@v0", "/traits"},
};

}  // namespace

std::string_view catalog_version() { return OPM_CATALOG_VERSION; }

std::span<const CatalogModule> catalog_modules() { return kModules; }

const CatalogModule* find_catalog_module(std::string_view path) {
  const auto* found = std::ranges::find(kModules, path, &CatalogModule::path);
  return found == std::end(kModules) ? nullptr : found;
}

const base::FileSystem& catalog_files() {
  static const base::EmbeddedFiles files(opm_catalog);
  return files;
}

std::expected<std::optional<module::ModuleVersion>, std::string> CatalogResolver::selected(
    std::string_view module_path) {
  if (find_catalog_module(module_path) == nullptr) return std::nullopt;
  return module::ModuleVersion{std::string(module_path), std::string(catalog_version())};
}

std::expected<std::string, std::string> CatalogResolver::default_major_version(const module::ModuleVersion&,
                                                                               std::string_view module_base_path) {
  std::string path = std::string(module_base_path) + "@" + std::string(kMajorVersion);
  return find_catalog_module(path) == nullptr ? std::string() : std::string(kMajorVersion);
}

std::expected<const module::ModuleContent*, std::string> CatalogResolver::fetch(const module::ModuleVersion& wanted) {
  const CatalogModule* known = find_catalog_module(wanted.path);
  if (known == nullptr || wanted.version != catalog_version()) return std::unexpected("not built into opm");
  if (auto at = contents_.find(wanted.path); at != contents_.end()) return &at->second;
  module::ModuleContent content;
  content.files = &catalog_files();
  content.root = known->root;
  content.display_root = wanted.text();
  auto text = content.files->read_file(content.root + "/cue.mod/module.cue");
  if (!text) return std::unexpected(text.error().message);
  const diag::Source* source = sources_.add(content.display_root + "/cue.mod/module.cue", std::move(*text));
  auto file = module::read_module_file(*source, module::Strictness::strict);
  if (!file) return std::unexpected(file.error().front().message);
  content.file = std::move(*file);
  return &contents_.emplace(wanted.path, std::move(content)).first->second;
}

}  // namespace opm::builtin
