// Evaluates the components of a release in contexts that are given up as soon as what is needed of their components is
// known, so that a large module takes little more memory than a small one; in several threads, if there are enough of
// them. Components see the module and its values, not each other's evaluation, so that nothing is lost but what they
// share, which each context evaluates anew. Components that are written alike, but for texts and numbers, are evaluated
// together and frozen as one.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "opm/model/release.h"
#include "opm/render/config_loader.h"
#include "opm/render/provider_loader.h"
#include "opm/render/secret_keepers.h"

namespace opm::render {

struct EvaluatedComponents {
  bool are_together = false;  // some are frozen as one: their parts are said to be written where those of the first are
  // In the order of the release. Their values are those of the release, where they are not evaluated yet: few need them.
  std::vector<model::Component> components;
  std::vector<SecretUses> secret_uses;  // by component
  std::unique_ptr<cue::Frozen> frozen;  // what the components are frozen into
  std::optional<std::set<diag::Position>> secret_places;  // of all of them; if options ask for them
};

// `release`: its value in the context that everything was loaded in. Nothing: too few components to be worth it, or
// something is wrong, which is told best by evaluating the release as a whole. `together`: whether several may be frozen as
// one; not for those who are to tell where a part of a component is written.
std::optional<EvaluatedComponents> evaluate_components(const RenderOptions& options, const Loaded& loaded,
                                                       const LoadedProvider& provider, const cue::Value& release, bool together);

}  // namespace opm::render
