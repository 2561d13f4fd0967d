#include "cue/std/evaluate_fixture.h"

namespace opm::cue::standard {
namespace {

TEST(Math, Rounding) {
  expect_all({"math"}, {
    {"math.Floor(2.9)", "2"},
    {"math.Floor(-2.2)", "-3"},
    {"math.Floor(29e2)", "2900"},
    {"math.Ceil(2.1)", "3"},
    {"math.Ceil(-0.5)", "-0"},
    {"math.Trunc(-2.9)", "-2"},
    {"math.Trunc(1.5e3)", "1500"},
    {"math.Round(2.5)", "3"},
    {"math.Round(-2.5)", "-3"},
    {"math.Round(-2.4)", "-2"},
    {"math.RoundToEven(2.5)", "2"},
    {"math.RoundToEven(3.5)", "4"},
    {"math.RoundToEven(2.51)", "3"},
    {"math.Trunc(123456789012345678901234567890123456789.5)", "123456789012345678901234567890123456789"},
  });
  // Beyond 34 digits as well, where CUE gives 0.
  EXPECT_EQ(evaluate("math.Floor(123456789012345678901234567890123456789.5)", {"math"}), "123456789012345678901234567890123456789");
}

TEST(Math, SignsAndMultiples) {
  expect_all({"math"}, {
    {"math.Abs(-2.20)", "2.20"},
    {"math.Abs(-1.0)", "1"},
    {"math.Abs(12345678901234567890123456789012345678901)", "12345678901234567890123456789012350000000"},
    {"math.Copysign(5, -2.2)", "-5"},
    {"math.Copysign(0, -1)", "-0"},
    {"math.Copysign(-3.5, 0)", "3.5"},
    {"math.Dim(3, 2.5)", "0.5"},
    {"math.Dim(5, 7.2)", "0"},
    {"math.Signbit(-4)", "true"},
    {"math.Signbit(0)", "false"},
    {"math.MultipleOf(5, 2.5)", "true"},
    {"math.MultipleOf(5, 2)", "false"},
    {"math.MultipleOf(5, 0)", "error: error in call to math.MultipleOf: division by zero"},
    {"math.MultipleOf(0, 0)", "error: error in call to math.MultipleOf: division undefined"},
    {"9 & math.MultipleOf(3)", "9"},
    {"10 & math.MultipleOf(3)", "error: invalid value 10 (does not satisfy math.MultipleOf(3))"},
    {"math.Jacobi(1000, 201)", "1"},
    {"math.Jacobi(3, -5)", "-1"},
    {"math.Jacobi(1000, 2000)",
     "error: error in call to math.Jacobi: big: invalid 2nd argument to Int.Jacobi: need odd integer but got 2000"},
  });
}

TEST(Math, PowersAndRoots) {
  expect_all({"math"}, {
    {"math.Pow(8, 4)", "4096"},
    {"math.Pow(2, -1)", "0.5000000000000000000000000000000000"},
    {"math.Pow(2.5, 2)", "6.25"},
    {"math.Pow(1.10, 2)", "1.2100"},
    {"math.Pow(-2.5, 3)", "-15.625"},
    {"math.Pow(4, 0.5)", "2"},
    {"math.Pow(2.25, 0.5)", "1.500000000000000000000000000000000"},
    {"math.Pow(3.0, 0.25)", "1.316074012952492460819218901796999"},
    {"math.Pow(12345678901234567890, 2)", "152415787532388367501905199875019100000"},
    {"math.Pow(2, -100000)", "1.000998903798694166816264713193306E-30103"},
    {"math.Pow(1, 1e40)", "1"},
    {"math.Pow(0, 0)", "error: error in call to math.Pow: invalid operation"},
    {"math.Pow(-2, 0.5)", "error: error in call to math.Pow: invalid operation"},
    {"math.Pow(10, 1e9)", "error: error in call to math.Pow: exponent out of range"},
    {"math.Pow10(4)", "10000"},
    {"math.Pow10(-4)", "0.0001"},
    {"math.Cbrt(2)", "1.259921049894873164767210607278228"},
    {"math.Cbrt(-27)", "-3"},
    {"math.Cbrt(0.001)", "0.1000000000000000000000000000000000"},
    {"math.Sqrt(2)", "1.4142135623730951"},
    {"math.Sqrt(4)", "2"},
  });
}

TEST(Math, ExponentialsAndLogarithms) {
  expect_all({"math"}, {
    {"math.Exp(0)", "1"},
    {"math.Exp(3)", "20.08553692318766774092852965458172"},
    {"math.Exp(-700)", "9.859676543759770856705372947849465E-305"},
    {"math.Exp(1e9)", "error: error in call to math.Exp: overflow"},
    {"math.Exp2(3.5)", "11.31370849898476039041350979367758"},
    {"math.Exp2(-2)", "0.2500000000000000000000000000000000"},
    {"math.Log(4)", "1.386294361119890618834464242916353"},
    {"math.Log(32.45)", "3.479700443150099001242770375542286"},
    {"math.Log(-1)", "error: error in call to math.Log: invalid operation"},
    {"math.Log10(2)", "0.3010299956639811952137388947244930"},
    {"math.Log10(1000)", "3"},
    {"math.Log2(5)", "2.321928094887362347870319429489391"},
    {"math.Log2(8)", "3"},
  });
  EXPECT_EQ(evaluate("math.Log(0)", {"math"}), "error: error in call to math.Log: result is infinite");
}

TEST(Math, FunctionsOfFloats) {
  expect_all({"math"}, {
    {"math.Sin(1)", "0.8414709848078965"},
    {"math.Cos(1)", "0.5403023058681398"},
    {"math.Atan2(1, 2)", "0.4636476090008061"},
    {"math.Hypot(3, 4)", "5"},
    {"math.Mod(7.5, 2)", "1.5"},
    {"math.Remainder(7, 4)", "-1"},
    {"math.Ldexp(1, 3)", "8"},
    {"math.Ilogb(8)", "3"},
    {"math.Logb(8)", "3"},
    {"math.Erfinv(0.5)", "0.4769362762044699"},
    {"math.Erfcinv(0.5)", "0.4769362762044699"},
    {"math.Gamma(5)", "24"},
    {"math.J0(1)", "0.7651976865579666"},
  });
  EXPECT_EQ(evaluate("math.Sqrt(-1)", {"math"}), "error: error in call to math.Sqrt: result is not a number");
  EXPECT_EQ(evaluate("math.Asin(2.0e400)", {"math"}),
            "error: error in call to math.Asin: cannot use 2.0E+400 (type float) as float64 in argument 0: value was rounded up");
}

TEST(Math, Values) {
  expect_all({"math"}, {
    {"math.Pi", "3.14159265358979323846264338327950288419716939937510582097494459"},
    {"math.MaxExp", "2147483647"},
    {"math.ToNegativeInf", "4"},
  });
}

TEST(MathBits, Operations) {
  expect_all({"math/bits"}, {
    {"bits.Lsh(0x8, 4)", "128"},
    {"bits.Lsh(-3, 70)", "-3541774862152233910272"},
    {"bits.Rsh(0x100, 4)", "16"},
    {"bits.Rsh(-5, 1)", "-3"},
    {"bits.At(0x100, 8)", "1"},
    {"bits.At(-1, 100)", "1"},
    {"bits.Set(0x100, 7, 1)", "384"},
    {"bits.And(0x10000000000000F0E, 0xF0F7)", "6"},
    {"bits.Or(8, 1)", "9"},
    {"bits.Xor(0xFF0, 0x10000000000000F0F)", "18446744073709551871"},
    {"bits.Clear(0xF, 8)", "7"},
    {"bits.OnesCount(0x10000000000000F0E)", "8"},
    {"bits.OnesCount(-7)", "3"},
    {"bits.Len(0x1000)", "13"},
    {"bits.Len(0)", "0"},
  });
  EXPECT_EQ(evaluate("bits.Lsh(1, 1000000000000)", {"math/bits"}), "error: error in call to math/bits.Lsh: result of more than 1048576 bits");
}

}  // namespace
}  // namespace opm::cue::standard
