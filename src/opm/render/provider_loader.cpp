#include "opm/render/provider_loader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggestion.h"
#include "opm/render/problems.h"

namespace opm::render {

std::expected<LoadedProvider, std::vector<Problem>> load_provider(const Loaded& loaded, const RenderOptions& options) {
  std::vector<Problem> problems;
  cue::Value providers = loaded.providers.in(*loaded.context);
  std::vector<std::string> known;
  if (providers.exists()) {
    for (const cue::Value::FieldEntry& entry : providers.fields()) known.push_back(entry.value.label());
  }
  cue::Value value = providers.exists() ? providers.field(options.provider) : cue::Value{};
  if (!value.exists()) {
    std::string advice = known.empty() ? fmt::format("{} has no providers", loaded.providers_file)
                                       : fmt::format("{} has {}", loaded.providers_file, fmt::join(known, ", "));
    problems.push_back(make_problem(ProblemKind::not_found, "provider-not-found",
                                    fmt::format("provider \"{}\" not found", options.provider), std::move(advice)));
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
  result.transformers.instance = loaded.providers.instance;
  result.transformers.path = loaded.providers.path.child(options.provider).child("transformers");
  return result;
}

}  // namespace opm::render
