// Bounds (<5, >="a", !=null, =~"x") against each other: which of two says it all, and
// whether no value can meet both.
#pragma once

#include "cue/eval/value.h"

namespace opm::cue::eval {

class Evaluator;

struct BoundsResult {
  enum class Keep : std::uint8_t { both, first, second } keep = Keep::both;
  const Error* error = nullptr;  // no value meets both
};

// `kind_set`: the kinds that the value may have; integers leave less room between bounds.
BoundsResult simplify_bounds(Evaluator& evaluator, KindSet kind_set, const BoundValue& first, const BoundValue& second);

// Equal as concrete scalars; 1 and 1.0 are not.
bool same_scalar(const Value& a, const Value& b);
bool same_validator(Evaluator& evaluator, const Value& a, const Value& b);

}  // namespace opm::cue::eval
