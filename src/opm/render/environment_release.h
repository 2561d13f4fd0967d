// A release in one of its environments: the environment's values are merged over the release's own, its namespace and
// platform take their place, and the release is evaluated with that.
#pragma once

#include <vector>

#include "opm/model/environment.h"
#include "opm/render/release_builder.h"

namespace opm::render {

// What is wrong with the release before any environment is selected: its own values, and those of all its
// environments, against the types of the module's #config. Fields that are missing or unknown only show after the merge.
std::vector<Problem> check_declaration(const model::ReleaseDeclaration& release);

// `environment`: null for a release that has none.
BuiltRelease build_environment_release(const model::ReleaseDeclaration& release, const model::Environment* environment);

}  // namespace opm::render
