#include "base/unicode.h"

#include <gtest/gtest.h>

namespace opm::base {
namespace {

TEST(Unicode, DecodesWhatItEncodes) {
  for (char32_t c : {U'a', U'\u00e9', U'\u20ac', U'\U0001F600', U'\U0010FFFF'}) {
    std::string text;
    append_utf8(text, c);
    DecodedCharacter decoded = decode_utf8(text);
    EXPECT_TRUE(decoded.valid);
    EXPECT_EQ(decoded.value, c);
    EXPECT_EQ(decoded.size, text.size());
  }
}

TEST(Unicode, BrokenSequencesTakeOneByte) {
  for (std::string_view text :
       {"\x80", "\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\xF4\x90\x80\x80"}) {
    DecodedCharacter decoded = decode_utf8(text);
    EXPECT_FALSE(decoded.valid);
    EXPECT_EQ(decoded.size, 1u);
  }
  EXPECT_EQ(find_invalid_utf8("ab\xE2\x82\xAC\xFFz"), 5u);
  EXPECT_EQ(find_invalid_utf8("plain \xE2\x82\xAC"), std::string_view::npos);
}

// Text is checked in pieces of several bytes, so each case is tried at all distances from their borders.
TEST(Unicode, FindsWhatIsInvalidWhereverItStands) {
  for (std::string_view piece : {"", "plain", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) {
    for (std::size_t before = 0; before < 70; ++before) {
      for (std::size_t after : {0, 1, 8, 31, 32, 33, 64}) {
        std::string text = std::string(before, 'a') + std::string(piece) + std::string(after, 'b');
        EXPECT_EQ(find_invalid_utf8(text), std::string_view::npos) << piece << ", " << before << " before, " << after << " after";
      }
    }
  }
  for (std::string_view piece : {"\xFF", "\x80", "\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80"}) {
    for (std::size_t before = 0; before < 70; ++before) {
      for (std::size_t after : {0, 1, 8, 31, 32, 33, 64}) {
        std::string text = std::string(before, 'a') + std::string(piece) + std::string(after, 'b');
        EXPECT_EQ(find_invalid_utf8(text), before) << after << " after";
      }
    }
  }
}

TEST(Unicode, SurrogatesAreReplaced) {
  std::string text;
  append_utf8(text, 0xD800);
  EXPECT_EQ(text, "\xEF\xBF\xBD");
}

TEST(Unicode, Classes) {
  EXPECT_TRUE(is_letter(U'\u00e9'));
  EXPECT_TRUE(is_letter(U'\u6f22'));
  EXPECT_FALSE(is_letter(U'\u20ac'));
  EXPECT_TRUE(is_digit(U'\u0663'));
  EXPECT_FALSE(is_digit(U'\u00b2'));
  EXPECT_TRUE(is_printable(U'\u20ac'));
  EXPECT_FALSE(is_printable(U'\u00ad'));
  EXPECT_FALSE(is_printable(0x7F));
  EXPECT_TRUE(is_space(U'\u2028'));
}

}  // namespace
}  // namespace opm::base
