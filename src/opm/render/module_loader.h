// Phase 2: the module as its author wrote it, and whether a release can be made of it.
#pragma once

#include <expected>
#include <vector>

#include "opm/model/release.h"
#include "opm/render/config_loader.h"

namespace opm::render {

struct LoadedModule {
  cue::Value value;
  model::ModuleMetadata metadata;
};

std::expected<LoadedModule, std::vector<Problem>> load_module(const Loaded& loaded, const RenderOptions& options);

}  // namespace opm::render
