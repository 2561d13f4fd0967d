#include "base/number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "base/number_internal.h"

namespace opm::base {

namespace {

using Access = NumberAccess;

constexpr std::int64_t kLimit = Number::kMaxExponent;

constexpr std::array<std::int64_t, 19> kPowersOfTen = [] {
  std::array<std::int64_t, 19> powers{};
  std::int64_t power = 1;
  for (auto& entry : powers) {
    entry = power;
    if (power <= std::numeric_limits<std::int64_t>::max() / 10) power *= 10;
  }
  return powers;
}();

std::uint64_t magnitude_of(std::int64_t value) {
  return value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

// The coefficient of a number as a GMP integer, without a copy.
class CoefficientView {
 public:
  explicit CoefficientView(const Number& number) {
    if (Access::is_big(number)) {
      const BigInteger& big = Access::big_coefficient(number);
      mpz_roinit_n(view_, big.limbs, big.size);
      return;
    }
    std::int64_t small = Access::small_coefficient(number);
    limb_ = magnitude_of(small);
    mpz_roinit_n(view_, &limb_, small < 0 ? -1 : (small > 0 ? 1 : 0));
  }
  CoefficientView(const CoefficientView&) = delete;
  CoefficientView& operator=(const CoefficientView&) = delete;
  operator mpz_srcptr() const { return view_; }

 private:
  mp_limb_t limb_ = 0;
  mpz_t view_;
};
static_assert(sizeof(mp_limb_t) == 8);

// A coefficient that fits in 64 bits is always kept small: nothing else has to ask.
Number store(Arena& arena, mpz_srcptr coefficient, std::int64_t exponent, bool is_float, bool negative_zero = false) {
  if (mpz_fits_slong_p(coefficient)) {
    return Access::small(mpz_get_si(coefficient), exponent, is_float, negative_zero);
  }
  std::size_t size = mpz_size(coefficient);
  std::span<const mp_limb_t> limbs = arena.copy(std::span<const mp_limb_t>(mpz_limbs_read(coefficient), size));
  auto signed_size = static_cast<std::int32_t>(size);
  auto* integer = arena.make<BigInteger>(mpz_sgn(coefficient) < 0 ? -signed_size : signed_size, limbs.data());
  return Access::big(integer, exponent, is_float);
}

std::int64_t count_digits(std::uint64_t magnitude) {
  std::int64_t digits = 1;
  for (; magnitude >= 10000; magnitude /= 10000) digits += 4;
  return digits + (magnitude >= 1000 ? 3 : magnitude >= 100 ? 2 : magnitude >= 10 ? 1 : 0);
}

void power_of_ten(mpz_ptr out, std::int64_t exponent) {
  mpz_ui_pow_ui(out, 10, static_cast<unsigned long>(exponent));
}

std::int64_t count_digits(mpz_srcptr value) {
  if (mpz_size(value) <= 1) return count_digits(mpz_size(value) == 0 ? 0 : mpz_limbs_read(value)[0]);
  auto digits = static_cast<std::int64_t>(mpz_sizeinbase(value, 10));  // exact, or one too many
  Integer border;
  power_of_ten(border, digits - 1);
  return mpz_cmpabs(value, border) < 0 ? digits - 1 : digits;
}

std::int64_t count_digits(const Number& number) {
  if (!Access::is_big(number)) return count_digits(magnitude_of(Access::small_coefficient(number)));
  return count_digits(CoefficientView(number));
}

bool in_range(std::int64_t exponent) { return exponent >= -kLimit && exponent <= kLimit; }

bool in_range(std::int64_t exponent, std::int64_t digits) {
  return in_range(exponent) && in_range(exponent + digits - 1);
}

// Takes a result to 34 digits, half up (away from zero). False when its exponent is out of range.
bool round_to_precision(mpz_ptr coefficient, std::int64_t& exponent) {
  std::int64_t digits = count_digits(coefficient);
  if (!in_range(exponent, digits)) return false;
  std::int64_t excess = digits - Number::kPrecision;
  if (excess <= 0) return true;
  Integer scale;
  Integer remainder;
  power_of_ten(scale, excess);
  mpz_tdiv_qr(coefficient, remainder, coefficient, scale);
  mpz_mul_2exp(remainder, remainder, 1);
  if (mpz_cmpabs(remainder, scale) >= 0) {
    if (remainder.sign() < 0) {
      mpz_sub_ui(coefficient, coefficient, 1);
    } else {
      mpz_add_ui(coefficient, coefficient, 1);
    }
    if (count_digits(coefficient) > Number::kPrecision) {  // 99…9 became 10…0
      mpz_divexact_ui(coefficient, coefficient, 10);
      ++excess;
    }
  }
  exponent += excess;
  return in_range(exponent) && in_range(exponent + Number::kPrecision - 1);
}

std::optional<Number> add_slow(Arena& arena, const Number& a, const Number& b, bool subtract) {
  bool is_float = a.is_float() || b.is_float();
  std::int64_t difference = std::int64_t{a.exponent()} - b.exponent();
  if (difference > kLimit || difference < -kLimit) return std::nullopt;
  std::int64_t exponent = std::min(a.exponent(), b.exponent());

  Integer sum;
  CoefficientView left(a);
  CoefficientView right(b);
  if (difference == 0) {
    mpz_set(sum, left);
  } else {
    power_of_ten(sum, difference > 0 ? difference : -difference);
    mpz_mul(sum, sum, difference > 0 ? mpz_srcptr{left} : mpz_srcptr{right});
  }
  if (difference >= 0) {
    subtract ? mpz_sub(sum, sum, right) : mpz_add(sum, sum, right);
  } else {
    subtract ? mpz_sub(sum, left, sum) : mpz_add(sum, left, sum);
  }
  if (!round_to_precision(sum, exponent)) return std::nullopt;
  bool negative_zero = Access::is_negative(a) && Access::is_negative(b) != subtract;
  return store(arena, sum, exponent, is_float, negative_zero);
}

// The coefficient times 10^shift, if that stays in 64 bits.
bool scale_small(std::int64_t coefficient, std::int64_t shift, std::int64_t& out) {
  if (shift >= static_cast<std::int64_t>(kPowersOfTen.size())) return false;
  return !__builtin_mul_overflow(coefficient, kPowersOfTen[static_cast<std::size_t>(shift)], &out);
}

std::optional<Number> add_or_subtract(Arena& arena, const Number& a, const Number& b, bool subtract) {
  if (Access::is_big(a) || Access::is_big(b)) return add_slow(arena, a, b, subtract);
  std::int64_t left = Access::small_coefficient(a);
  std::int64_t right = Access::small_coefficient(b);
  std::int64_t exponent = a.exponent();
  if (a.exponent() != b.exponent()) {
    std::int64_t difference = std::int64_t{a.exponent()} - b.exponent();
    if (difference > 0 ? !scale_small(left, difference, left) : !scale_small(right, -difference, right)) {
      return add_slow(arena, a, b, subtract);
    }
    exponent = std::min(a.exponent(), b.exponent());
  }
  std::int64_t sum = 0;
  bool overflow = subtract ? __builtin_sub_overflow(left, right, &sum) : __builtin_add_overflow(left, right, &sum);
  if (overflow || sum == 0) return add_slow(arena, a, b, subtract);
  if (exponent != 0 && !in_range(exponent, count_digits(magnitude_of(sum)))) return std::nullopt;
  return Access::small(sum, exponent, a.is_float() || b.is_float());
}

// A quotient prints without trailing zeros, but with at least one digit behind the
// point if it had a fraction when written with 34 digits: 4/2 is 2.0, 1e3/2 is 5.0e+2.
bool keeps_one_zero(std::int64_t padded_exponent, std::int64_t reduced_exponent) {
  return padded_exponent < 0 && reduced_exponent >= 0;
}

// Long division in 64 bits: enough for the quotients that end soon.
std::optional<Number> divide_small(std::int64_t dividend, std::int64_t divisor, std::int64_t shift) {
  bool negative = (dividend < 0) != (divisor < 0);
  std::uint64_t rest = magnitude_of(dividend);
  std::uint64_t by = magnitude_of(divisor);
  if (by > std::numeric_limits<std::uint64_t>::max() / 10) return std::nullopt;
  std::uint64_t quotient = rest / by;
  rest %= by;
  std::int64_t exponent = shift;
  constexpr std::uint64_t kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / 10 - 1;
  while (rest != 0) {
    if (quotient > kLargest) return std::nullopt;
    rest *= 10;
    quotient = quotient * 10 + rest / by;
    rest %= by;
    --exponent;
  }
  if (quotient > kLargest) return std::nullopt;
  std::int64_t padded_exponent = exponent + count_digits(quotient) - Number::kPrecision;
  while (quotient % 10 == 0) {
    quotient /= 10;
    ++exponent;
  }
  if (!in_range(exponent + count_digits(quotient) - 1)) return std::nullopt;
  if (keeps_one_zero(padded_exponent, exponent)) {
    quotient *= 10;
    --exponent;
  }
  auto coefficient = static_cast<std::int64_t>(quotient);
  return Access::small(negative ? -coefficient : coefficient, exponent, true);
}

std::optional<Number> divide_big(Arena& arena, const Number& a, const Number& b, std::int64_t shift) {
  CoefficientView left(a);
  CoefficientView right(b);
  Integer dividend;
  Integer divisor;
  mpz_abs(dividend, left);
  mpz_abs(divisor, right);
  // Scale so that the quotient has exactly 34 digits before rounding.
  std::int64_t difference = count_digits(dividend) - count_digits(divisor);
  Integer power;
  if (difference < 0) {
    power_of_ten(power, -difference);
    mpz_mul(dividend, dividend, power);
  } else if (difference > 0) {
    power_of_ten(power, difference);
    mpz_mul(divisor, divisor, power);
  }
  std::int64_t exponent = shift + difference;
  if (mpz_cmp(dividend, divisor) < 0) {
    mpz_mul_ui(dividend, dividend, 10);
    --exponent;
  }
  power_of_ten(power, Number::kPrecision - 1);
  mpz_mul(dividend, dividend, power);
  exponent -= Number::kPrecision - 1;
  Integer quotient;
  Integer remainder;
  mpz_tdiv_qr(quotient, remainder, dividend, divisor);
  mpz_mul_2exp(remainder, remainder, 1);
  if (mpz_cmp(remainder, divisor) >= 0) mpz_add_ui(quotient, quotient, 1);

  if (!in_range(exponent + count_digits(quotient) - 1)) return std::nullopt;
  std::int64_t padded_exponent = exponent;
  Integer ten;
  mpz_set_ui(ten, 10);
  exponent += static_cast<std::int64_t>(mpz_remove(quotient, quotient, ten));
  if (keeps_one_zero(padded_exponent, exponent)) {
    mpz_mul_ui(quotient, quotient, 10);
    --exponent;
  }
  if ((a.sign() < 0) != (b.sign() < 0)) mpz_neg(quotient, quotient);
  return store(arena, quotient, exponent, true);
}

enum class IntegerDivision { div, mod, quo, rem };

std::optional<Number> divide_small_integers(std::int64_t a, std::int64_t b, IntegerDivision operation) {
  if (b == -1) return std::nullopt;  // the one overflow there is
  std::int64_t quotient = a / b;
  std::int64_t remainder = a % b;
  if (remainder < 0 && (operation == IntegerDivision::div || operation == IntegerDivision::mod)) {
    quotient += b > 0 ? -1 : 1;
    remainder = b > 0 ? remainder + b : remainder - b;
  }
  bool wants_quotient = operation == IntegerDivision::div || operation == IntegerDivision::quo;
  return Number::from_int(wants_quotient ? quotient : remainder);
}

std::optional<Number> divide_integers(Arena& arena, const Number& a, const Number& b, IntegerDivision operation) {
  if (b.is_zero()) return std::nullopt;
  if (!Access::is_big(a) && !Access::is_big(b) && a.exponent() == 0 && b.exponent() == 0) {
    auto result = divide_small_integers(Access::small_coefficient(a), Access::small_coefficient(b), operation);
    if (result) return result;
  }
  Integer left;
  Integer right;
  Integer result;
  if (!a.to_mpz(left) || !b.to_mpz(right)) return std::nullopt;
  switch (operation) {
    case IntegerDivision::quo:
      mpz_tdiv_q(result, left, right);
      break;
    case IntegerDivision::rem:
      mpz_tdiv_r(result, left, right);
      break;
    case IntegerDivision::div:
      right.sign() > 0 ? mpz_fdiv_q(result, left, right) : mpz_cdiv_q(result, left, right);
      break;
    case IntegerDivision::mod:
      mpz_mod(result, left, right);
      break;
  }
  return Number::from_mpz(arena, result);
}

constexpr std::uint64_t kHashPrime = (std::uint64_t{1} << 61) - 1;

std::uint64_t multiply_modulo(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b % kHashPrime);
}

std::uint64_t power_modulo(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = multiply_modulo(result, base);
    base = multiply_modulo(base, base);
  }
  return result;
}

}  // namespace

Number Number::from_int(std::int64_t value) { return Access::small(value, 0, false); }

Number Number::from_mpz(Arena& arena, const mpz_t value) { return store(arena, value, 0, false); }

std::optional<Number> Number::float_from(Arena& arena, const mpz_t coefficient, std::int32_t exponent) {
  if (!in_range(exponent, count_digits(coefficient))) return std::nullopt;
  return store(arena, coefficient, exponent, true);
}

std::optional<Number> Number::from_double(Arena& arena, double value) {
  if (!std::isfinite(value)) return std::nullopt;
  std::array<char, 32> buffer;
  auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  auto number = parse_decimal(arena, {buffer.data(), written.ptr});
  if (number && std::signbit(value) && number->is_zero()) return Access::small(0, number->exponent(), true, true);
  return number;
}

bool Number::is_zero() const { return !is_big_ && small_ == 0; }

int Number::sign() const {
  if (is_big_) return big_->size < 0 ? -1 : 1;
  return small_ < 0 ? -1 : (small_ > 0 ? 1 : 0);
}

std::optional<std::int64_t> Number::to_int64() const {
  if (is_zero()) return 0;
  if (!is_big_ && exponent_ == 0) return small_;
  if (exponent_ > 18 || !is_integral()) return std::nullopt;
  if (!is_big_) {
    if (exponent_ < 0) return small_ / kPowersOfTen[static_cast<std::size_t>(-exponent_)];
    std::int64_t result = 0;
    if (!scale_small(small_, exponent_, result)) return std::nullopt;
    return result;
  }
  Integer value;
  if (!to_mpz(value) || !mpz_fits_slong_p(value)) return std::nullopt;
  return mpz_get_si(value);
}

double Number::to_double() const {
  // Doubles of both parts are exact here, so one operation rounds once.
  static constexpr std::array<double, 23> kExactPowers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                          1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                          1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (!is_big_ && magnitude_of(small_) <= (std::uint64_t{1} << 53) && exponent_ >= -22 && exponent_ <= 22) {
    auto value = static_cast<double>(small_);
    if (is_negative_zero_) return -0.0;
    return exponent_ < 0 ? value / kExactPowers[static_cast<std::size_t>(-exponent_)]
                         : value * kExactPowers[static_cast<std::size_t>(exponent_)];
  }
  std::string digits = text(NumberStyle::json);
  double result = 0;
  auto read = std::from_chars(digits.data(), digits.data() + digits.size(), result);
  if (read.ec == std::errc::result_out_of_range) {
    bool is_large = exponent_ + count_digits(*this) > 0;
    result = std::copysign(is_large ? std::numeric_limits<double>::infinity() : 0.0, sign());
  }
  return result;
}

bool Number::is_integral() const {
  if (exponent_ >= 0 || is_zero()) return true;
  if (count_digits(*this) <= -std::int64_t{exponent_}) return false;
  if (!is_big_) return small_ % kPowersOfTen[static_cast<std::size_t>(-exponent_)] == 0;
  Integer power;
  power_of_ten(power, -std::int64_t{exponent_});
  return mpz_divisible_p(CoefficientView(*this), power) != 0;
}

bool Number::to_mpz(mpz_t out) const {
  if (!is_integral() || exponent_ > kMaxExponent) return false;
  coefficient(out);
  if (exponent_ == 0 || is_zero()) return true;
  Integer power;
  power_of_ten(power, exponent_ < 0 ? -std::int64_t{exponent_} : std::int64_t{exponent_});
  exponent_ < 0 ? mpz_divexact(out, out, power) : mpz_mul(out, out, power);
  return true;
}

void Number::coefficient(mpz_t out) const { mpz_set(out, CoefficientView(*this)); }

Number Number::as_float() const {
  Number number = *this;
  number.is_float_ = true;
  return number;
}

std::optional<Number> Number::as_int(Arena& arena) const {
  if (auto small = to_int64()) return from_int(*small);
  Integer value;
  if (!to_mpz(value)) return std::nullopt;
  return from_mpz(arena, value);
}

std::strong_ordering Number::compare(const Number& a, const Number& b) {
  if (!a.is_big_ && !b.is_big_ && a.exponent_ == b.exponent_) return a.small_ <=> b.small_;
  int sign = a.sign();
  if (sign != b.sign()) return sign <=> b.sign();
  if (sign == 0) return std::strong_ordering::equal;
  CoefficientView left(a);
  CoefficientView right(b);
  if (a.exponent_ == b.exponent_) return mpz_cmp(left, right) <=> 0;
  auto left_size = count_digits(a) + a.exponent_;
  auto right_size = count_digits(b) + b.exponent_;
  if (left_size != right_size) return (left_size < right_size) == (sign > 0) ? std::strong_ordering::less
                                                                              : std::strong_ordering::greater;
  Integer scaled;  // no longer than the other coefficient, because the sizes are equal
  power_of_ten(scaled, std::abs(std::int64_t{a.exponent_} - b.exponent_));
  if (a.exponent_ < b.exponent_) {
    mpz_mul(scaled, scaled, right);
    return mpz_cmp(left, scaled) <=> 0;
  }
  mpz_mul(scaled, scaled, left);
  return mpz_cmp(scaled, right) <=> 0;
}

bool Number::equal(const Number& a, const Number& b) {
  return a.is_float_ == b.is_float_ && compare(a, b) == std::strong_ordering::equal;
}

// The value modulo a prime: the same for 1.0 and 1.00 without removing zeros.
std::size_t Number::hash() const {
  std::uint64_t value = is_big_ ? mpz_fdiv_ui(CoefficientView(*this), kHashPrime) : magnitude_of(small_) % kHashPrime;
  if (!is_big_ && small_ < 0 && value != 0) value = kHashPrime - value;
  if (exponent_ != 0) {
    std::uint64_t exponent = magnitude_of(exponent_);
    if (exponent_ < 0) exponent = (kHashPrime - 1) - exponent % (kHashPrime - 1);
    value = multiply_modulo(value, power_modulo(10, exponent));
  }
  value = (value + (is_float_ ? 0x5851F42Du : 0u)) * 0x9E3779B97F4A7C15ull;
  return value ^ (value >> 32);
}

std::optional<Number> Number::add(Arena& arena, const Number& a, const Number& b) {
  return add_or_subtract(arena, a, b, false);
}

std::optional<Number> Number::subtract(Arena& arena, const Number& a, const Number& b) {
  return add_or_subtract(arena, a, b, true);
}

std::optional<Number> Number::multiply(Arena& arena, const Number& a, const Number& b) {
  bool is_float = a.is_float_ || b.is_float_;
  std::int64_t exponent = std::int64_t{a.exponent_} + b.exponent_;
  if (!in_range(a.exponent_) || !in_range(b.exponent_)) return std::nullopt;
  bool negative = Access::is_negative(a) != Access::is_negative(b);
  std::int64_t product = 0;
  if (!a.is_big_ && !b.is_big_ && !__builtin_mul_overflow(a.small_, b.small_, &product)) {
    if (exponent != 0 && !in_range(exponent, count_digits(magnitude_of(product)))) return std::nullopt;
    return Access::small(product, exponent, is_float, negative);
  }
  Integer coefficient;
  mpz_mul(coefficient, CoefficientView(a), CoefficientView(b));
  if (!round_to_precision(coefficient, exponent)) return std::nullopt;
  return store(arena, coefficient, exponent, is_float, negative);
}

Number Number::negate(Arena& arena, const Number& a) {
  if (!a.is_big_ && a.small_ != std::numeric_limits<std::int64_t>::min()) {
    return Access::small(-a.small_, a.exponent_, a.is_float_);
  }
  Integer coefficient;
  mpz_neg(coefficient, CoefficientView(a));
  return store(arena, coefficient, a.exponent_, a.is_float_);
}

std::optional<Number> Number::divide(Arena& arena, const Number& a, const Number& b) {
  if (b.is_zero()) return std::nullopt;
  std::int64_t shift = std::int64_t{a.exponent_} - b.exponent_;
  if (!in_range(shift)) return std::nullopt;
  if (a.is_zero()) return Access::small(0, shift < 0 ? -1 : 0, true);
  if (!a.is_big_ && !b.is_big_) {
    if (auto quotient = divide_small(a.small_, b.small_, shift)) return quotient;
  }
  return divide_big(arena, a, b, shift);
}

std::optional<Number> Number::int_div(Arena& arena, const Number& a, const Number& b) {
  return divide_integers(arena, a, b, IntegerDivision::div);
}
std::optional<Number> Number::int_mod(Arena& arena, const Number& a, const Number& b) {
  return divide_integers(arena, a, b, IntegerDivision::mod);
}
std::optional<Number> Number::int_quo(Arena& arena, const Number& a, const Number& b) {
  return divide_integers(arena, a, b, IntegerDivision::quo);
}
std::optional<Number> Number::int_rem(Arena& arena, const Number& a, const Number& b) {
  return divide_integers(arena, a, b, IntegerDivision::rem);
}

}  // namespace opm::base
