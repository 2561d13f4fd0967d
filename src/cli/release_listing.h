// Releases, their environments and platforms as tables for people and as JSON for programs.
#pragma once

#include <functional>
#include <string>

#include "cli/release_flags.h"
#include "cli/session.h"
#include "opm/render/environments.h"

namespace opm::cli {

// Of commands that only say what there is.
struct ListingFlags {
  RenderFlags folder;
  std::string output = "table";
};
void declare_listing_flags(const Command& command, ListingFlags& flags);

// Loads the list, and prints it or what is wrong with it. `print` is given the list and the working directory.
ExitCode print_listing(Session& session, const RenderFlags& flags, render::ReleaseList (*load)(const render::RenderOptions&),
                       const std::function<ExitCode(const render::ReleaseList&, const std::string&)>& print);

std::string releases_table(const render::ReleaseList& list);
std::string releases_json(const render::ReleaseList& list);

// Of one release, or of all when none is named.
std::string environments_table(const render::ReleaseList& list, const std::string& release);
std::string environments_json(const render::ReleaseList& list, const std::string& release);

// Files are shown from the working directory.
std::string platforms_table(const render::ReleaseList& list, const std::string& working_directory);
std::string platforms_json(const render::ReleaseList& list);

}  // namespace opm::cli
