// Secrets that containers refer to although no object keeps them: written into a component, they are not among the values,
// where discovery looks.
#pragma once

#include <vector>

#include "opm/model/release.h"
#include "opm/render/result.h"

namespace opm::render {

std::vector<Problem> unkept_secrets(const std::vector<model::Component>& components);

}  // namespace opm::render
