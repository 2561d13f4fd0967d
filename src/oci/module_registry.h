// Modules in registries: which registry and repository a module is in, how a module is laid
// out there (an image with an archive and a module file), and publishing.
#pragma once

#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cue/module/cache.h"
#include "cue/module/registry_map.h"
#include "cue/module/source.h"
#include "oci/registry.h"

namespace opm::oci {

using cue::module::ModuleVersion;

struct Publication {
  ModuleVersion module;
  std::string archive;
  std::string module_file;
  std::map<std::string, std::string> annotations;  // about where it comes from
};

// Any number of threads may use it.
class ModuleRegistry {
 public:
  ModuleRegistry(cue::module::RegistryMap map, const RegistryServices& services);

  // Nothing: nobody has that version.
  std::expected<std::optional<std::string>, ModuleError> module_file(const ModuleVersion& module);
  std::expected<std::optional<std::string>, ModuleError> archive(const ModuleVersion& module);
  // `module_path` is "host/name" or "host/name@vN".
  std::expected<std::vector<std::string>, ModuleError> versions(std::string_view module_path);

  // Where it went.
  std::expected<cue::module::RegistryLocation, ModuleError> publish(const Publication& publication);
  // The digest of what the version's tag points to; nothing: it is not there.
  std::expected<std::optional<std::string>, ModuleError> published_digest(const ModuleVersion& module);

  const cue::module::RegistryMap& map() const { return map_; }

 private:
  struct Layers {
    Descriptor archive, module_file;
    std::string repository;
    Registry* registry = nullptr;
  };

  Registry& registry(const cue::module::RegistryHost& host);
  std::expected<std::optional<Layers>, ModuleError> layers(const ModuleVersion& module);
  std::expected<std::optional<Layers>, ModuleError> ask_for_layers(const ModuleVersion& module);

  cue::module::RegistryMap map_;
  RegistryServices services_;
  std::mutex mutex_;
  std::map<cue::module::RegistryHost, std::unique_ptr<Registry>> registries_;
  std::map<ModuleVersion, std::optional<Layers>> known_;
};

// The manifest of a module, byte for byte as `cue` writes it.
std::string write_manifest(const Publication& publication);

// A registry as a source of modules: what it is asked for goes into the cache.
class RegistrySource : public cue::module::ModuleSource {
 public:
  RegistrySource(ModuleRegistry& registry, const cue::module::ModuleCache& cache, std::string name)
      : registry_(registry), cache_(cache), name_(std::move(name)) {}

  std::string name() const override { return name_; }
  bool is_remote() const override { return true; }
  std::expected<std::optional<std::string>, ModuleError> module_file(const ModuleVersion& module) override;
  std::expected<std::optional<cue::module::ModuleTree>, ModuleError> content(const ModuleVersion& module) override;
  std::expected<std::vector<std::string>, ModuleError> versions(std::string_view module_path) override;

 private:
  // An error where no registry is set for the module at all.
  std::expected<void, ModuleError> check_place(const ModuleVersion& module) const;

  ModuleRegistry& registry_;
  const cue::module::ModuleCache& cache_;
  std::string name_;
};

}  // namespace opm::oci
