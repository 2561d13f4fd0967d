#include "cue/std/real_math.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace opm::cue::standard::real {
namespace {

constexpr std::int64_t kMaxOrder = 100'000;

// Solves erfc(x) = target for 0 < target <= 1 with Newton's method on the logarithm,
// which stays well behaved far out in the tail.
long double solve_complementary(long double target) {
  long double x = 0;
  if (target < 0.5L) x = std::sqrt(-std::log(target * std::sqrt(std::numbers::pi_v<long double>)) * 0.9L);
  if (!(x >= 0)) x = 0;
  for (int round = 0; round < 100; ++round) {
    long double value = std::erfc(x);
    long double slope = -2 / std::sqrt(std::numbers::pi_v<long double>) * std::exp(-x * x);
    long double step = target > 0.1L ? (value - target) / slope : std::log(value / target) * value / slope;
    x -= step;
    if (std::fabs(step) <= std::fabs(x) * 1e-19L) break;
  }
  return x;
}

}  // namespace

double inverse_error_function(double x) {
  if (std::isnan(x) || x < -1 || x > 1) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return x;
  if (std::fabs(x) == 1) return std::copysign(std::numeric_limits<double>::infinity(), x);
  long double magnitude = std::fabs(static_cast<long double>(x));
  long double result;
  if (magnitude < 0.5L) {
    // Close to zero the complement would lose digits.
    result = magnitude * std::sqrt(std::numbers::pi_v<long double>) / 2;
    for (int round = 0; round < 100; ++round) {
      long double slope = 2 / std::sqrt(std::numbers::pi_v<long double>) * std::exp(-result * result);
      long double step = (std::erf(result) - magnitude) / slope;
      result -= step;
      if (std::fabs(step) <= std::fabs(result) * 1e-19L) break;
    }
  } else {
    result = solve_complementary(1 - magnitude);
  }
  return std::copysign(static_cast<double>(result), x);
}

double inverse_complementary_error_function(double x) {
  if (std::isnan(x) || x < 0 || x > 2) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return std::numeric_limits<double>::infinity();
  if (x == 2) return -std::numeric_limits<double>::infinity();
  if (x > 0.5) return inverse_error_function(1 - x);
  return static_cast<double>(solve_complementary(x));
}

Result<double> bessel_first(std::int64_t order, double x) {
  if (order < -kMaxOrder || order > kMaxOrder) return wrong("order out of range");
  return ::jn(static_cast<int>(order), x);
}

Result<double> bessel_second(std::int64_t order, double x) {
  if (order < -kMaxOrder || order > kMaxOrder) return wrong("order out of range");
  return ::yn(static_cast<int>(order), x);
}

double scale_by_power_of_two(double fraction, std::int64_t exponent) {
  return std::ldexp(fraction, static_cast<int>(std::clamp<std::int64_t>(exponent, -10'000, 10'000)));
}

std::int64_t binary_exponent(double x) {
  if (x == 0) return std::numeric_limits<std::int32_t>::min();
  if (!std::isfinite(x)) return std::numeric_limits<std::int32_t>::max();
  return std::ilogb(x);
}

}  // namespace opm::cue::standard::real
