#include "opm/render/module_loader.h"

#include "opm/render/problems.h"

namespace opm::render {

std::expected<LoadedModule, std::vector<Problem>> load_module(const Loaded& loaded, const RenderOptions& options) {
  LoadedModule module;
  module.value = loaded.context->instance(loaded.module_instance);
  cue::Value metadata = module.value.field("metadata");
  if (metadata.exists()) module.metadata = model::read_module_metadata(metadata);
  std::vector<Problem> problems;
  if (cue::Value providers = module.value.field("providers"); providers.exists()) {
    Problem problem = make_problem(ProblemKind::invalid, "providers-in-module", "a module declares no providers",
                                   "configure them in config.providers of ~/.opm/config.cue");
    problem.diagnostic.path = "providers";
    problem.diagnostic.positions = providers.positions();
    problems.push_back(std::move(problem));
    return std::unexpected(std::move(problems));
  }
  if (!options.namespace_name && options.fallback_namespace.empty() && module.metadata.default_namespace.empty() &&
      !(metadata.exists() && metadata.field("defaultNamespace").exists())) {
    Problem problem = make_problem(ProblemKind::general, "namespace-required",
                                   "namespace required. Provide --namespace flag or set metadata.defaultNamespace in module.");
    if (metadata.exists()) problem.diagnostic.positions = metadata.positions();
    problems.push_back(std::move(problem));
    return std::unexpected(std::move(problems));
  }
  return module;
}

}  // namespace opm::render
