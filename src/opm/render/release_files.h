// Which files releases are loaded from: the package that has them as fields, and that of the platforms, the folder .opm
// beside it or above. The release package refers to `platforms` without importing them, so a virtual file beside its
// own declares the field.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cue/value.h"
#include "opm/render/options.h"
#include "opm/render/result.h"

namespace opm::render {

inline constexpr std::string_view kPlatformsFolder = ".opm";
inline constexpr std::string_view kPlatformsFile = "_opm_platforms.cue";
inline constexpr std::string_view kPlatformsField = "platforms";

struct ReleaseFiles {
  std::vector<cue::LoadRequest> requests;  // the package and, if there is a folder of platforms, that
  std::string platforms_folder;            // absolute; empty: there is none
};

// The folder of platforms that is nearest to RenderOptions::module_directory; nothing: there is none.
struct PlatformFiles {
  cue::LoadRequest request;
  std::string folder;  // absolute
};
std::optional<PlatformFiles> platform_files(const RenderOptions& options);

// RenderOptions::module_directory is the folder of the package.
std::expected<ReleaseFiles, std::vector<Problem>> release_files(const RenderOptions& options);

}  // namespace opm::render
