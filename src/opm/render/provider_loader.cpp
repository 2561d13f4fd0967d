#include "opm/render/provider_loader.h"

#include <fmt/core.h>

#include "base/joined.h"
#include "cue/inspection.h"
#include "opm/builtin/catalog_image.h"
#include "opm/model/stored_provider.h"
#include "opm/render/problems.h"

namespace opm::render {

namespace {

// The catalog's was read when opm was built. Nothing: its transformers are not found where they were then.
std::optional<LoadedProvider> load_builtin_provider(const Loaded& loaded) {
  model::StoredProvider stored = model::restore_provider(builtin::stored_provider());
  LoadedProvider result;
  result.provider = std::move(stored.provider);
  result.transformers = {loaded.config_instance, cue::Path::parse(kBuiltinProvider).value().child("transformers")};
  for (const std::vector<model::ImportedField>& fields : stored.definitions) {
    std::vector<cue::PackageField>& definition = result.definitions.emplace_back();
    for (const model::ImportedField& field : fields) {
      auto found = cue::imported_field(*loaded.program, loaded.config_instance, field.import_path, field.name);
      if (!found) return std::nullopt;
      definition.push_back(*found);
    }
  }
  return result;
}

}  // namespace

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
  if (loaded.has_builtin_provider) {
    if (auto provider = load_builtin_provider(loaded)) return std::move(*provider);
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

cue::Value LoadedProvider::transformer(const Loaded& loaded, std::size_t index) const {
  const cue::Value& known = provider.transformers[index].value;
  return known.valid() ? known : transformer(*loaded.context, index);
}

}  // namespace opm::render
