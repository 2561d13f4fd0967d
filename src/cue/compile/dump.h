// A program as text, for tests and for looking into it: s-expressions with the number
// of scopes that each reference goes up, e.g. `^1.a` for the field a one scope out.
#pragma once

#include <string>

#include "base/names.h"
#include "cue/compile/program.h"

namespace opm::cue::compile {

// One line. A reference that brings in a definition ends in `!`, an optional one in `?`.
std::string dump(const base::NameTable& names, const Expression& expression);

}  // namespace opm::cue::compile
