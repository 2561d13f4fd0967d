// Data written in CUE notation: fields, structs, lists and scalars, and nothing that would
// have to be evaluated. cue.mod/module.cue is written in it.
#pragma once

#include <expected>
#include <vector>

#include "base/arena.h"
#include "cue/syntax/ast.h"
#include "data/tree.h"
#include "diag/diagnostic.h"

namespace opm::cue::module {

// Fields that are written twice are merged; it is an error if they say different things.
// Hidden fields (_x) are left out. `arena` holds decoded strings while reading.
std::expected<data::Value, std::vector<diag::Diagnostic>> read_plain_data(base::Arena& arena, const syntax::File& file);

}  // namespace opm::cue::module
