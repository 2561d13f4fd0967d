#include "cue/std/decimal_math.h"

#include <fmt/core.h>
#include <mpfr.h>

#include <algorithm>
#include <limits>
#include <memory>

namespace opm::cue::standard::decimal {
namespace {

using base::Arena;
using base::Number;

constexpr int kDigits = Number::kPrecision;
constexpr const char* kOutOfRange = "exponent out of range";
constexpr const char* kInvalid = "invalid operation";

// The library keeps constants for each thread and forgets them when the thread ends.
struct ThreadCache {
  ~ThreadCache() { mpfr_free_cache(); }
};

// A binary float of many digits, which frees itself.
class Real {
 public:
  explicit Real(mpfr_prec_t bits) {
    thread_local ThreadCache cache;
    mpfr_init2(value_, bits);
  }
  ~Real() { mpfr_clear(value_); }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
  operator mpfr_ptr() { return value_; }

 private:
  mpfr_t value_;
};

std::size_t digit_count(const Integer& value) {
  std::size_t digits = mpz_sizeinbase(value, 10);  // exact, or one too many
  Integer border;
  mpz_ui_pow_ui(border, 10, digits - 1);
  return digits > 1 && mpz_cmpabs(value, border) < 0 ? digits - 1 : digits;
}

Integer coefficient_of(const Number& x) {
  Integer result;
  x.coefficient(result);
  return result;
}

// Enough that the 34 digits of a result do not suffer from its arguments being rounded.
mpfr_prec_t working_bits(const Number& x) {
  return 400 + 4 * static_cast<mpfr_prec_t>(std::min<std::size_t>(digit_count(coefficient_of(x)), 10'000));
}

void assign(mpfr_ptr out, const Number& x) {
  Integer coefficient = coefficient_of(x);
  std::unique_ptr<char, void (*)(void*)> digits(mpz_get_str(nullptr, 10, coefficient), [](void* p) {
    void (*release)(void*, std::size_t);
    mp_get_memory_functions(nullptr, nullptr, &release);
    release(p, 0);
  });
  mpfr_set_str(out, fmt::format("{}e{}", digits.get(), x.exponent()).c_str(), 10, MPFR_RNDN);
}

Result<Decimal> make(Arena& arena, const Integer& coefficient, std::int64_t exponent) {
  if (exponent > Number::kMaxExponent || exponent < -Number::kMaxExponent - kDigits) return wrong(kOutOfRange);
  auto number = Number::float_from(arena, coefficient, static_cast<std::int32_t>(exponent));
  if (!number) return wrong(kOutOfRange);
  return Decimal{*number};
}

Result<Decimal> rounded(Arena& arena, mpfr_ptr value) {
  if (!mpfr_number_p(value)) return wrong(kOutOfRange);
  if (mpfr_zero_p(value)) return Decimal{Number::from_int(0)};
  mpfr_exp_t exponent = 0;
  std::unique_ptr<char, void (*)(char*)> digits(mpfr_get_str(nullptr, &exponent, 10, kDigits, value, MPFR_RNDN), mpfr_free_str);
  Integer coefficient;
  mpz_set_str(coefficient, digits.get(), 10);
  return make(arena, coefficient, exponent - kDigits);
}

Number negative_zero(Arena& arena) {
  return Number::multiply(arena, Number::from_int(0), Number::from_int(-1)).value_or(Number::from_int(0));
}

bool has_negative_sign(const Number& x) { return x.sign() < 0 || (x.is_zero() && x.text().starts_with('-')); }

// Whole numbers next to x: coefficient / 10^scale, with what is left over.
struct Parts {
  Integer whole;      // towards zero
  Integer remainder;  // with the sign of x
  Integer unit;       // 10^scale
};

Parts split(const Number& x) {
  Parts parts;
  if (x.exponent() >= 0) {
    mpz_ui_pow_ui(parts.unit, 10, static_cast<unsigned long>(x.exponent()));
    mpz_mul(parts.whole, coefficient_of(x), parts.unit);
    mpz_set_ui(parts.unit, 1);
    return parts;
  }
  mpz_ui_pow_ui(parts.unit, 10, static_cast<unsigned long>(-static_cast<std::int64_t>(x.exponent())));
  mpz_tdiv_qr(parts.whole, parts.remainder, coefficient_of(x), parts.unit);
  return parts;
}

Whole finish(Arena& arena, const Number& x, const Integer& whole) {
  if (whole.sign() == 0 && has_negative_sign(x)) return {negative_zero(arena)};
  return {Number::from_mpz(arena, whole)};
}

// A decimal whose products are rounded to a given number of digits.
struct Scaled {
  Integer coefficient;
  std::int64_t exponent = 0;

  void round_to(std::size_t digits) {
    std::size_t have = digit_count(coefficient);
    if (have <= digits) return;
    std::size_t excess = have - digits;
    Integer unit, remainder;
    mpz_ui_pow_ui(unit, 10, excess);
    mpz_tdiv_qr(coefficient, remainder, coefficient, unit);
    mpz_mul_2exp(remainder, remainder, 1);
    exponent += static_cast<std::int64_t>(excess);
    if (mpz_cmpabs(remainder, unit) < 0) return;
    remainder.sign() < 0 ? mpz_sub_ui(coefficient, coefficient, 1) : mpz_add_ui(coefficient, coefficient, 1);
    if (digit_count(coefficient) > digits) {  // 99…9 became 10…0
      mpz_divexact_ui(coefficient, coefficient, 10);
      ++exponent;
    }
  }
  bool multiply(const Scaled& other, std::size_t digits) {
    mpz_mul(coefficient, coefficient, other.coefficient);
    exponent += other.exponent;
    round_to(digits);
    return exponent <= Number::kMaxExponent && exponent >= -2 * Number::kMaxExponent;
  }
};

Result<Decimal> whole_power(Arena& arena, const Number& x, const Integer& exponent) {
  Integer left;
  mpz_abs(left, exponent);
  // CUE's digits while multiplying: those of the argument or of the result, and ten more.
  std::size_t digits = std::max<std::size_t>(kDigits, digit_count(coefficient_of(x))) + 10;
  Scaled result{Integer(1), 0};
  Scaled factor{coefficient_of(x), x.exponent()};
  if (mpz_cmpabs_ui(factor.coefficient, 1) == 0 && factor.exponent == 0) {
    return Decimal{Number::from_int(x.sign() < 0 && mpz_odd_p(static_cast<mpz_srcptr>(exponent)) ? -1 : 1)};
  }
  if (left.bit_length() > 62) return wrong(kOutOfRange);
  while (left.sign() > 0) {
    if (mpz_odd_p(static_cast<mpz_srcptr>(left)) && !result.multiply(factor, digits)) return wrong(kOutOfRange);
    mpz_tdiv_q_2exp(left, left, 1);
    if (left.sign() > 0 && !factor.multiply(Scaled(factor), digits)) return wrong(kOutOfRange);
  }
  if (exponent.sign() < 0) {
    // 1 / result, to the full number of digits.
    std::size_t scale = digits + digit_count(result.coefficient);
    Integer numerator;
    mpz_ui_pow_ui(numerator, 10, scale);
    mpz_tdiv_q(result.coefficient, numerator, result.coefficient);
    result.exponent = -result.exponent - static_cast<std::int64_t>(scale);
    result.round_to(digits);
  }
  result.round_to(kDigits);
  return make(arena, result.coefficient, result.exponent);
}

using RealFunction = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

Result<Decimal> apply(Arena& arena, const Number& x, RealFunction function) {
  mpfr_prec_t bits = working_bits(x);
  Real argument(bits), result(bits);
  assign(argument, x);
  function(result, argument, MPFR_RNDN);
  return rounded(arena, result);
}

Result<Decimal> logarithm_of(Arena& arena, const Number& x, RealFunction function) {
  if (x.sign() < 0) return wrong(kInvalid);
  if (x.is_zero()) return wrong("result is infinite");
  return apply(arena, x, function);
}

}  // namespace

Decimal absolute(Arena& arena, Number x) {
  Number positive = x.sign() < 0 ? Number::negate(arena, x) : x;
  // A product is rounded to 34 digits.
  return {Number::multiply(arena, positive, Number::from_int(1)).value_or(positive)};
}

Decimal copy_sign(Arena& arena, Number x, Number y) {
  bool negative = has_negative_sign(y);
  if (x.is_zero()) return {negative ? negative_zero(arena) : Number::from_int(0)};
  return {(x.sign() < 0) == negative ? x : Number::negate(arena, x)};
}

Result<Decimal> positive_difference(Arena& arena, Number x, Number y) {
  auto difference = Number::subtract(arena, x, y);
  if (!difference) return wrong(kOutOfRange);
  return Decimal{difference->sign() < 0 ? Number::from_int(0) : *difference};
}

bool is_negative(Number x) { return has_negative_sign(x); }

Result<bool> is_multiple_of(Arena& arena, Number x, Number y) {
  if (y.is_zero()) return wrong(x.is_zero() ? "division undefined" : "division by zero");
  auto quotient = Number::divide(arena, x, y);
  if (!quotient) return wrong(kOutOfRange);
  return quotient->is_integral();
}

Whole floor(Arena& arena, Number x) {
  Parts parts = split(x);
  if (parts.remainder.sign() < 0) mpz_sub_ui(parts.whole, parts.whole, 1);
  return finish(arena, x, parts.whole);
}

Whole ceiling(Arena& arena, Number x) {
  Parts parts = split(x);
  if (parts.remainder.sign() > 0) mpz_add_ui(parts.whole, parts.whole, 1);
  return finish(arena, x, parts.whole);
}

Whole truncate(Arena& arena, Number x) { return finish(arena, x, split(x).whole); }

namespace {

Whole round_half(Arena& arena, const Number& x, bool to_even) {
  Parts parts = split(x);
  Integer twice;
  mpz_mul_2exp(twice, parts.remainder, 1);
  int against_half = mpz_cmpabs(twice, parts.unit);
  bool away = against_half > 0 || (against_half == 0 && (!to_even || mpz_odd_p(static_cast<mpz_srcptr>(parts.whole))));
  if (parts.remainder.sign() == 0) away = false;
  if (away) {
    parts.remainder.sign() < 0 ? mpz_sub_ui(parts.whole, parts.whole, 1) : mpz_add_ui(parts.whole, parts.whole, 1);
  }
  return finish(arena, x, parts.whole);
}

}  // namespace

Whole round_half_up(Arena& arena, Number x) { return round_half(arena, x, false); }
Whole round_half_even(Arena& arena, Number x) { return round_half(arena, x, true); }

Result<Decimal> cube_root(Arena& arena, Number x) { return apply(arena, x, mpfr_cbrt); }

Result<Decimal> exponential(Arena& arena, Number x) {
  if (x.is_zero()) return Decimal{Number::from_int(1)};
  Number limit = Number::from_int(23'000);  // what CUE's implementation can do
  if (Number::compare(x, limit) >= 0) return wrong("overflow");
  if (Number::compare(x, Number::negate(arena, limit)) <= 0) return wrong("underflow, subnormal");
  return apply(arena, x, mpfr_exp);
}

Result<Decimal> power_of_two(Arena& arena, Number x) { return power(arena, Number::from_int(2), x); }

Result<Decimal> logarithm(Arena& arena, Number x) { return logarithm_of(arena, x, mpfr_log); }
Result<Decimal> logarithm_10(Arena& arena, Number x) { return logarithm_of(arena, x, mpfr_log10); }

Result<Decimal> logarithm_2(Arena& arena, Number x) {
  // The quotient of two rounded logarithms, so that the last digit is CUE's.
  auto numerator = logarithm(arena, x);
  if (!numerator) return numerator;
  auto denominator = logarithm(arena, Number::from_int(2));
  auto quotient = Number::divide(arena, numerator->number, denominator->number);
  if (!quotient) return wrong(kOutOfRange);
  return Decimal{*quotient};
}

Result<Decimal> power(Arena& arena, Number x, Number y) {
  if (x.is_zero()) {
    if (y.is_zero()) return wrong(kInvalid);
    if (y.sign() < 0) return wrong("result is infinite");
    return Decimal{Number::from_int(0)};
  }
  if (y.is_zero()) return Decimal{Number::from_int(1)};
  Integer whole;
  if (y.to_mpz(whole)) return whole_power(arena, x, whole);
  if (x.sign() < 0) return wrong(kInvalid);
  mpfr_prec_t bits = working_bits(x) + working_bits(y);
  Real base_value(bits), exponent(bits), result(bits);
  assign(base_value, x);
  assign(exponent, y);
  mpfr_pow(result, base_value, exponent, MPFR_RNDN);
  return rounded(arena, result);
}

Result<Decimal> power_of_ten(Arena& arena, std::int64_t exponent) {
  if (exponent < std::numeric_limits<std::int32_t>::min() || exponent > std::numeric_limits<std::int32_t>::max()) {
    return wrong(fmt::format("int {} overflows int32 in argument 0", exponent));
  }
  return make(arena, Integer(1), exponent);
}

Result<std::int64_t> jacobi(Integer x, Integer y) {
  if (mpz_even_p(static_cast<mpz_srcptr>(y))) {
    // Of a number of any size the first digits say enough.
    std::string text = y.bit_length() < 4096 ? std::string(digit_count(y) + 2, '\0') : std::string();
    if (!text.empty()) mpz_get_str(text.data(), 10, y);
    return wrong(fmt::format("big: invalid 2nd argument to Int.Jacobi: need odd integer but got {}",
                             text.empty() ? "a very large number" : text.c_str()));
  }
  return mpz_jacobi(x, y);
}

}  // namespace opm::cue::standard::decimal
