// CUE's numbers: decimals of any precision, coefficient x 10^exponent. An int and a
// float of the same size are different values of different kinds, so the kind is
// part of the number. Small coefficients (all that most configurations have) sit in
// the value; large ones are limbs in an arena, so a Number is trivially copyable.
//
// CUE rounds the result of every `+ - * /` to 34 digits, half up, ints included: a sum
// of ints beyond 34 digits is an int with a positive exponent. Literals and the integer
// divisions keep every digit. Exponents end at 10^100000; past that arithmetic fails
// (nullopt) instead of filling the memory.
#pragma once

#include <gmp.h>

#include <compare>
#include <cstddef>
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

// CUE writes one number in three ways, depending on the output.
enum class NumberStyle : std::uint8_t {
  cue,   // source: "1.0", "3.0", "1e+3"
  json,  // JSON and string interpolation: "1.0", "3", "1E+3"
  yaml,  // YAML: "1.0", "3.", "1E+3"
};

class Number {
 public:
  Number() = default;  // the int 0
  static Number from_int(std::int64_t value);
  // A float: the shortest decimal that reads back. nullopt for infinities and not-a-number.
  static std::optional<Number> from_double(Arena& arena, double value);
  static Number from_mpz(Arena& arena, const mpz_t value);
  // coefficient x 10^exponent as a float, not rounded; nullopt past the largest exponent.
  static std::optional<Number> float_from(Arena& arena, const mpz_t coefficient, std::int32_t exponent);

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
  // The integral value, multiplied out; the caller initialises `out`. False if not integral.
  bool to_mpz(mpz_t out) const;
  void coefficient(mpz_t out) const;

  // As CUE prints it: ints plain; floats with a point or an exponent ("1.0", "1e+100").
  std::string text(NumberStyle style = NumberStyle::cue) const;

  Number as_float() const;                                     // same value, kind float
  std::optional<Number> as_int(Arena& arena) const;            // same value, kind int, if integral

  // By value; the kind does not matter (1 and 1.0 compare equal here).
  static std::strong_ordering compare(const Number& a, const Number& b);
  // By value and kind (1 and 1.0 differ, 1.0 and 1.00 do not); hash() goes with it.
  static bool equal(const Number& a, const Number& b);
  std::size_t hash() const;

  // An int if both are, else a float. nullopt: the exponent is out of range.
  static std::optional<Number> add(Arena& arena, const Number& a, const Number& b);
  static std::optional<Number> subtract(Arena& arena, const Number& a, const Number& b);
  static std::optional<Number> multiply(Arena& arena, const Number& a, const Number& b);
  static Number negate(Arena& arena, const Number& a);  // exact
  // CUE's `/`: always a float; nullopt when the divisor is zero or the exponent out of range.
  static std::optional<Number> divide(Arena& arena, const Number& a, const Number& b);
  // Integers only. div and mod are Euclidean, quo and rem truncate. Exact. nullopt: divisor zero.
  static std::optional<Number> int_div(Arena& arena, const Number& a, const Number& b);
  static std::optional<Number> int_mod(Arena& arena, const Number& a, const Number& b);
  static std::optional<Number> int_quo(Arena& arena, const Number& a, const Number& b);
  static std::optional<Number> int_rem(Arena& arena, const Number& a, const Number& b);

  // A number literal as the CUE lexer accepts it: 1_000, 0x1F, 0b1, 0o7, 1.5e3, .5, 1Ki, 2.5M; a sign may
  // stand before it. nullopt when malformed, when a multiplier does not give an integer, or past kMaxDigits
  // or kMaxExponent.
  static std::optional<Number> parse_literal(Arena& arena, std::string_view text);
  // JSON's and YAML's plain decimal notation: sign, digits, point, exponent.
  static std::optional<Number> parse_decimal(Arena& arena, std::string_view text);

  static constexpr std::size_t kMaxDigits = 100'000;
  static constexpr std::int32_t kMaxExponent = 100'000;  // of the first digit, in either direction
  static constexpr int kPrecision = 34;

 private:
  friend struct NumberAccess;  // the arithmetic in number.cpp

  union {
    std::int64_t small_ = 0;
    const BigInteger* big_;
  };
  std::int32_t exponent_ = 0;
  bool is_big_ = false;
  bool is_float_ = false;
  bool is_negative_zero_ = false;  // 0 * -1 prints as -0, as in CUE; otherwise the same as 0
};
static_assert(sizeof(Number) == 16);

}  // namespace opm::base
