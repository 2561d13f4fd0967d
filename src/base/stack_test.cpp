#include "base/stack.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace opm::base {
namespace {

TEST(Stack, GrowsAndShrinksAtItsEnd) {
  Stack<int> stack;
  EXPECT_TRUE(stack.empty());
  for (int i = 0; i < 1000; ++i) {
    stack.push_back(i);
    ASSERT_EQ(stack.size(), static_cast<std::size_t>(i) + 1);
    ASSERT_EQ(stack.back(), i);
    ASSERT_EQ(stack.front(), 0);
  }
  EXPECT_TRUE(std::ranges::is_sorted(stack.view()));
  EXPECT_EQ(stack.view().size(), 1000u);
  stack.pop_back();
  EXPECT_EQ(stack.back(), 998);
  stack.cut(3);
  EXPECT_EQ(stack.size(), 3u);
  EXPECT_EQ(stack[2], 2);
  stack.cut(3);
  stack.push_back(7);
  EXPECT_EQ(stack.back(), 7);
  stack.clear();
  EXPECT_TRUE(stack.empty());
}

TEST(Stack, TakesOneOfItsOwnWhenItIsFull) {
  Stack<long> stack;
  stack.push_back(5);
  for (int i = 0; i < 300; ++i) stack.push_back(stack.front());
  EXPECT_TRUE(std::ranges::all_of(stack.view(), [](long item) { return item == 5; }));
}

}  // namespace
}  // namespace opm::base
