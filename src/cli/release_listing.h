// Releases, their environments and platforms as tables for people and as JSON for programs.
#pragma once

#include <string>

#include "cli/session.h"
#include "opm/render/environments.h"

namespace opm::cli {

std::string releases_table(const render::ReleaseList& list);
std::string releases_json(const render::ReleaseList& list);

// Of one release, or of all when none is named.
std::string environments_table(const render::ReleaseList& list, const std::string& release);
std::string environments_json(const render::ReleaseList& list, const std::string& release);

// Files are shown from the working directory.
std::string platforms_table(const render::ReleaseList& list, const std::string& working_directory);
std::string platforms_json(const render::ReleaseList& list);

}  // namespace opm::cli
