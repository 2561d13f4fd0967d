// Numbers: any text becomes a number or nothing, a number's own text means the same number, and
// the laws of arithmetic hold where results are exact.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/number.h"

using namespace opm::base;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check_text(Arena& arena, const Number& number) {
  // At the very edge a quotient has digits that no literal may have.
  if (number.exponent() < -Number::kMaxExponent) return;
  auto again = Number::parse_literal(arena, number.text());
  require(again.has_value() && Number::compare(*again, number) == std::strong_ordering::equal);
  require(again->is_int() == number.is_int() || number.exponent() > 0);  // a rounded int prints like a float
  number.text(NumberStyle::json);
  number.text(NumberStyle::yaml);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  Arena arena;
  std::string_view text(reinterpret_cast<const char*>(bytes), size);
  std::size_t space = std::min(text.find(' '), text.size());
  Number::parse_decimal(arena, text);
  auto a = Number::parse_literal(arena, text.substr(0, space));
  auto b = Number::parse_literal(arena, text.substr(std::min(space + 1, text.size())));
  if (!a || !b) return 0;
  check_text(arena, *a);
  a->to_double();
  a->to_int64();
  if (Number::equal(*a, *b)) require(a->hash() == b->hash());
  if (auto sum = Number::add(arena, *a, *b)) {
    check_text(arena, *sum);
    auto other = Number::add(arena, *b, *a);
    require(other && Number::equal(*sum, *other));
  }
  if (auto product = Number::multiply(arena, *a, *b)) check_text(arena, *product);
  if (auto quotient = Number::divide(arena, *a, *b)) check_text(arena, *quotient);
  auto div = Number::int_div(arena, *a, *b);
  auto mod = Number::int_mod(arena, *a, *b);
  require(div.has_value() == mod.has_value());
  if (mod) require(mod->sign() >= 0);
  return 0;
}
