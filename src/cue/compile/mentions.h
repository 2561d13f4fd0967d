// A look ahead into syntax trees: whether a list literal is referred to from inside
// itself, so that it needs a scope.
#pragma once

#include "cue/syntax/ast.h"

namespace opm::cue::compile {

// Whether `self` (or `__self`) stands in the list without a struct or another list between.
bool mentions_self(const syntax::ListLiteral& list);

}  // namespace opm::cue::compile
