#include "base/joined.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

namespace opm::base {
namespace {

TEST(Joined, PutsTheSeparatorBetweenTexts) {
  EXPECT_EQ(joined(std::vector<std::string>{"a", "b", "c"}, ", "), "a, b, c");
  EXPECT_EQ(joined(std::set<std::string_view>{"b", "a"}, "+"), "a+b");
}

TEST(Joined, KeepsEmptyTexts) {
  EXPECT_EQ(joined(std::array<std::string_view, 3>{"", "x", ""}, "|"), "|x|");
  EXPECT_EQ(joined(std::vector<std::string>{}, ", "), "");
}

}  // namespace
}  // namespace opm::base
