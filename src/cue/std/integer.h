// A GMP integer that frees itself and can be moved, for functions that take and give
// whole numbers of any size.
#pragma once

#include <gmp.h>

#include <utility>

namespace opm::cue::standard {

class Integer {
 public:
  Integer() { mpz_init(value_); }
  explicit Integer(long value) { mpz_init_set_si(value_, value); }
  ~Integer() { mpz_clear(value_); }
  Integer(Integer&& other) noexcept {
    mpz_init(value_);
    mpz_swap(value_, other.value_);
  }
  Integer& operator=(Integer&& other) noexcept {
    mpz_swap(value_, other.value_);
    return *this;
  }
  Integer(const Integer& other) { mpz_init_set(value_, other.value_); }
  Integer& operator=(const Integer& other) {
    mpz_set(value_, other.value_);
    return *this;
  }

  operator mpz_ptr() { return value_; }
  operator mpz_srcptr() const { return value_; }
  int sign() const { return mpz_sgn(value_); }
  // The number of bits of its magnitude; 0 for zero.
  std::size_t bit_length() const { return sign() == 0 ? 0 : mpz_sizeinbase(value_, 2); }

 private:
  mpz_t value_;
};

}  // namespace opm::cue::standard
