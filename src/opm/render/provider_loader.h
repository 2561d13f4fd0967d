// Phase 1: the provider that was asked for, with what each of its transformers requires.
#pragma once

#include <expected>
#include <vector>

#include "opm/model/provider.h"
#include "opm/render/config_loader.h"

namespace opm::render {

struct LoadedProvider {
  model::Provider provider;
  Place transformers;  // the map of them
};

std::expected<LoadedProvider, std::vector<Problem>> load_provider(const Loaded& loaded, const RenderOptions& options);

}  // namespace opm::render
