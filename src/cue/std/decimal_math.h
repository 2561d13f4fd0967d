// Roots, powers, logarithms and rounding of decimals. Results have 34 digits like all of
// CUE's arithmetic; inexact ones keep their trailing zeros (0.50…0), as in CUE.
#pragma once

#include "base/number.h"
#include "cue/std/bind.h"
#include "cue/std/integer.h"

namespace opm::cue::standard::decimal {

Decimal absolute(base::Arena& arena, base::Number x);
Decimal copy_sign(base::Arena& arena, base::Number x, base::Number y);
// x - y, but not less than zero.
Result<Decimal> positive_difference(base::Arena& arena, base::Number x, base::Number y);
bool is_negative(base::Number x);
Result<bool> is_multiple_of(base::Arena& arena, base::Number x, base::Number y);

// To whole numbers. These are exact, also beyond 34 digits.
Whole floor(base::Arena& arena, base::Number x);
Whole ceiling(base::Arena& arena, base::Number x);
Whole truncate(base::Arena& arena, base::Number x);
Whole round_half_up(base::Arena& arena, base::Number x);
Whole round_half_even(base::Arena& arena, base::Number x);

Result<Decimal> cube_root(base::Arena& arena, base::Number x);
Result<Decimal> exponential(base::Arena& arena, base::Number x);
Result<Decimal> power_of_two(base::Arena& arena, base::Number x);
Result<Decimal> logarithm(base::Arena& arena, base::Number x);
Result<Decimal> logarithm_10(base::Arena& arena, base::Number x);
Result<Decimal> logarithm_2(base::Arena& arena, base::Number x);
Result<Decimal> power(base::Arena& arena, base::Number x, base::Number y);
Result<Decimal> power_of_ten(base::Arena& arena, std::int64_t exponent);

Result<std::int64_t> jacobi(Integer x, Integer y);

}  // namespace opm::cue::standard::decimal
