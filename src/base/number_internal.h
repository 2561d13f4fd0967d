// Shared by the files that implement Number, and by nobody else.
#pragma once

#include <gmp.h>

#include "base/number.h"

namespace opm::base {

// What arithmetic and parsing need to see of a Number.
struct NumberAccess {
  static Number small(std::int64_t coefficient, std::int64_t exponent, bool is_float, bool negative_zero = false) {
    Number number;
    number.small_ = coefficient;
    number.exponent_ = static_cast<std::int32_t>(exponent);
    number.is_float_ = is_float;
    number.is_negative_zero_ = negative_zero && coefficient == 0;
    return number;
  }
  static Number big(const BigInteger* integer, std::int64_t exponent, bool is_float) {
    Number number;
    number.big_ = integer;
    number.exponent_ = static_cast<std::int32_t>(exponent);
    number.is_big_ = true;
    number.is_float_ = is_float;
    return number;
  }
  static bool is_big(const Number& number) { return number.is_big_; }
  static std::int64_t small_coefficient(const Number& number) { return number.small_; }
  static const BigInteger& big_coefficient(const Number& number) { return *number.big_; }
  static bool is_negative(const Number& number) { return number.sign() < 0 || number.is_negative_zero_; }
};

// A GMP integer that frees itself.
class Integer {
 public:
  Integer() { mpz_init(value_); }
  ~Integer() { mpz_clear(value_); }
  Integer(const Integer&) = delete;
  Integer& operator=(const Integer&) = delete;
  operator mpz_ptr() { return value_; }
  operator mpz_srcptr() const { return value_; }
  int sign() const { return mpz_sgn(value_); }

 private:
  mpz_t value_;
};

}  // namespace opm::base
