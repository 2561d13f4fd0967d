#include "cue/std/evaluate_fixture.h"

namespace opm::cue::standard {
namespace {

TEST(Strconv, Integers) {
  expect_all({"strconv"}, {
    {R"(strconv.Atoi("40000000000000000000"))", "40000000000000000000"},
    {R"(strconv.Atoi("-12"))", "-12"},
    {R"(strconv.Atoi("1_0"))", R"(error: error in call to strconv.Atoi: strconv.Atoi: parsing "1_0": invalid syntax)"},
    {R"(strconv.Atoi(""))", R"(error: error in call to strconv.Atoi: strconv.Atoi: parsing "": invalid syntax)"},
    {R"(strconv.ParseInt("-128", 10, 8))", "-128"},
    {R"(strconv.ParseInt("128", 10, 8))", R"(error: error in call to strconv.ParseInt: strconv.ParseInt: parsing "128": value out of range)"},
    {R"(strconv.ParseInt("0x_1F", 0, 0))", "31"},
    {R"(strconv.ParseInt("017", 0, 0))", "15"},
    {R"(strconv.ParseInt("zZ", 36, 0))", "1295"},
    {R"(strconv.ParseInt("zZ", 62, 0))", "2231"},
    {R"(strconv.ParseInt("12", 2, 0))", R"(error: error in call to strconv.ParseInt: strconv.ParseInt: parsing "12": invalid syntax)"},
    {R"(strconv.ParseUint("FF", 16, 8))", "255"},
    {R"(strconv.ParseUint("-1", 10, 8))", R"(error: error in call to strconv.ParseUint: strconv.ParseUint: parsing "-1": value out of range)"},
    {"strconv.FormatInt(-255, 16)", R"("-ff")"},
    {"strconv.FormatInt(61, 62)", R"("Z")"},
    {"strconv.FormatInt(35, 62)", R"("z")"},
    {"strconv.FormatUint(170141183460469231731687303715884105728, 10)", R"("170141183460469231731687303715884105728")"},
  });
}

TEST(Strconv, Floats) {
  expect_all({"strconv"}, {
    {R"(strconv.ParseFloat("1.5", 64))", "1.5"},
    {R"(strconv.ParseFloat("1_000.5", 64))", "1000.5"},
    {R"(strconv.ParseFloat("0x1p-2", 64))", "0.25"},
    {R"(strconv.ParseFloat("0.1", 32))", "0.10000000149011612"},
    {R"(strconv.ParseFloat("1e400", 64))", R"(error: error in call to strconv.ParseFloat: strconv.ParseFloat: parsing "1e400": value out of range)"},
    {R"(strconv.ParseFloat("1.5 ", 64))", R"(error: error in call to strconv.ParseFloat: strconv.ParseFloat: parsing "1.5 ": invalid syntax)"},
    {"strconv.FormatFloat(3.14159, 103, -1, 64)", R"("3.14159")"},
    {"strconv.FormatFloat(3.14159, 101, 4, 64)", R"("3.1416e+00")"},
    {"strconv.FormatFloat(3.14159, 69, -1, 64)", R"("3.14159E+00")"},
    {"strconv.FormatFloat(1e21, 102, -1, 64)", R"("1000000000000000000000")"},
    {"strconv.FormatFloat(2.5, 102, 0, 64)", R"("2")"},
    {"strconv.FormatFloat(123456789, 103, -1, 64)", R"("1.23456789e+08")"},
    {"strconv.FormatFloat(100000, 103, -1, 64)", R"("100000")"},
    {"strconv.FormatFloat(0.00001, 103, -1, 64)", R"("1e-05")"},
    {"strconv.FormatFloat(1234.5678, 103, 6, 64)", R"("1234.57")"},
    {"strconv.FormatFloat(1.5, 103, 10, 64)", R"("1.5")"},
    {"strconv.FormatFloat(0.1, 103, -1, 32)", R"("0.1")"},
    {"strconv.FormatFloat(1.5, 98, -1, 64)", R"("6755399441055744p-52")"},
    {"strconv.FormatFloat(1.5, 120, -1, 64)", R"("0x1.8p+00")"},
    {"strconv.FormatFloat(-255.75, 88, 3, 64)", R"("-0X1.FF8P+07")"},
    {"strconv.FormatFloat(1, 122, -1, 64)", R"("%z")"},
    {"strconv.FormatFloat(0, 103, -1, 64)", R"("0")"},
    {"strconv.FormatFloat(0, 101, 2, 64)", R"("0.00e+00")"},
  });
  EXPECT_EQ(evaluate(R"(strconv.FormatFloat(3.14159, "f", 2, 64))", {"strconv"}), R"("3.14")");
  EXPECT_EQ(evaluate("strconv.FormatFloat(1, 300, 2, 64)", {"strconv"}),
            "error: error in call to strconv.FormatFloat: format value 300 out of range [0, 255]");
}

TEST(Strconv, NumberLiterals) {
  EXPECT_EQ(evaluate(R"(strconv.ParseNumber("1Ki"))", {"strconv"}), "1024");
  EXPECT_EQ(evaluate(R"(strconv.ParseNumber("-.5"))", {"strconv"}), "-0.5");
  EXPECT_EQ(evaluate(R"(strconv.ParseNumber("1_"))", {"strconv"}),
            R"(error: error in call to strconv.ParseNumber: strconv.ParseNumber: parsing "1_": illegal '_' in number)");
  EXPECT_EQ(evaluate(R"(strconv.ParseNumber("0xG"))", {"strconv"}),
            R"(error: error in call to strconv.ParseNumber: strconv.ParseNumber: parsing "0xG": illegal hexadecimal number "0xG")");
}

TEST(Strconv, Booleans) {
  expect_all({"strconv"}, {
    {R"(strconv.ParseBool("T"))", "true"},
    {R"(strconv.ParseBool("yes"))", R"(error: error in call to strconv.ParseBool: strconv.ParseBool: parsing "yes": invalid syntax)"},
    {"strconv.FormatBool(false)", R"("false")"},
  });
}

TEST(Strconv, Quotes) {
  expect_all({"strconv"}, {
    {R"(strconv.Quote("a\"b\n☺\u0007\u00a0"))", R"("\"a\\\"b\\n☺\\a\\u00a0\"")"},
    {R"(strconv.QuoteToASCII("☺\U0001F600"))", R"("\"\\u263a\\U0001f600\"")"},
    {R"(strconv.QuoteToGraphic("\u00a0\t"))", R"("\"\u00a0\\t\"")"},
    {"strconv.QuoteRune(0x263a)", R"("'☺'")"},
    {"strconv.QuoteRune(39)", R"("'\\''")"},
    {"strconv.QuoteRuneToASCII(0x263a)", R"("'\\u263a'")"},
    {"strconv.IsPrint(0xad)", "false"},
    {"strconv.IsGraphic(0xa0)", "true"},
    {R"(strconv.Unquote("\"a\\tb\""))", R"("a\tb")"},
    {R"(strconv.Unquote("#\"a\\tb\"#"))", R"("a\\tb")"},
    {"strconv.IntSize", "64"},
  });
}

}  // namespace
}  // namespace opm::cue::standard
