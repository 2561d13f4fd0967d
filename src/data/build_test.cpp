#include "data/build.h"

#include <gtest/gtest.h>

#include "data/json.h"

namespace opm::data {
namespace {

TEST(Build, SetReplacesOrAppends) {
  Value object = map({{"a", text("1")}, {"b", boolean(true)}});
  set(object, "a", integer(-7));
  set(object, "c", list({text("x")}));
  EXPECT_EQ(write_json(object), R"({"a":-7,"b":true,"c":["x"]})");
  EXPECT_TRUE(erase(object, "b"));
  EXPECT_FALSE(erase(object, "b"));
  EXPECT_EQ(write_json(object), R"({"a":-7,"c":["x"]})");
}

TEST(Build, LooksIntoTreesThatMissParts) {
  Value object = map({{"metadata", map({{"name", text("web")}, {"generation", integer(3)}})}});
  EXPECT_EQ(text_at(object, {"metadata", "name"}), "web");
  EXPECT_EQ(text_at(object, {"metadata", "generation"}), "");
  EXPECT_EQ(text_at(object, {"metadata", "name", "deeper"}), "");
  EXPECT_EQ(integer_at(object, {"metadata", "generation"}), 3);
  EXPECT_EQ(integer_at(object, {"status", "replicas"}, 1), 1);
}

}  // namespace
}  // namespace opm::data
