// The catalog that travels inside opm: the CUE modules below catalog/, each at the one version that this opm has. With
// them a module can be written and rendered with no registry and no network.
#pragma once

#include <expected>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "cue/module/resolver.h"
#include "diag/source.h"

namespace opm::builtin {

// What every module of the catalog has.
std::string_view catalog_version();

struct CatalogModule {
  std::string_view path;  // "opmodel.dev/core@v0"
  std::string_view root;  // its folder in catalog_files()
};

// Sorted by path.
std::span<const CatalogModule> catalog_modules();
// The module of that path ("opmodel.dev/core@v0"); nullptr: not in the catalog.
const CatalogModule* find_catalog_module(std::string_view path);
const base::FileSystem& catalog_files();

// Answers for the modules of the catalog and for no other.
class CatalogResolver : public cue::module::ModuleResolver {
 public:
  std::expected<std::optional<cue::module::ModuleVersion>, std::string> selected(std::string_view module_path) override;
  std::expected<std::string, std::string> default_major_version(const cue::module::ModuleVersion& importer,
                                                                std::string_view module_base_path) override;
  std::expected<const cue::module::ModuleContent*, std::string> fetch(const cue::module::ModuleVersion& module) override;

 private:
  diag::SourceMap sources_;
  std::map<std::string, cue::module::ModuleContent> contents_;  // by module path
};

}  // namespace opm::builtin
