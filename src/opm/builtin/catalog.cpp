#include "opm/builtin/catalog.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/embedded_files.h"
#include "cue/module/import_path.h"
#include "cue/module/version.h"
#include "opm/builtin/catalog_image.h"

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

class CatalogFiles : public base::EmbeddedFiles, public cue::compile::CompiledFiles {
 public:
  CatalogFiles() : EmbeddedFiles(opm_catalog) {}
  const cue::compile::PackageImage* image() const override { return catalog_image(); }
};

}  // namespace

std::string_view catalog_version() { return OPM_CATALOG_VERSION; }

std::span<const CatalogModule> catalog_modules() { return kModules; }

const CatalogModule* find_catalog_module(std::string_view path) {
  const auto* found = std::ranges::find(kModules, path, &CatalogModule::path);
  return found == std::end(kModules) ? nullptr : found;
}

const base::FileSystem& catalog_files() {
  static const CatalogFiles files;
  return files;
}

std::expected<const CatalogModule*, module::ModuleError> CatalogSource::find(
    const module::ModuleVersion& wanted) const {
  const CatalogModule* known = find_catalog_module(wanted.path);
  if (known == nullptr || wanted.version == catalog_version()) return known;
  if (versions_ == Versions::exact) return nullptr;
  if (module::compare_versions(wanted.version, catalog_version()) < 0) return known;
  return std::unexpected(module::ModuleError{
      module::ModuleErrorKind::not_found,
      fmt::format("opm has {} built in, which is older, and no registry is set to get it from", catalog_version())});
}

bool CatalogSource::has_at_hand(const module::ModuleVersion& wanted) const {
  auto known = find(wanted);
  return !known || *known != nullptr;
}

std::expected<std::optional<std::string>, module::ModuleError> CatalogSource::module_file(
    const module::ModuleVersion& wanted) {
  auto known = find(wanted);
  if (!known) return std::unexpected(std::move(known.error()));
  if (*known == nullptr) return std::nullopt;
  auto text = catalog_files().read_file(std::string((*known)->root) + "/cue.mod/module.cue");
  if (!text) return std::unexpected(module::ModuleError{module::ModuleErrorKind::invalid, text.error().message});
  return std::move(*text);
}

std::expected<std::optional<module::ModuleTree>, module::ModuleError> CatalogSource::content(
    const module::ModuleVersion& wanted) {
  auto known = find(wanted);
  if (!known) return std::unexpected(std::move(known.error()));
  if (*known == nullptr) return std::nullopt;
  module::ModuleVersion ours{wanted.path, std::string(catalog_version())};
  return module::ModuleTree{&catalog_files(), std::string((*known)->root), ours.text(), stored_module_file(wanted.path)};
}

std::expected<std::vector<std::string>, module::ModuleError> CatalogSource::versions(std::string_view module_path) {
  std::string path(module_path);
  if (module::split_version(module_path).second.empty()) path += "@" + std::string(kMajorVersion);
  if (find_catalog_module(path) == nullptr) return std::vector<std::string>();
  return std::vector<std::string>{std::string(catalog_version())};
}

}  // namespace opm::builtin
