// Evaluates the components of a release in several threads, each in a context of its own. Components see the module and
// its values, not each other's evaluation, so that nothing is lost but what they share, which each context evaluates anew.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "opm/model/release.h"
#include "opm/render/config_loader.h"

namespace opm::render {

struct EvaluatedComponents {
  std::vector<std::unique_ptr<cue::Context>> contexts;  // where the values live that are not the main context's
  std::unique_ptr<cue::Frozen> frozen;                  // what all of them are frozen into
  std::vector<model::Component> components;             // in the order of the release
};

// `release`: its value in the context that everything was loaded in. Nothing: too few components to be worth it, or
// something is wrong, which is told best by evaluating the release as a whole.
std::optional<EvaluatedComponents> evaluate_components(const Loaded& loaded, const cue::Value& release, unsigned threads);

}  // namespace opm::render
