// Functions of 64-bit floats that the C library lacks or bounds differently.
#pragma once

#include <cstdint>

#include "cue/std/bind.h"

namespace opm::cue::standard::real {

double inverse_error_function(double x);
double inverse_complementary_error_function(double x);
// The order is bounded, because the time grows with it.
Result<double> bessel_first(std::int64_t order, double x);
Result<double> bessel_second(std::int64_t order, double x);
double scale_by_power_of_two(double fraction, std::int64_t exponent);
std::int64_t binary_exponent(double x);

}  // namespace opm::cue::standard::real
