#include "data/tree.h"

#include <gtest/gtest.h>

#include "data/json.h"

namespace opm::data {
namespace {

Value json(std::string text) {
  diag::SourceMap sources;
  auto value = read_json(*sources.add("test.json", std::move(text)));
  EXPECT_TRUE(value.has_value());
  return value.value_or(Value{});
}

TEST(TreeTest, FindsMembers) {
  Value value = json(R"({"a": {"b": [1]}, "c": null})");
  ASSERT_NE(value.find("a"), nullptr);
  EXPECT_EQ(value.find("b"), nullptr);
  ASSERT_NE(value.find_path({"a", "b"}), nullptr);
  EXPECT_TRUE(value.find_path({"a", "b"})->is_list());
  EXPECT_EQ(value.find_path({"a", "b", "c"}), nullptr);
  EXPECT_EQ(value.find_path({"c", "d"}), nullptr);
  EXPECT_EQ(value.find_path({}), &value);
}

TEST(TreeTest, ComparesWithoutOrderOfMembers) {
  EXPECT_TRUE(equal(json(R"({"a": 1, "b": [true, {"c": "x"}]})"), json(R"({"b": [true, {"c": "x"}], "a": 1})")));
  EXPECT_FALSE(equal(json(R"({"a": 1, "b": 2})"), json(R"({"b": 1, "a": 2})")));
  EXPECT_FALSE(equal(json(R"({"a": 1})"), json(R"({"a": 1, "b": 2})")));
  EXPECT_FALSE(equal(json("[1, 2]"), json("[2, 1]")));
  EXPECT_FALSE(equal(json("[1]"), json("[1, 2]")));
  EXPECT_FALSE(equal(json("1"), json("\"1\"")));
  EXPECT_TRUE(equal(json("null"), json(" null ")));
}

}  // namespace
}  // namespace opm::data
