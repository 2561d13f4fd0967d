// The package math/bits: whole numbers of any size as bits in two's complement.
#include <fmt/core.h>

#include <limits>

#include "cue/std/bind.h"
#include "cue/std/integer.h"
#include "cue/std/packages.h"

namespace opm::cue::standard {
namespace {

Result<Integer> shift_left(Integer x, std::uint64_t bits) {
  if (x.sign() == 0) return x;
  if (bits > kMaxIntegerBits || x.bit_length() + bits > kMaxIntegerBits) {
    return wrong(fmt::format("result of more than {} bits", kMaxIntegerBits));
  }
  mpz_mul_2exp(x, x, bits);
  return x;
}

Integer shift_right(Integer x, std::uint64_t bits) {
  mpz_fdiv_q_2exp(x, x, bits);
  return x;
}

Result<std::int64_t> bit_at(Integer x, std::uint64_t index) {
  if (index > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) return wrong("bit index too large");
  return mpz_tstbit(x, index);
}

Result<Integer> with_bit(Integer x, std::int64_t index, std::uint64_t bit) {
  if (index < 0) return wrong("negative bit index");
  if (bit > 1) return wrong("set bit is not 0 or 1");
  if (static_cast<std::uint64_t>(index) > kMaxIntegerBits) {
    return wrong(fmt::format("result of more than {} bits", kMaxIntegerBits));
  }
  bit == 1 ? mpz_setbit(x, static_cast<mp_bitcnt_t>(index)) : mpz_clrbit(x, static_cast<mp_bitcnt_t>(index));
  return x;
}

Integer bits_and(Integer a, Integer b) {
  mpz_and(a, a, b);
  return a;
}
Integer bits_or(Integer a, Integer b) {
  mpz_ior(a, a, b);
  return a;
}
Integer bits_xor(Integer a, Integer b) {
  mpz_xor(a, a, b);
  return a;
}
Integer bits_clear(Integer a, Integer b) {
  mpz_com(b, b);
  mpz_and(a, a, b);
  return a;
}

// Of the magnitude: a negative number has as many as its absolute value.
std::int64_t count_ones(Integer x) {
  mpz_abs(x, x);
  return static_cast<std::int64_t>(mpz_popcount(x));
}
std::int64_t bit_length(Integer x) { return static_cast<std::int64_t>(x.bit_length()); }

}  // namespace

StandardPackage math_bits_package() {
  return make_package("math/bits", {
    bind<shift_left>("Lsh"),
    bind<shift_right>("Rsh"),
    bind<bit_at>("At"),
    bind<with_bit>("Set"),
    bind<bits_and>("And"),
    bind<bits_or>("Or"),
    bind<bits_xor>("Xor"),
    bind<bits_clear>("Clear"),
    bind<count_ones>("OnesCount"),
    bind<bit_length>("Len"),
  });
}

}  // namespace opm::cue::standard
