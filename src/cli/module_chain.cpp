#include "cli/module_chain.h"

#include "opm/builtin/catalog.h"

namespace opm::cli {
namespace {

std::vector<std::shared_ptr<cue::module::ModuleSource>> chain(const ModuleChain::Options& options) {
  std::vector<std::shared_ptr<cue::module::ModuleSource>> sources;
  if (options.builtin)
    sources.push_back(std::make_shared<builtin::CatalogSource>(builtin::CatalogSource::Versions::up_to_it));
  return sources;
}

}  // namespace

ModuleChain::ModuleChain(const Options& options) : sources_(chain(options)), resolver_(sources_) {}

}  // namespace opm::cli
