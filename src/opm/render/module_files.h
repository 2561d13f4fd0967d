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

// What is wrong with the files that are to hold values, before they are read.
std::vector<Problem> values_file_problems(const RenderOptions& options);

// A file of a tier overrides the module or release and is no part of it, wherever it stands.
std::vector<std::string> files_of_tiers(const RenderOptions& options);
void leave_out_tiers(const RenderOptions& options, cue::load::LoadOptions& load);

// As messages name a file: as seen from the working folder, "./values.cue".
std::string shown_file(const RenderOptions& options, const std::string& path);

}  // namespace opm::render
