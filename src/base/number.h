// CUE's numbers: decimals of any precision, coefficient x 10^exponent. An int and a
// float of the same size are different values of different kinds, so the kind is
// part of the number. Small coefficients (all that most configurations have) sit in
// the value; large ones are limbs in an arena, so a Number is trivially copyable.
// Inexact results (division, square roots) are rounded to 34 digits, half up, as CUE does.
#pragma once

#include <gmp.h>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"

namespace opm::base {

// An integer of any size in an arena; sign is that of `size`, as in GMP.
struct BigInteger {
  std::int32_t size;
  const mp_limb_t* limbs;
};

class Number {
 public:
  Number() = default;  // the int 0
  static Number from_int(std::int64_t value);
  static Number from_double(Arena& arena, double value);  // a float: the shortest decimal that reads back
  static Number from_mpz(Arena& arena, const mpz_t value);
  // coefficient x 10^exponent as a float.
  static Number float_from(Arena& arena, const mpz_t coefficient, std::int32_t exponent);

  bool is_int() const { return !is_float_; }
  bool is_float() const { return is_float_; }
  bool is_zero() const;
  int sign() const;  // -1, 0, 1
  std::int32_t exponent() const { return exponent_; }

  // The value as int64 if it is integral (1.0 and 1e3 count) and fits.
  std::optional<std::int64_t> to_int64() const;
  double to_double() const;
  // Integral in value: exponent not negative, or only zeros behind the point.
  bool is_integral() const;
  // The integral value; the caller initialises `out`. False if not integral.
  bool to_mpz(mpz_t out) const;
  void coefficient(mpz_t out) const;

  // As CUE prints it: ints plain; floats with a point or an exponent ("1.0", "1e+100").
  std::string text() const;

  Number as_float() const;                                     // same value, kind float
  std::optional<Number> as_int(Arena& arena) const;            // same value, kind int, if integral

  // By value; the kind does not matter (1 and 1.0 compare equal here).
  static std::strong_ordering compare(const Number& a, const Number& b);

  static Number add(Arena& arena, const Number& a, const Number& b);
  static Number subtract(Arena& arena, const Number& a, const Number& b);
  static Number multiply(Arena& arena, const Number& a, const Number& b);
  static Number negate(Arena& arena, const Number& a);
  // CUE's `/`: always a float; nullopt when the divisor is zero.
  static std::optional<Number> divide(Arena& arena, const Number& a, const Number& b);
  // Integers only. div and mod are Euclidean, quo and rem truncate. nullopt: divisor zero.
  static std::optional<Number> int_div(Arena& arena, const Number& a, const Number& b);
  static std::optional<Number> int_mod(Arena& arena, const Number& a, const Number& b);
  static std::optional<Number> int_quo(Arena& arena, const Number& a, const Number& b);
  static std::optional<Number> int_rem(Arena& arena, const Number& a, const Number& b);

  // A number literal as the CUE lexer accepts it: 1_000, 0x1F, 0b1, 0o7, 1.5e3, .5, 1Ki, 2.5M.
  // nullopt when malformed or larger than the cap on digits (see kMaxDigits).
  static std::optional<Number> parse_literal(Arena& arena, std::string_view text);
  // JSON's and YAML's plain decimal notation.
  static std::optional<Number> parse_decimal(Arena& arena, std::string_view text);

  static constexpr std::size_t kMaxDigits = 100'000;

 private:
  union {
    std::int64_t small_ = 0;
    const BigInteger* big_;
  };
  std::int32_t exponent_ = 0;
  bool is_big_ = false;
  bool is_float_ = false;
};
static_assert(sizeof(Number) == 16);

}  // namespace opm::base
