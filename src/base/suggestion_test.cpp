#include "base/suggestion.h"

#include <gtest/gtest.h>

namespace opm::base {
namespace {

std::string_view nearest(std::string_view name, std::initializer_list<std::string_view> candidates) {
  Suggestion suggestion(name);
  for (std::string_view candidate : candidates) suggestion.consider(candidate);
  return suggestion.best();
}

TEST(Suggestion, FindsTheNearest) {
  EXPECT_EQ(nearest("replcias", {"replicas", "selector", "template"}), "replicas");
  EXPECT_EQ(nearest("imge", {"name", "image", "images"}), "image");
}

TEST(Suggestion, KeepsQuietWhenNothingIsNear) {
  EXPECT_EQ(nearest("foo", {"template", "bar"}), "");
  EXPECT_EQ(nearest("a", {"b"}), "");
  EXPECT_EQ(nearest(std::string(1000, 'x'), {std::string_view("x")}), "");
}

TEST(Suggestion, TheFirstOfEquallyNearOnesWins) { EXPECT_EQ(nearest("cat", {"bat", "hat"}), "bat"); }

}  // namespace
}  // namespace opm::base
