// Tells of secrets that the catalog's discovery does not reach. It looks at fields of the first three levels of the values;
// one that is deeper, or in a list, would end up in clear in a manifest.
#pragma once

#include <vector>

#include "data/tree.h"
#include "opm/render/result.h"

namespace opm::render {

std::vector<Problem> unreachable_secrets(const data::Value& values);

}  // namespace opm::render
