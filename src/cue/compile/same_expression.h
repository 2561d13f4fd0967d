// Whether two expressions say the same of a scalar wherever they stand: they are written with constants only, and alike. Those
// that refer to anything never do, whatever they refer to; nor do structs and lists, which have more to them than their value.
#pragma once

#include "cue/compile/program.h"

namespace opm::cue::compile {

bool says_the_same(const Expression& a, const Expression& b);

}  // namespace opm::cue::compile
