// Which files a module is loaded from: its own, the release file beside them, and the values that the user adds.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "cue/value.h"
#include "opm/render/options.h"
#include "opm/render/result.h"

namespace opm::render {

inline constexpr std::string_view kValuesFile = "values.cue";

std::expected<cue::LoadRequest, std::vector<Problem>> module_request(const RenderOptions& options);

// As messages name a file: as seen from the working folder, "./values.cue".
std::string shown_file(const RenderOptions& options, const std::string& path);

}  // namespace opm::render
