// Variables of containers that do not have exactly one source. A transformer refuses them; here it is told where the sources
// stand, which a contradiction in its output does not show.
#pragma once

#include <vector>

#include "opm/model/release.h"
#include "opm/render/result.h"

namespace opm::render {

// Errors about the field `_source`, in which transformers contradict a second source, give way to what the user wrote.
void explain_sources(const std::vector<model::Component>& components, std::vector<Problem>& errors);

}  // namespace opm::render
