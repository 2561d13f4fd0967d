// Which fields of a struct literal the value of one of them refers to: what has to be known to know the value.
#pragma once

#include <optional>
#include <vector>

#include "cue/compile/program.h"

namespace opm::cue::compile {

// The labels of fields of `literal` that `value`, which is the value of one of its fields, refers to by name, itself or
// through lets of the literal. Nothing, if it refers to the struct as a whole.
std::optional<std::vector<Label>> sibling_references(const StructExpression& literal, const Expression* value);

}  // namespace opm::cue::compile
