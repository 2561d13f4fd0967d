#include "opm/model/object_path.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "data/json.h"
#include "diag/source.h"

namespace opm::model {
namespace {

data::Value read(std::string_view text) {
  diag::SourceMap sources;
  auto value = data::read_json(*sources.add("test.json", std::string(text)));
  EXPECT_TRUE(value.has_value());
  return value ? *value : data::Value();
}

TEST(ObjectPath, FollowsKeysAndIndices) {
  data::Value object = read(R"({"a": [{"b": "x"}, {"b": "y"}]})");
  const data::Value* found = part_of(std::as_const(object), std::vector<std::string>{"a", "1", "b"});
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->as_string(), "y");
  EXPECT_EQ(part_of(object, {}), &object);
}

TEST(ObjectPath, IsNothingWhereThereIsNone) {
  data::Value object = read(R"({"a": [1], "s": "text"})");
  for (const std::vector<std::string>& path :
       {std::vector<std::string>{"a", "1"}, {"a", "-1"}, {"a", "0x"}, {"a", ""}, {"a", "99999999999999999999"}, {"b"}, {"s", "t"}})
    EXPECT_EQ(part_of(object, path), nullptr);
}

}  // namespace
}  // namespace opm::model
