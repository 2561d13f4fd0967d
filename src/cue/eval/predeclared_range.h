// Numbers of a size (uint8, float32): the program has a conjunction of bounds for them, people know them by the name.
#pragma once

#include "cue/compile/program.h"

namespace opm::cue::eval {

// Its parts stand nowhere, only the name does.
inline bool is_predeclared_range(const compile::Expression& expression) {
  if (expression.kind != compile::ExpressionKind::unify || !expression.position.valid()) return false;
  const compile::Expression& right = *static_cast<const compile::Unify&>(expression).right;
  return right.kind == compile::ExpressionKind::bound && !right.position.valid();
}

}  // namespace opm::cue::eval
