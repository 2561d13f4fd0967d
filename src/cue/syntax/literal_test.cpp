#include "cue/syntax/literal.h"

#include <gtest/gtest.h>

namespace opm::cue::syntax {
namespace {

std::string value(std::string_view token) {
  base::Arena arena;
  auto result = unquote(arena, token);
  return result ? std::string(*result) : "error: " + result.error().message;
}

// Eight bytes are looked at together: what has to be decoded is found wherever it stands.
TEST(Literal, PlainStringsOfAnyLength) {
  for (std::size_t size = 0; size < 20; ++size) {
    std::string plain;
    for (std::size_t i = 0; i < size; ++i) plain += static_cast<char>("~ !#[]'0z\x7f"[i % 10]);
    EXPECT_EQ(value("\"" + plain + "\""), plain);
    for (std::size_t at = 0; at < size; ++at) {
      std::string before = plain.substr(0, at), behind = plain.substr(at + 1);
      EXPECT_EQ(value("\"" + before + "\\n" + behind + "\""), before + "\n" + behind);
      EXPECT_EQ(value("\"" + before + "\xc3\xa4" + behind + "\""), before + "\xc3\xa4" + behind);
      EXPECT_TRUE(value("\"" + before + "\"" + behind + "\"").starts_with("error: ")) << size << ' ' << at;
      EXPECT_TRUE(value("\"" + before + "\n" + behind + "\"").starts_with("error: "));
    }
  }
}

TEST(Literal, PlainStringsAreViewsOfTheToken) {
  base::Arena arena;
  std::string_view token = "\"plain text\"";
  auto result = unquote(arena, token);
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, "plain text");
  EXPECT_EQ(result->data(), token.data() + 1);
}

TEST(Literal, Escapes) {
  EXPECT_EQ(value(R"("\a\b\f\n\r\t\v\/\\\"")"), "\a\b\f\n\r\t\v/\\\"");
  EXPECT_EQ(value(R"("\u00e9\U0001F600")"), "\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_EQ(value(R"('\x41\101\'\xff')"), "AA'\xff");
  EXPECT_EQ(value(R"("\'")"), "error: invalid syntax");
  EXPECT_EQ(value(R"("\x41")"), "error: invalid syntax");
  EXPECT_EQ(value(R"('\400')"), "error: invalid syntax");
  EXPECT_EQ(value(R"("\U00110000")"), "error: invalid syntax");
  EXPECT_EQ(value(R"("\q")"), "error: invalid syntax");
}

TEST(Literal, Surrogates) {
  EXPECT_EQ(value(R"("\ud83d\ude00")"), "\xF0\x9F\x98\x80");
  EXPECT_EQ(value(R"("\ud83d")"), "error: unmatched surrogate pair");
  EXPECT_EQ(value(R"("\ude00")"), "error: unmatched surrogate pair");
  EXPECT_EQ(value(R"("\ud83dx")"), "error: unmatched surrogate pair");
  EXPECT_EQ(value(R"(#"\#ud83d\#ude00"#)"), "\xF0\x9F\x98\x80");
}

TEST(Literal, RawStrings) {
  EXPECT_EQ(value(R"(#"a\n"b"\#n"#)"), "a\\n\"b\"\n");
  EXPECT_EQ(value(R"(##"x"#y"##)"), "x\"#y");
  EXPECT_EQ(value(R"(#"""#)"), "\"");
  EXPECT_EQ(value(R"(#""#)"), "");
  EXPECT_EQ(value(R"(#"x"##)"), "error: invalid string: unmatched quote");
}

TEST(Literal, MultilineStrings) {
  EXPECT_EQ(value("\"\"\"\n\tone\n\t  two\n\n\tthree\n\t\"\"\""), "one\n  two\n\nthree");
  EXPECT_EQ(value("\"\"\"\n\t\"\"\""), "");
  EXPECT_EQ(value("\"\"\"\n\n\t\"\"\""), "");
  EXPECT_EQ(value("'''\n  \\x41\n  '''"), "A");
  EXPECT_EQ(value("\"\"\"\r\n  a\r\n  b\r\n  \"\"\""), "a\nb");
  EXPECT_EQ(value("\"\"\"\n\ta \\\n\tb\n\t\"\"\""), "a b");
  EXPECT_EQ(value("\"\"\"\n\ta\\\n\t\"\"\""), "error: last newline of multiline string cannot be escaped");
  EXPECT_EQ(value("\"\"\"\n  \"\"quoted\"\"\n  \"\"\""), "\"\"quoted\"\"");
  EXPECT_EQ(value("#\"\"\"\n  \\(x)\\#t\n  \"\"\"#"), "\\(x)\t");
  EXPECT_EQ(value("\"\"\"\n\t\tone\n\ttwo\n\t\t\"\"\""),
            "error: invalid string: non-matching whitespace for multiline string (expected \"\\t\\t\", got \"\\t\")");
  EXPECT_EQ(value("\"\"\"\n one\n  \"\"\""),
            "error: invalid string: non-matching whitespace for multiline string (expected \"  \", got \" \")");
}

TEST(Literal, BrokenInput) {
  EXPECT_EQ(value(""), "error: invalid syntax");
  EXPECT_EQ(value("#"), "error: invalid syntax");
  EXPECT_EQ(value("abc"), "error: invalid syntax");
  EXPECT_EQ(value("\""), "error: invalid string: unmatched quote");
  EXPECT_EQ(value("\"a"), "error: invalid string: unmatched quote");
  EXPECT_EQ(value("\"a\"b\""), "error: invalid syntax");
  EXPECT_EQ(value("\"a\nb\""), "error: invalid syntax");
  EXPECT_EQ(value("\"\xff\""), "error: invalid UTF-8 encoding");
  EXPECT_EQ(value(std::string_view("\"\0\"", 3)), "error: invalid syntax");
  EXPECT_EQ(value("\"\"\"x\n\"\"\""),
            "error: invalid string: opening quote of multiline string must be followed by newline");
  EXPECT_EQ(value("\"\"\"\nx\"\"\""), "error: invalid string: closing quote of multiline string must follow a newline");
}

TEST(Literal, InterpolationParts) {
  base::Arena arena;
  auto info = parse_quotes("#\"a\\#t\\#(", ") z\"#");
  ASSERT_TRUE(info);
  EXPECT_EQ(info->hashes, 1u);
  EXPECT_FALSE(info->is_bytes);
  EXPECT_EQ(unquote_part(arena, *info, "#\"a\\#t\\#(").value(), "a\t");
  EXPECT_EQ(unquote_part(arena, *info, ") mid \\#(").value(), " mid ");
  EXPECT_EQ(unquote_part(arena, *info, ") z\"#").value(), " z");

  auto lines = parse_quotes("\"\"\"\n\tx: \\(", ")\n\t\"\"\"");
  ASSERT_TRUE(lines);
  EXPECT_EQ(lines->indent, "\t");
  EXPECT_EQ(unquote_part(arena, *lines, "\"\"\"\n\tx: \\(").value(), "x: ");
  EXPECT_EQ(unquote_part(arena, *lines, ")\n\ty: \\(").value(), "\ny: ");
  EXPECT_EQ(unquote_part(arena, *lines, ")\n\t\"\"\"").value(), "");
  EXPECT_FALSE(unquote_part(arena, *lines, ")\ny: \\("));
}

TEST(Literal, Quote) {
  EXPECT_EQ(quote("plain"), "\"plain\"");
  EXPECT_EQ(quote("a\"b\\c\n\t\x01\x7f"), R"("a\"b\\c\n\t\u0001\u007f")");
  EXPECT_EQ(quote("\xC3\xA9\xF0\x9F\x98\x80"), "\"\xC3\xA9\xF0\x9F\x98\x80\"");
  EXPECT_EQ(quote("\xE2\x80\x8B"), R"("\u200b")");
  EXPECT_EQ(quote("\xff"), "\"\xEF\xBF\xBD\"");
  EXPECT_EQ(quote_bytes(std::string_view("a'\x00\xff\x7f\n", 6)), R"('a\'\x00\xff\u007f\n')");
}

TEST(Literal, QuoteMultiline) {
  EXPECT_EQ(quote_multiline("a\n\n b\tc\n", "\t"), "\"\"\"\n\ta\n\n\t b\\tc\n\n\t\"\"\"");
  EXPECT_EQ(quote_multiline("", "  "), "\"\"\"\n  \"\"\"");
  EXPECT_EQ(quote_multiline("x\"y", ""), "\"\"\"\nx\"y\n\"\"\"");
  EXPECT_EQ(quote_multiline("x\"\"\"#\\", ""), "##\"\"\"\nx\"\"\"#\\##\\\n\"\"\"##");
  EXPECT_EQ(quote_multiline_bytes("\x80\n", ""), "'''\n\\x80\n\n'''");
}

TEST(Literal, QuotedTextReadsBack) {
  for (std::string_view text :
       {"", "a", "\n", "\n\n", "a\nb", "\"\"\"", "'''##", "tab\tquote\" back\\ \xC3\xA9\n x\n"}) {
    EXPECT_EQ(value(quote(text)), text);
    EXPECT_EQ(value(quote_bytes(text)), text);
    EXPECT_EQ(value(quote_multiline(text, "\t")), text);
    EXPECT_EQ(value(quote_multiline_bytes(text, "  ")), text);
  }
}

TEST(Literal, Labels) {
  EXPECT_EQ(quote_label("foo"), "foo");
  EXPECT_EQ(quote_label("if"), "if");
  EXPECT_EQ(quote_label("$x1"), "$x1");
  EXPECT_EQ(quote_label("\xC3\xA9"), "\xC3\xA9");
  EXPECT_EQ(quote_label("_x"), "\"_x\"");
  EXPECT_EQ(quote_label("#x"), "\"#x\"");
  EXPECT_EQ(quote_label("a-b"), "\"a-b\"");
  EXPECT_EQ(quote_label("1a"), "\"1a\"");
  EXPECT_EQ(quote_label(""), "\"\"");
  EXPECT_TRUE(is_valid_identifier("_#a"));
  EXPECT_TRUE(is_valid_identifier("_1"));
  EXPECT_FALSE(is_valid_identifier("#1"));
  EXPECT_FALSE(is_valid_identifier("a b"));
}

}  // namespace
}  // namespace opm::cue::syntax
