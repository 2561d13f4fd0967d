#include "data/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace opm::data {
namespace {

// Both ways of checking have to agree, so each case is tried short and long, with what matters
// at the start, in the middle and at the end.
void expect_utf8(std::string_view piece, bool valid) {
  EXPECT_EQ(is_utf8(piece), valid);
  for (std::size_t before : {std::size_t{0}, std::size_t{7}, std::size_t{8}, std::size_t{9}, std::size_t{5} << 20}) {
    for (std::size_t after : {std::size_t{0}, std::size_t{1}, std::size_t{8}, std::size_t{5} << 20}) {
      std::string text = std::string(before, 'a') + std::string(piece) + std::string(after, 'b');
      EXPECT_EQ(is_utf8(text), valid) << before << " before, " << after << " after";
    }
  }
}

TEST(Utf8, AcceptsEveryLength) {
  expect_utf8("", true);
  expect_utf8("plain", true);
  expect_utf8("\xC3\xA9", true);
  expect_utf8("\xE2\x82\xAC", true);
  expect_utf8("\xF0\x9F\x98\x80", true);
  expect_utf8(std::string_view("\0", 1), true);
}

TEST(Utf8, RefusesWhatIsNot) {
  expect_utf8("\xFF", false);
  expect_utf8("\x80", false);
  expect_utf8("\xC3", false);
  expect_utf8("\xC0\xAF", false);
  expect_utf8("\xED\xA0\x80", false);
  expect_utf8("\xF4\x90\x80\x80", false);
}

}  // namespace
}  // namespace opm::data
