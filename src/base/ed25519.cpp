#include "base/ed25519.h"

#include <gmpxx.h>

#include <string>

#include "base/digest.h"

namespace opm::base {
namespace {

mpz_class from_bytes(std::string_view bytes) {
  mpz_class number;
  mpz_import(number.get_mpz_t(), bytes.size(), -1, 1, 0, 0, bytes.data());
  return number;
}

mpz_class modulo(const mpz_class& number, const mpz_class& divisor) {
  mpz_class result;
  mpz_mod(result.get_mpz_t(), number.get_mpz_t(), divisor.get_mpz_t());
  return result;
}

mpz_class power(const mpz_class& base, const mpz_class& exponent, const mpz_class& divisor) {
  mpz_class result;
  mpz_powm(result.get_mpz_t(), base.get_mpz_t(), exponent.get_mpz_t(), divisor.get_mpz_t());
  return result;
}

struct Point {
  mpz_class x, y, z, t;  // x/z and y/z are the coordinates, t = xy/z
};

class Curve {
 public:
  Curve() {
    prime_ = (mpz_class(1) << 255) - 19;
    order_ = (mpz_class(1) << 252) + mpz_class("27742317777372353535851937790883648493");
    d_ = modulo(mpz_class(-121665) * invert(121666), prime_);
    root_ = power(2, (prime_ - 1) / 4, prime_);
  }

  const mpz_class& order() const { return order_; }
  Point base() const {
    Point point;
    decode(4 * invert(5), 0, point);
    return point;
  }

  bool decode(std::string_view bytes, Point& out) const {
    std::string low(bytes);
    int sign = static_cast<unsigned char>(low.back()) >> 7;
    low.back() = static_cast<char>(low.back() & 0x7F);
    return decode(from_bytes(low), sign, out);
  }

  std::string encode(const Point& point) const {
    mpz_class inverse = invert(point.z);
    mpz_class x = modulo(point.x * inverse, prime_);
    mpz_class y = modulo(point.y * inverse, prime_);
    std::string bytes(32, '\0');
    mpz_export(bytes.data(), nullptr, -1, 1, 0, 0, y.get_mpz_t());
    if (mpz_odd_p(x.get_mpz_t())) bytes.back() = static_cast<char>(bytes.back() | 0x80);
    return bytes;
  }

  Point add(const Point& p, const Point& q) const {
    mpz_class a = modulo((p.y - p.x) * (q.y - q.x), prime_);
    mpz_class b = modulo((p.y + p.x) * (q.y + q.x), prime_);
    mpz_class c = modulo(2 * p.t * q.t * d_, prime_);
    mpz_class e = modulo(2 * p.z * q.z, prime_);
    mpz_class f = b - a;
    mpz_class g = e - c;
    mpz_class h = e + c;
    mpz_class i = b + a;
    return {modulo(f * g, prime_), modulo(h * i, prime_), modulo(g * h, prime_), modulo(f * i, prime_)};
  }

  Point multiply(const mpz_class& factor, Point point) const {
    Point result{0, 1, 1, 0};
    for (std::size_t bit = 0; bit < mpz_sizeinbase(factor.get_mpz_t(), 2); ++bit) {
      if (mpz_tstbit(factor.get_mpz_t(), bit)) result = add(result, point);
      point = add(point, point);
    }
    return result;
  }

 private:
  mpz_class invert(const mpz_class& number) const { return power(number, prime_ - 2, prime_); }

  bool decode(const mpz_class& whole, int sign, Point& out) const {
    mpz_class y = modulo(whole, prime_);
    mpz_class square = modulo((y * y - 1) * invert(modulo(d_ * y * y + 1, prime_)), prime_);
    mpz_class x = power(square, (prime_ + 3) / 8, prime_);
    if (modulo(x * x - square, prime_) != 0) x = modulo(x * root_, prime_);
    if (modulo(x * x - square, prime_) != 0) return false;
    if (mpz_odd_p(x.get_mpz_t()) != sign) x = modulo(-x, prime_);
    out = {x, y, 1, modulo(x * y, prime_)};
    return true;
  }

  mpz_class prime_, order_, d_, root_;
};

}  // namespace

bool is_signed(std::string_view public_key, std::string_view message, std::string_view signature) {
  if (public_key.size() != 32 || signature.size() != 64) return false;
  Curve curve;
  Point owner;
  mpz_class factor = from_bytes(signature.substr(32));
  if (factor >= curve.order() || !curve.decode(public_key, owner)) return false;
  std::string hashed(signature.substr(0, 32));
  hashed.append(public_key).append(message);
  mpz_class hash = modulo(from_bytes(digest(DigestKind::sha512, hashed)), curve.order());
  // What the signature begins with must be the point factor * base - hash * owner.
  owner.x = -owner.x;
  owner.t = -owner.t;
  Point point = curve.add(curve.multiply(factor, curve.base()), curve.multiply(hash, owner));
  return curve.encode(point) == signature.substr(0, 32);
}

}  // namespace opm::base
