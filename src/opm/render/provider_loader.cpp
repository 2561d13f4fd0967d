#include "opm/render/provider_loader.h"

#include <fmt/core.h>

#include "base/joined.h"
#include "opm/render/problems.h"

namespace opm::render {

std::expected<LoadedProvider, std::vector<Problem>> load_provider(const Loaded& loaded, const RenderOptions& options) {
  std::vector<Problem> problems;
  const config::Configuration& configuration = *options.configuration;
  const config::Provider* known = configuration.find_provider(options.provider);
  if (known == nullptr) {
    std::vector<std::string> names;
    for (const config::Provider& candidate : configuration.providers) names.push_back(candidate.name);
    std::string where = configuration.file.value.empty() ? "opm without a configuration" : configuration.file.value;
    problems.push_back(make_problem(ProblemKind::not_found, "provider-not-found",
                                    fmt::format("provider \"{}\" not found", options.provider),
                                    fmt::format("{} has {}", where, base::joined(names, ", "))));
    return std::unexpected(std::move(problems));
  }
  std::string_view path = loaded.has_builtin_provider ? kBuiltinProvider : std::string_view(known->path);
  Place place{loaded.config_instance, cue::Path::parse(path).value_or(cue::Path{})};
  cue::Value value = place.in(*loaded.context);
  if (!value.exists() || (value.shallow_fields().empty() && value.kind() != cue::kinds::structure)) {
    if (value.exists()) append_problems(problems, value.errors());
    if (problems.empty()) {
      problems.push_back(make_problem(ProblemKind::invalid, "invalid-provider",
                                      fmt::format("provider \"{}\" is no struct", options.provider)));
      if (value.exists()) problems.back().diagnostic.positions = value.positions();
    }
    return std::unexpected(std::move(problems));
  }
  auto provider = model::read_provider(value);
  if (!provider) {
    append_problems(problems, provider.error());
    for (Problem& problem : problems) {
      problem.diagnostic.message = fmt::format("provider \"{}\": {}", options.provider, problem.diagnostic.message);
    }
    return std::unexpected(std::move(problems));
  }
  LoadedProvider result;
  result.provider = std::move(*provider);
  if (result.provider.name.empty()) result.provider.name = options.provider;
  result.transformers = {loaded.config_instance, place.path.child("transformers")};
  for (const model::Transformer& transformer : result.provider.transformers)
    result.definitions.push_back(transformer.value.package_fields());
  return result;
}

cue::Value LoadedProvider::transformer(cue::Context& context, std::size_t index) const {
  if (definitions[index].empty()) return transformers.in(context).field(provider.transformers[index].fqn);
  cue::Value value;
  for (const cue::PackageField& field : definitions[index]) value = value.unify(context.package_field(field));
  return value;
}

}  // namespace opm::render
