// What one run of a transformer is given: a component, and the context that tells it of the release.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "opm/render/module_loader.h"
#include "opm/render/options.h"
#include "opm/render/provider_loader.h"
#include "opm/render/release_builder.h"

namespace opm::render {

struct Job {
  std::uint32_t component = 0;    // index into the release's components
  std::uint32_t transformer = 0;  // index into the provider's transformers
};

// What a job is given, frozen.
struct JobInput {
  cue::Frozen::Handle component = nullptr;
  cue::Frozen::Handle context = nullptr;          // as a dump has it
  cue::Frozen::Handle reduced_context = nullptr;  // the context with what is known of it for all components
  // Where that is frozen as one with other components': which of the worlds is meant, and how many there are.
  std::size_t world = 0;
  std::size_t worlds = 0;
};

// Fields of a #context by name; "#name" is a definition.
using ContextFields = std::vector<std::pair<std::string, data::Value>>;

// In the order of components, then transformers.
std::vector<Job> plan_jobs(const MatchPlan& plan);

// The fields that are the same for all components. Some catalogs know only some of them.
ContextFields release_context(const RenderOptions& options, const LoadedProvider& provider, const BuiltRelease& release);
// The one that is the component's, and what it is.
inline constexpr const char* kComponentField = "#componentMetadata";
data::Value component_metadata(const model::Component& component);
// A component as jobs are given it. `definitions`: those that they may look at ("#name", sorted), all others are neither frozen
// nor evaluated; null: all.
cue::Frozen::Handle freeze_component(cue::Frozen& frozen, const cue::Value& component,
                                     const std::vector<std::string>* definitions);

// What a transformer says of the #context it is given.
cue::Value declared_context(const cue::Value& transformer);
// The fields that it has a place for, sorted.
std::vector<std::string> context_fields(const cue::Value& declared);
// Where it is written, if transformers with the same declarations get the same context of a component.
std::optional<std::vector<cue::Declaration>> declarations_of_context(const cue::Value& declared);

}  // namespace opm::render
