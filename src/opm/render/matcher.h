// Phase 4: which transformers run for which components, and why. A transformer matches when the component has all
// its required resources and traits, and labels that unify with all its required labels.
#pragma once

#include <vector>

#include "opm/model/provider.h"
#include "opm/model/release.h"
#include "opm/render/result.h"

namespace opm::render {

struct Match {
  MatchPlan plan;
  std::vector<Problem> errors;    // unmatched components, exact duplicates and, when strict, unhandled traits
  std::vector<Problem> warnings;  // unhandled traits otherwise
};

// `tells_all`: the plan says why of all transformers and components, not only of components that none matches.
Match match_components(const std::vector<model::Component>& components, const model::Provider& provider, bool strict, bool tells_all = true);

}  // namespace opm::render
