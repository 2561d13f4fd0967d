#include "lsp/text_position.h"

#include <gtest/gtest.h>

#include <string>

namespace opm::lsp {
namespace {

std::size_t offset(std::string_view text, std::uint32_t line, std::uint32_t character,
                   Encoding encoding = Encoding::utf16) {
  return LineIndex(text).offset(text, {line, character}, encoding);
}

TEST(TextPosition, CountsUtf16Units) {
  std::string text = "a\n\u00e9\U0001F389x\n";  // é has 2 bytes and 1 unit, the party popper 4 bytes and 2 units
  EXPECT_EQ(offset(text, 1, 0), 2u);
  EXPECT_EQ(offset(text, 1, 1), 4u);
  EXPECT_EQ(offset(text, 1, 3), 8u);
  EXPECT_EQ(offset(text, 1, 4), 9u);
  EXPECT_EQ(position_at(text, 8, Encoding::utf16), (TextPosition{1, 3}));
  EXPECT_EQ(position_at(text, 8, Encoding::utf8), (TextPosition{1, 6}));
  EXPECT_EQ(offset(text, 1, 6, Encoding::utf8), 8u);
}

TEST(TextPosition, StaysBeforeACharacterThatItWouldSplit) {
  std::string text = "\U0001F389x";
  EXPECT_EQ(offset(text, 0, 1), 0u);
  EXPECT_EQ(offset(text, 0, 2, Encoding::utf8), 0u);
  EXPECT_EQ(position_at(text, 2, Encoding::utf16), (TextPosition{0, 0}));
}

TEST(TextPosition, StopsAtEndsOfLinesAndOfTheText) {
  std::string text = "ab\r\ncd\re";
  EXPECT_EQ(offset(text, 0, 99), 2u);
  EXPECT_EQ(offset(text, 1, 99), 6u);
  EXPECT_EQ(offset(text, 2, 99), 8u);
  EXPECT_EQ(offset(text, 3, 0), 8u);
  EXPECT_EQ(position_at(text, 3, Encoding::utf16), (TextPosition{0, 2}));
  EXPECT_EQ(position_at(text, 99, Encoding::utf16), (TextPosition{2, 1}));
  EXPECT_EQ(offset("", 0, 0), 0u);
}

TEST(TextPosition, CountsBrokenBytesOneByOne) {
  std::string text =
      "\xff\xfe"
      "a";
  EXPECT_EQ(offset(text, 0, 2), 2u);
  EXPECT_EQ(position_at(text, 2, Encoding::utf16), (TextPosition{0, 2}));
}

}  // namespace
}  // namespace opm::lsp
