// How a package of releases is loaded: as opm does it, with the platforms of the folder .opm, to which it refers
// without an import.
#pragma once

#include <vector>

#include "cue/value.h"
#include "lsp/workspace.h"

namespace opm::lsp {

// Whether the files are such as opm looks for releases in.
bool may_hold_releases(const PackageKey& package);

// Whether one of the errors is that the package refers to platforms and does not declare them.
bool misses_platforms(const cue::Program& program, const cue::Diagnostics& errors);

// The package and, if there is a folder of platforms, that; nothing: opm would not find releases in it.
std::vector<cue::LoadRequest> release_requests(const Workspace& workspace, const PackageKey& package,
                                               const base::FileSystem& files);

}  // namespace opm::lsp
