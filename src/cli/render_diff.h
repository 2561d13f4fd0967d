// What differs between two renders, without a cluster.
#pragma once

#include <vector>

#include "opm/release/release_diff.h"
#include "opm/render/result.h"

namespace opm::cli {

// Objects are the same by kind and name, wherever they run. Secrets show as checksums, for renders that found them.
release::DiffResult diff_renders(const std::vector<render::Resource>& before, const std::vector<render::Resource>& after);

}  // namespace opm::cli
