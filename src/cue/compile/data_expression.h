// Plain data as program: what a JSON or YAML file says, as if it had been written in CUE,
// with the positions that it was read from.
#pragma once

#include "base/arena.h"
#include "base/names.h"
#include "cue/compile/program.h"
#include "data/tree.h"

namespace opm::cue::compile {

const Expression* data_expression(base::Arena& arena, base::NameTable& names, const data::Value& data);

}  // namespace opm::cue::compile
