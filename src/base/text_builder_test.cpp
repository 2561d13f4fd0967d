#include "base/text_builder.h"

#include <gtest/gtest.h>

namespace opm::base {
namespace {

TEST(TextBuilderTest, AddsPiecesOfEveryLength) {
  std::string source;
  for (int i = 0; i < 100; ++i) source.push_back(static_cast<char>('a' + i % 26));
  std::string text = "before";
  std::string expected = text;
  {
    TextBuilder builder(text);
    for (std::size_t length = 0; length <= source.size(); ++length) {
      builder.add(std::string_view(source).substr(source.size() - length));
      builder.add('|');
      expected += source.substr(source.size() - length) + "|";
    }
    EXPECT_EQ(builder.view(), expected);
    EXPECT_EQ(builder.size(), expected.size());
  }
  EXPECT_EQ(text, expected);
}

TEST(TextBuilderTest, AddsSpacesAndNothingBehindThem) {
  std::string text;
  std::string expected;
  {
    TextBuilder builder(text);
    for (std::size_t count = 0; count < 70; ++count) {
      builder.add_spaces(count);
      builder.add('x');
      expected += std::string(count, ' ') + "x";
    }
  }
  EXPECT_EQ(text, expected);
}

TEST(TextBuilderTest, LeavesATextThatNothingIsAddedToAsItIs) {
  std::string text = "as it is";
  { TextBuilder builder(text); }
  EXPECT_EQ(text, "as it is");
}

TEST(TextBuilderTest, GoesOnBehindATextWithRoomForMore) {
  std::string text = "a";
  text.reserve(5000);
  {
    TextBuilder builder(text);
    for (int i = 0; i < 10000; ++i) builder.add('b');
  }
  EXPECT_EQ(text, "a" + std::string(10000, 'b'));
}

}  // namespace
}  // namespace opm::base
