#include "opm/render/module_loader.h"

#include <algorithm>
#include <optional>

#include "opm/render/module_files.h"
#include "opm/render/problems.h"
#include "opm/values/read.h"

namespace opm::render {

namespace {

// A CUE file without a field `values` would join the module and set none.
std::vector<Problem> files_without_values(const Loaded& loaded, const LoadedModule& module, const RenderOptions& options) {
  std::vector<Problem> problems;
  const diag::SourceMap& sources = loaded.program->sources();
  std::optional<std::vector<diag::Position>> declared;  // to find that out is to evaluate the values
  for (const std::string& path : options.values_files) {
    if (!path.ends_with(".cue")) continue;
    std::string file = shown_file(options, path);
    if (!declared) declared = module.value.field(values::kValuesField).positions();
    auto is_there = [&](diag::Position position) { return sources.locate(position).file == file; };
    if (std::ranges::none_of(*declared, is_there)) problems.push_back({.diagnostic = values::no_values_field(file)});
  }
  return problems;
}

}  // namespace

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
  if (!options.namespace_name && options.fallback_namespace.empty() &&
      !(metadata.exists() && metadata.field("defaultNamespace").exists())) {
    Problem problem = make_problem(ProblemKind::general, "namespace-required",
                                   "namespace required. Provide --namespace flag or set metadata.defaultNamespace in module.");
    if (metadata.exists()) problem.diagnostic.positions = metadata.positions();
    problems.push_back(std::move(problem));
    return std::unexpected(std::move(problems));
  }
  problems = files_without_values(loaded, module, options);
  if (!problems.empty()) return std::unexpected(std::move(problems));
  return module;
}

}  // namespace opm::render
