// A value in the notation of CUE's debugging output: kinds, closedness and errors with all positions.
#pragma once

#include <string>

#include "subject.h"

namespace opm::inline_test {

std::string debug_text(Engine& engine, const Subject& subject);

}  // namespace opm::inline_test
