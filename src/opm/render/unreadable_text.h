// Says which value it is that a file cannot be read for: text that is not UTF-8 is found before anything is known of the
// fields around it.
#pragma once

#include <vector>

#include "diag/source.h"
#include "opm/render/result.h"

namespace opm::render {

void name_unreadable_text(const diag::SourceMap& sources, std::vector<Problem>& problems);

}  // namespace opm::render
