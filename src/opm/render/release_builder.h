// Phase 3: the release, which CUE makes of the module and its values in the release file. Here it is evaluated, checked
// and read.
#pragma once

#include <memory>
#include <vector>

#include "opm/model/release.h"
#include "opm/render/config_loader.h"
#include "opm/render/module_loader.h"

namespace opm::render {

struct BuiltRelease {
  cue::Value value;
  model::ReleaseMetadata metadata;
  std::vector<model::Component> components;  // those without errors, in the order of the release
  std::vector<std::unique_ptr<cue::Context>> contexts;  // where some of their values live
  // What transformers are told of the release; by name, "#name" is a definition.
  std::vector<std::pair<std::string, data::Value>> context;
  std::vector<Problem> problems;
  bool usable = false;  // problems, if any, are of single components: the others can be rendered
};

// With several threads components are evaluated at the same time.
BuiltRelease build_release(const Loaded& loaded, const LoadedModule& module, unsigned threads);

}  // namespace opm::render
