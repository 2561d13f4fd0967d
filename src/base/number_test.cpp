#include "base/number.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

namespace opm::base {
namespace {

class NumberTest : public testing::Test {
 protected:
  Number literal(std::string_view text) {
    auto number = Number::parse_literal(arena_, text);
    EXPECT_TRUE(number.has_value()) << text;
    return number.value_or(Number());
  }
  bool rejects(std::string_view text) { return !Number::parse_literal(arena_, text).has_value(); }

  static std::string show(const std::optional<Number>& number) { return number ? number->text() : "none"; }
  std::string sum(std::string_view a, std::string_view b) { return show(Number::add(arena_, literal(a), literal(b))); }
  std::string difference(std::string_view a, std::string_view b) {
    return show(Number::subtract(arena_, literal(a), literal(b)));
  }
  std::string product(std::string_view a, std::string_view b) {
    return show(Number::multiply(arena_, literal(a), literal(b)));
  }
  std::string quotient(std::string_view a, std::string_view b) {
    return show(Number::divide(arena_, literal(a), literal(b)));
  }

  Arena arena_;
};

constexpr std::string_view kManyNines = "99999999999999999999999999999999999999999999";  // 44 of them

TEST_F(NumberTest, ReadsLiterals) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"0", "0"},           {"1.50", "1.50"},        {"1e3", "1e+3"},        {"1E-7", "1e-7"},
      {"0.00001", "0.00001"}, {"1_000.5", "1000.5"}, {"1Ki", "1024"},        {"1.5Ki", "1536"},
      {"1M", "1000000"},    {"1.5G", "1500000000"},  {"0x10", "16"},         {"0X1f", "31"},
      {"0b11", "3"},        {"0o17", "15"},          {"0x1_F", "31"},        {"1e-100", "1e-100"},
      {".5", "0.5"},        {"3.", "3.0"},           {"3e0", "3.0"},         {"0e5", "0e+5"},
      {"0.00", "0.00"},     {"1.23456e3", "1234.56"}, {"12e-1", "1.2"},      {"1.e5", "1e+5"},
      {".5e-3", "0.0005"},  {".5Mi", "524288"},      {"01.5", "1.5"},        {"1._5", "1.5"},
      {"0K", "0"},          {"-12", "-12"},          {"+1.5", "1.5"},        {"1e+100", "1e+100"},
      {"9223372036854775808", "9223372036854775808"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"0xFFFFFFFFFFFFFFFFFF", "4722366482869645213695"},
      {"1234567890123456789012345678901234567890K", "1234567890123456789012345678901235000000000"},
      {"123456789012345678901234567890123456.789", "123456789012345678901234567890123456.789"},
  };
  for (auto [text, expected] : cases) EXPECT_EQ(literal(text).text(), expected) << text;
  EXPECT_EQ(literal(kManyNines).text(), kManyNines);
}

TEST_F(NumberTest, RejectsMalformedLiterals) {
  for (std::string_view text : {"", "-", ".", "_1", "1_", "1__0", "1_.5", "01", "00", "0x", "0b", "0b2", "0o8", "0B1",
                                "1e", "1e+", "1E", "1k", "1Ei", "1.0001K", ".0001K", "1Kix", "1.5.5", "0x1.5", "1 ",
                                "--1", "0b1_", "12a", ".K", "e5"}) {
    EXPECT_TRUE(rejects(text)) << text;
  }
}

TEST_F(NumberTest, RejectsNulBytes) {
  using namespace std::string_view_literals;
  for (std::string_view text : {"0\0"sv, "1\0"sv, "\0"sv, "1.5\0K"sv, "0x\0"sv}) EXPECT_TRUE(rejects(text));
}

TEST_F(NumberTest, KnowsTheKindOfALiteral) {
  EXPECT_TRUE(literal("1").is_int());
  EXPECT_TRUE(literal("1.5K").is_int());
  EXPECT_TRUE(literal("0x1E3").is_int());
  EXPECT_TRUE(literal("1.0").is_float());
  EXPECT_TRUE(literal("1e3").is_float());
  EXPECT_TRUE(literal("0e0").is_float());
}

TEST_F(NumberTest, PrintsForEachOutput) {
  EXPECT_EQ(literal("3e0").text(NumberStyle::cue), "3.0");
  EXPECT_EQ(literal("3e0").text(NumberStyle::json), "3");
  EXPECT_EQ(literal("3e0").text(NumberStyle::yaml), "3.");
  EXPECT_EQ(literal("1e3").text(NumberStyle::json), "1E+3");
  EXPECT_EQ(literal("1e3").text(NumberStyle::yaml), "1E+3");
  auto rounded = Number::add(arena_, literal(kManyNines), literal("1"));
  ASSERT_TRUE(rounded && rounded->is_int());
  EXPECT_EQ(rounded->text(NumberStyle::json), "1.000000000000000000000000000000000E+44");
  EXPECT_EQ(rounded->text(NumberStyle::yaml), "1.000000000000000000000000000000000e+44");
}

TEST_F(NumberTest, SwitchesToExponentsWhereCueDoes) {
  EXPECT_EQ(literal("0.000001").text(), "0.000001");
  EXPECT_EQ(literal("0.0000001").text(), "1e-7");
  EXPECT_EQ(literal("0.0000000000").text(), "0.0000000000");
  EXPECT_EQ(literal("0e-2000").text().size(), 2002u);
  EXPECT_EQ(literal("0e-2001").text(), "0e-2001");
  EXPECT_EQ(literal("1.5e-9").text(), "1.5e-9");
}

TEST_F(NumberTest, AddsAndSubtracts) {
  EXPECT_EQ(sum("1", "2"), "3");
  EXPECT_EQ(sum("2.50", "2.50"), "5.00");
  EXPECT_EQ(sum("1", "1.0"), "2.0");
  EXPECT_EQ(sum("1e3", "1"), "1001.0");
  EXPECT_EQ(sum("0.1", "0.2"), "0.3");
  EXPECT_EQ(sum("9223372036854775807", "1"), "9223372036854775808");
  EXPECT_EQ(sum("-9223372036854775808", "-1"), "-9223372036854775809");
  EXPECT_EQ(sum("9223372036854775808", "-1"), "9223372036854775807");
  EXPECT_EQ(difference("1e5", "1e5"), "0e+5");
  EXPECT_EQ(difference("5", "5.0"), "0.0");
  EXPECT_EQ(difference("0.5", "100"), "-99.5");
  EXPECT_EQ(sum("1e30", "1"), "1000000000000000000000000000001.0");
  EXPECT_EQ(sum("1e99999", "1"), "1.000000000000000000000000000000000e+99999");
}

TEST_F(NumberTest, RoundsToThirtyFourDigitsHalfUp) {
  EXPECT_EQ(sum(kManyNines, "1"), "1.000000000000000000000000000000000e+44");
  EXPECT_EQ(product(kManyNines, "10"), "1.000000000000000000000000000000000e+45");
  EXPECT_EQ(sum("1.0000000000000000000000000000000000000001", "0"), "1.000000000000000000000000000000000");
  EXPECT_EQ(sum("12345678901234567890123456789012344", "1"), "1.234567890123456789012345678901235e+34");
  EXPECT_EQ(sum("12345678901234567890123456789012343", "1"), "1.234567890123456789012345678901234e+34");
  EXPECT_EQ(sum("-12345678901234567890123456789012344", "-1"), "-1.234567890123456789012345678901235e+34");
}

TEST_F(NumberTest, Multiplies) {
  EXPECT_EQ(product("1.10", "1.10"), "1.2100");
  EXPECT_EQ(product("1e3", "1e3"), "1e+6");
  EXPECT_EQ(product("1e400", "1e400"), "1e+800");
  EXPECT_EQ(product("0", "1e3"), "0e+3");
  EXPECT_EQ(product("3037000500", "3037000500"), "9223372037000250000");
  EXPECT_EQ(product("4294967296", "4294967296"), "18446744073709551616");
}

TEST_F(NumberTest, KeepsTheSignOfAZeroProduct) {
  EXPECT_EQ(product("0", "-1"), "-0");
  EXPECT_EQ(product("0", "-1.0"), "-0.0");
  auto zero = Number::multiply(arena_, literal("0"), literal("-1"));
  EXPECT_EQ(show(Number::add(arena_, *zero, *zero)), "-0");
  EXPECT_EQ(show(Number::add(arena_, *zero, literal("0"))), "0");
  EXPECT_EQ(Number::negate(arena_, *zero).text(), "0");
  EXPECT_TRUE(Number::equal(*zero, literal("0")));
  EXPECT_EQ(zero->hash(), literal("0").hash());
}

TEST_F(NumberTest, Divides) {
  EXPECT_EQ(quotient("1", "2"), "0.5");
  EXPECT_EQ(quotient("4", "2"), "2.0");
  EXPECT_EQ(quotient("1", "3"), "0.3333333333333333333333333333333333");
  EXPECT_EQ(quotient("2", "3"), "0.6666666666666666666666666666666667");
  EXPECT_EQ(quotient("-1", "3"), "-0.3333333333333333333333333333333333");
  EXPECT_EQ(quotient("1e3", "2"), "5.0e+2");
  EXPECT_EQ(quotient("100", "1"), "1.0e+2");
  EXPECT_EQ(quotient("1000", "1e3"), "1.0");
  EXPECT_EQ(quotient("1e100", "3"), "3.333333333333333333333333333333333e+99");
  EXPECT_EQ(quotient("1e100", "2"), "5e+99");
  EXPECT_EQ(quotient("0", "5"), "0.0");
  EXPECT_EQ(quotient("0", "-5"), "0.0");
  EXPECT_EQ(quotient("0.0", "5"), "0.0");
  EXPECT_EQ(quotient("1", "0"), "none");
  EXPECT_EQ(quotient("0", "0.0"), "none");
  EXPECT_EQ(quotient("1e-99999", "10"), "1e-100000");
  EXPECT_EQ(quotient("1e-100000", "10"), "none");
  EXPECT_EQ(quotient("123456789012345678901234567890", "3"), "41152263004115226300411522630.0");
}

TEST_F(NumberTest, DividesIntegers) {
  struct Case {
    std::int64_t a, b, div, mod, quo, rem;
  };
  for (const Case& c : {Case{5, 3, 1, 2, 1, 2}, Case{-5, 3, -2, 1, -1, -2}, Case{5, -3, -1, 2, -1, 2},
                        Case{-5, -3, 2, 1, 1, -2}, Case{-6, 3, -2, 0, -2, 0}, Case{6, -1, -6, 0, -6, 0}}) {
    Number a = Number::from_int(c.a);
    Number b = Number::from_int(c.b);
    EXPECT_EQ(Number::int_div(arena_, a, b)->to_int64(), c.div);
    EXPECT_EQ(Number::int_mod(arena_, a, b)->to_int64(), c.mod);
    EXPECT_EQ(Number::int_quo(arena_, a, b)->to_int64(), c.quo);
    EXPECT_EQ(Number::int_rem(arena_, a, b)->to_int64(), c.rem);
    // The same through the large ones: add a multiple of b that does not fit in 64 bits.
    Number shifted = *Number::add(arena_, *Number::multiply(arena_, b, literal("100000000000000000000000")), a);
    EXPECT_EQ(Number::int_mod(arena_, shifted, b)->to_int64(), c.mod);
  }
  Number lowest = Number::from_int(std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(show(Number::int_quo(arena_, lowest, Number::from_int(-1))), "9223372036854775808");
  EXPECT_EQ(show(Number::int_rem(arena_, lowest, Number::from_int(-1))), "0");
  EXPECT_FALSE(Number::int_div(arena_, lowest, Number::from_int(0)));
  Number rounded = *Number::add(arena_, literal(kManyNines), literal("1"));
  EXPECT_EQ(show(Number::int_div(arena_, rounded, literal("7"))), "14285714285714285714285714285714285714285714");
  EXPECT_EQ(show(Number::int_quo(arena_, literal(kManyNines), literal("1"))), kManyNines);
}

TEST_F(NumberTest, ComparesByValue) {
  auto order = [&](std::string_view a, std::string_view b) { return Number::compare(literal(a), literal(b)); };
  EXPECT_EQ(order("1", "1.0"), std::strong_ordering::equal);
  EXPECT_EQ(order("1e3", "1000"), std::strong_ordering::equal);
  EXPECT_EQ(order("1.5", "1.50"), std::strong_ordering::equal);
  EXPECT_EQ(order("-2", "-1.5"), std::strong_ordering::less);
  EXPECT_EQ(order("-1e3", "-1e2"), std::strong_ordering::less);
  EXPECT_EQ(order("1e-100000", "0"), std::strong_ordering::greater);
  EXPECT_EQ(order("1e100000", kManyNines), std::strong_ordering::greater);
  EXPECT_EQ(order("9223372036854775808", "9223372036854775807"), std::strong_ordering::greater);
  EXPECT_EQ(order("9223372036854775808.0", "9223372036854775808"), std::strong_ordering::equal);
  EXPECT_EQ(order("-9223372036854775809", "-9223372036854775808.5"), std::strong_ordering::less);
  EXPECT_EQ(order("0.1", "0.09999"), std::strong_ordering::greater);
}

TEST_F(NumberTest, EqualNumbersHashAlike) {
  EXPECT_FALSE(Number::equal(literal("1"), literal("1.0")));
  for (auto [a, b] : {std::pair{"1.0", "1.000"}, {"1e3", "1000.0"}, {"-1.5", "-1.5000"}, {"0.0", "0e7"},
                      {"9223372036854775808.0", "9223372036854775808.00"}, {"12e-400", "1.2e-399"},
                      {"-123456789012345678901234567890.0", "-1.2345678901234567890123456789e29"}}) {
    EXPECT_TRUE(Number::equal(literal(a), literal(b))) << a;
    EXPECT_EQ(literal(a).hash(), literal(b).hash()) << a;
  }
  EXPECT_NE(literal("1").hash(), literal("1.0").hash());
  EXPECT_NE(literal("1").hash(), literal("-1").hash());
  EXPECT_NE(literal("1").hash(), literal("2").hash());
}

TEST_F(NumberTest, ConvertsToMachineTypes) {
  EXPECT_EQ(literal("1e3").to_int64(), 1000);
  EXPECT_EQ(literal("1.0").to_int64(), 1);
  EXPECT_EQ(literal("1.5").to_int64(), std::nullopt);
  EXPECT_EQ(literal("0e100").to_int64(), 0);
  EXPECT_EQ(literal("1e19").to_int64(), std::nullopt);
  EXPECT_EQ(literal("-9223372036854775808").to_int64(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(literal("-9223372036854775809").to_int64(), std::nullopt);
  EXPECT_EQ(literal("92233720368547758070.0").to_int64(), std::nullopt);
  EXPECT_EQ(literal("9223372036854775807.0").to_int64(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(literal("0.1").to_double(), 0.1);
  EXPECT_EQ(literal("123456789012345678901234567890e-20").to_double(), 1234567890.1234567890123456789);
  EXPECT_EQ(literal("1e400").to_double(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(literal("-1e400").to_double(), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(literal("1e-400").to_double(), 0.0);
  EXPECT_TRUE(literal("1.00").is_integral());
  EXPECT_FALSE(literal("0.5").is_integral());
  EXPECT_TRUE(literal("0.000").is_integral());
  EXPECT_EQ(literal("12.00").as_int(arena_)->text(), "12");
  EXPECT_EQ(literal("1e25").as_int(arena_)->text(), "10000000000000000000000000");
  EXPECT_EQ(literal("7").as_float().text(), "7.0");
}

TEST_F(NumberTest, TakesTheShortestDecimalOfADouble) {
  EXPECT_EQ(show(Number::from_double(arena_, 0.1)), "0.1");
  EXPECT_EQ(show(Number::from_double(arena_, 1.0)), "1.0");
  EXPECT_EQ(show(Number::from_double(arena_, 100.0)), "1e+2");
  EXPECT_EQ(show(Number::from_double(arena_, -2.5e-300)), "-2.5e-300");
  EXPECT_EQ(show(Number::from_double(arena_, std::nan(""))), "none");
  EXPECT_EQ(show(Number::from_double(arena_, std::numeric_limits<double>::infinity())), "none");
}

TEST_F(NumberTest, ReadsDecimals) {
  auto decimal = [&](std::string_view text) { return show(Number::parse_decimal(arena_, text)); };
  EXPECT_EQ(decimal("-0"), "0");
  EXPECT_EQ(decimal("-12.50E+2"), "-1250.0");
  EXPECT_EQ(decimal("+007"), "7");
  EXPECT_EQ(decimal("1_0"), "none");
  EXPECT_EQ(decimal("1K"), "none");
  EXPECT_EQ(decimal("-"), "none");
  EXPECT_EQ(decimal("1e"), "none");
}

TEST_F(NumberTest, RefusesExponentsOutOfRange) {
  EXPECT_EQ(literal("1e100000").text(), "1e+100000");
  EXPECT_EQ(literal("1e-100000").text(), "1e-100000");
  for (std::string_view text : {"1e100001", "1e-100001", "1e1000000000", "1e-99999999999999999999999", "10e100000",
                                "1.5e-100000"}) {
    EXPECT_TRUE(rejects(text)) << text;
  }
  EXPECT_EQ(product("1e100000", "10"), "none");
  EXPECT_EQ(product("1e-60000", "1e-60000"), "none");
  EXPECT_EQ(sum("1e-100000", "1e100000"), "none");
  EXPECT_EQ(quotient("1e-100000", "1e100000"), "none");
}

TEST_F(NumberTest, HoldsHostileSizesInCheck) {
  auto start = std::chrono::steady_clock::now();
  std::string digits(Number::kMaxDigits, '7');
  Number large = literal(digits);
  EXPECT_EQ(large.text(), digits);
  EXPECT_EQ(show(Number::int_quo(arena_, large, literal(digits))), "1");
  EXPECT_NE(show(Number::multiply(arena_, large, literal("0.1"))), "none");
  EXPECT_TRUE(rejects(digits + "7"));
  EXPECT_TRUE(rejects(std::string(50'000'000, '9')));
  EXPECT_TRUE(rejects("0x" + std::string(1'000'000, 'f')));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

}  // namespace
}  // namespace opm::base
