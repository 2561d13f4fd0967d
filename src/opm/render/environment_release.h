// A release in one of its environments: the environment's values are merged over the release's own, its namespace and
// platform take their place, and the release is evaluated with that.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "opm/model/environment.h"
#include "opm/render/release_builder.h"
#include "opm/render/release_values.h"
#include "opm/values/read.h"

namespace opm::render {

// The values of the release and of each environment, each by itself, against the types of the module's #config.
std::vector<ValuesScope> declared_values(const model::ReleaseDeclaration& release);
// What is wrong with those before any environment is selected. Fields that are missing or unknown only show after the merge.
std::vector<Problem> check_values(std::span<const ValuesScope> declared);

// The values of the author of the release's module, for those who override them: none where there is no values.cue.
values::Reading author_values(const model::ReleaseDeclaration& release);

// In all values, components, and documents with further values of the release.
FoundSecrets find_secrets(const model::ReleaseDeclaration& release, std::vector<ValuesScope> declared,
                          const std::vector<data::Value>& documents, std::span<const cue::Value> components);

// `environment`: null for a release that has none. `values`: in place of what the two say; nothing: what they say.
BuiltRelease build_environment_release(const model::ReleaseDeclaration& release, ReleaseValues& own,
                                       const model::Environment* environment, const std::optional<data::Value>& values = {});

// What an environment puts in the release's place.
struct EnvironmentInput {
  data::Value values;          // that count in it, all of them
  Constraints unsettled;       // of the values; one of several that are evaluated together has none
  cue::Diagnostics broken;     // likewise
  data::Value namespace_name;  // null: it has none
  data::Value declared;        // the environment itself; null: it is no data
  data::Value key;             // null: there is no environment
  data::Value offered;         // by its platform; null: nothing
};
// `environment` and `values` as above.
EnvironmentInput environment_input(ReleaseValues& own, const model::Environment* environment,
                                   const std::optional<data::Value>& values);
// Whether two environments differ in numbers and texts only.
bool is_alike(const EnvironmentInput& a, const EnvironmentInput& b);

// A release in several environments that are alike, each of them one world of the release's context.
struct SharedRelease {
  cue::Value value;
  std::vector<model::Component> components;
  std::vector<model::ReleaseMetadata> metadata;  // by world
};
// Nothing: something is wrong in one of them. Worlds that the context dropped have to be built without the others.
std::optional<SharedRelease> build_shared_release(const model::ReleaseDeclaration& release,
                                                  std::span<const EnvironmentInput* const> inputs);

}  // namespace opm::render
