// Phase 3: the release, which CUE makes of a module and its values. Here it is evaluated, checked and read.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "opm/model/environment.h"
#include "opm/model/release.h"
#include "opm/render/component_evaluation.h"
#include "opm/render/config_loader.h"
#include "opm/render/module_loader.h"
#include "opm/render/provider_loader.h"
#include "opm/render/secret_finder.h"

namespace opm::render {

// Values as somebody wrote them.
struct NamedValues {
  std::string name;  // who: "environment \"prod\""
  cue::Value value;
};

struct BuiltRelease {
  cue::Value value;
  model::ReleaseMetadata metadata;
  std::vector<model::Component> components;  // those without errors, in the order of the release
  std::unique_ptr<cue::Frozen> frozen;       // has those that are frozen already
  bool are_together = false;                 // some of those are frozen as one (see EvaluatedComponents)
  // Where the secrets of components stand, if that was asked and is known without evaluating them once more.
  std::optional<std::set<diag::Position>> secret_places;
  // What transformers are told of the release; by name, "#name" is a definition.
  std::vector<std::pair<std::string, data::Value>> context;
  std::optional<model::Environment> environment;  // that it is rendered for
  std::vector<NamedValues> declared;  // of a release that is declared in a package, the later ones win
  std::vector<Problem> problems;
  bool usable = false;  // problems, if any, are of single components: the others can be rendered
};

std::vector<cue::Value> component_values(const BuiltRelease& release);

// What the release file makes of a module. With several threads components are evaluated at the same time.
BuiltRelease build_release(const RenderOptions& options, const Loaded& loaded, const LoadedProvider& provider,
                           const LoadedModule& module);

// Freezes each component by itself, for those who are to tell where a part of one is written.
void take_apart(BuiltRelease& release, const RenderOptions& options, const Loaded& loaded, const LoadedProvider& provider);

// What is to be told of a release that is evaluated: `errors` are what is wrong with it, their paths below it.
// `scope`: the values that it runs with; `evaluated`: its components, when they are evaluated elsewhere.
BuiltRelease read_release(cue::Value value, cue::Diagnostics errors, const ValuesScope& scope,
                          std::optional<EvaluatedComponents> evaluated = {});

}  // namespace opm::render
