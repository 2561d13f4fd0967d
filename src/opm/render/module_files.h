// Which files a module is loaded from: its own, the release file beside them, and the values that the user adds.
#pragma once

#include <expected>
#include <vector>

#include "cue/value.h"
#include "opm/render/options.h"
#include "opm/render/result.h"

namespace opm::render {

std::expected<cue::LoadRequest, std::vector<Problem>> module_request(const RenderOptions& options);

}  // namespace opm::render
