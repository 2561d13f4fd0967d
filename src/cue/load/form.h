// What a CUE file may hold when it is named with a form: `data: x.cue` is plain data, `graph: x.cue` may refer to
// itself as well.
#pragma once

#include <vector>

#include "cue/load/file_type.h"
#include "cue/syntax/ast.h"
#include "diag/diagnostic.h"

namespace opm::cue::load {

// The first things in it, ten at most, that the form does not allow.
std::vector<diag::Diagnostic> check_form(syntax::File& file, Form form);

}  // namespace opm::cue::load
