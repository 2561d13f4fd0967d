// The catalog that travels inside opm: the CUE modules below catalog/, each at the one version that this opm has. With
// them a module can be written and rendered with no registry and no network.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "cue/module/source.h"

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

// The catalog as a source of modules.
class CatalogSource : public cue::module::ModuleSource {
 public:
  enum class Versions : std::uint8_t {
    exact,     // other versions may be had from elsewhere
    up_to_it,  // there is nowhere else: our version stands in for all that are older, and newer ones are an error
  };
  explicit CatalogSource(Versions versions) : versions_(versions) {}

  std::string name() const override { return "the modules built into opm"; }
  bool has_at_hand(const cue::module::ModuleVersion& module) const override;
  std::expected<std::optional<std::string>, cue::module::ModuleError> module_file(
      const cue::module::ModuleVersion& module) override;
  std::expected<std::optional<cue::module::ModuleTree>, cue::module::ModuleError> content(
      const cue::module::ModuleVersion& module) override;
  std::expected<std::vector<std::string>, cue::module::ModuleError> versions(std::string_view module_path) override;

 private:
  // The module that answers for that version; nullptr: none of ours.
  std::expected<const CatalogModule*, cue::module::ModuleError> find(const cue::module::ModuleVersion& module) const;

  Versions versions_;
};

}  // namespace opm::builtin
