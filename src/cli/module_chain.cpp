#include "cli/module_chain.h"

#include "cli/download_progress.h"
#include "cue/module/cache.h"
#include "oci/module_registry.h"
#include "opm/builtin/catalog.h"

namespace opm::cli {
namespace {

// Stands where a registry would. What a module asks for that nobody can be asked about is taken to ask for nothing: it is an
// error only if something imports it. So a module whose file lists what the published catalog needs works with ours.
class NoRegistry : public cue::module::ModuleSource {
 public:
  std::string name() const override { return "no registry"; }
  bool has_at_hand(const cue::module::ModuleVersion&) const override { return true; }
  std::expected<std::optional<std::string>, cue::module::ModuleError> module_file(
      const cue::module::ModuleVersion& wanted) override {
    return "module: \"" + wanted.path + "\"\nlanguage: version: \"v0.9.0\"\n";
  }
  std::expected<std::optional<cue::module::ModuleTree>, cue::module::ModuleError> content(
      const cue::module::ModuleVersion&) override {
    return std::unexpected(cue::module::ModuleError{cue::module::ModuleErrorKind::not_found,
                                                    "no registry is set to get it from"});
  }
  std::expected<std::vector<std::string>, cue::module::ModuleError> versions(std::string_view) override {
    return std::vector<std::string>();
  }
};

// Stands where a registry would, if only it were known which.
class WrongRegistry : public cue::module::ModuleSource {
 public:
  explicit WrongRegistry(std::string problem) : problem_{cue::module::ModuleErrorKind::invalid, std::move(problem)} {}
  std::string name() const override { return "no registry"; }
  std::expected<std::optional<std::string>, cue::module::ModuleError> module_file(
      const cue::module::ModuleVersion&) override {
    return std::unexpected(problem_);
  }
  std::expected<std::optional<cue::module::ModuleTree>, cue::module::ModuleError> content(
      const cue::module::ModuleVersion&) override {
    return std::unexpected(problem_);
  }
  std::expected<std::vector<std::string>, cue::module::ModuleError> versions(std::string_view) override {
    return std::unexpected(problem_);
  }

 private:
  cue::module::ModuleError problem_;
};

}  // namespace

struct ModuleChain::Network {
  std::unique_ptr<http::Client> client;
  std::unique_ptr<oci::CredentialStore> credentials;
  std::unique_ptr<DownloadProgress> progress;
  std::unique_ptr<oci::ModuleRegistry> registry;
};

ModuleChain::ModuleChain() = default;
ModuleChain::~ModuleChain() = default;

oci::ModuleRegistry* ModuleChain::registry() { return network_ ? network_->registry.get() : nullptr; }

std::expected<std::unique_ptr<ModuleChain>, std::string> ModuleChain::open(const Options& options) {
  using builtin::CatalogSource;
  const base::Environment& environment = base::real_environment();
  std::unique_ptr<ModuleChain> chain(new ModuleChain());
  std::optional<cue::module::RegistryMap> map;
  std::string problem;
  if (!options.registry.empty()) {
    auto parsed =
        cue::module::RegistryMap::parse(options.registry, cue::module::kCentralRegistry, base::real_file_system());
    if (!parsed && !options.lazily) return std::unexpected(parsed.error());
    if (!parsed) problem = parsed.error();
    else if (!parsed->hosts().empty()) map = std::move(*parsed);  // "none" is as good as nothing
  }
  bool has_registry = map.has_value();
  std::vector<std::shared_ptr<cue::module::ModuleSource>> sources;
  if (options.builtin)
    sources.push_back(std::make_shared<CatalogSource>(has_registry ? CatalogSource::Versions::exact
                                                                   : CatalogSource::Versions::up_to_it));
  auto folder = cue::module::cache_folder(environment);
  if (folder) {
    chain->cache_ = std::make_unique<cue::module::ModuleCache>(*folder);
    sources.push_back(std::make_shared<cue::module::CacheSource>(*chain->cache_));
  }
  if (has_registry) {
    if (!folder) return std::unexpected(folder.error());
    Network& network = *(chain->network_ = std::make_unique<Network>());
    network.client = http::make_client({.user_agent = "opm/" OPM_VERSION});
    network.credentials = std::make_unique<oci::CredentialStore>(environment, base::real_file_system());
    network.progress = std::make_unique<DownloadProgress>(options.err);
    network.registry = std::make_unique<oci::ModuleRegistry>(
        std::move(*map), oci::RegistryServices{*network.client, *network.credentials, base::real_clock(), {},
                                               network.progress->callback()});
    sources.push_back(
        std::make_shared<oci::RegistrySource>(*network.registry, *chain->cache_, "registry " + options.registry));
  } else if (!problem.empty()) {
    sources.push_back(std::make_shared<WrongRegistry>(std::move(problem)));
  } else {
    sources.push_back(std::make_shared<NoRegistry>());
  }
  chain->sources_ = std::make_unique<cue::module::ModuleSources>(std::move(sources));
  chain->resolver_ = std::make_unique<cue::module::BuildListResolver>(*chain->sources_);
  return chain;
}

}  // namespace opm::cli
