#include "data/text_protobuf.h"

#include <gtest/gtest.h>

#include <fmt/core.h>

namespace opm::data {
namespace {

std::string read(std::string text) {
  diag::SourceMap sources;
  auto value = read_text_protobuf(*sources.add("x.textproto", std::move(text)));
  if (value) return write_json(*value);
  diag::Location place = sources.locate(value.error()[0].positions[0]);
  return fmt::format("{} @{}:{}", value.error()[0].message, place.line, place.column);
}

TEST(TextProtobuf, ReadsFieldsMessagesAndLists) {
  EXPECT_EQ(read("a: 4 # four\nb: 1, b: 2; b: [3, -4]\nc: \"x\" 'y\\n' d { e: true f: <> } g: RED"),
            R"({"a":4,"b":[1,2,3,-4],"c":"xy\n","d":{"e":true,"f":{}},"g":"RED"})");
  EXPECT_EQ(read("h: 0x1F i: 017 j: 1.5e3 k: .5f l: 2. m: \"\\101\\u00e9\" [a.b/c] { }"),
            R"({"h":31,"i":15,"j":1.5e3,"k":0.5,"l":2.0,"m":"Aé","[a.b/c]":{}})");
  EXPECT_EQ(read(""), "{}");
}

TEST(TextProtobuf, MistakesHavePlaces) {
  EXPECT_EQ(read("a 4"), "textproto: missing separator : @1:3");
  EXPECT_EQ(read("a: {b: 1"), "textproto: unexpected end @1:9");
  EXPECT_EQ(read("a: \"x"), "textproto: unterminated string @1:6");
  EXPECT_EQ(read("a: 1.2.3"), "textproto: invalid number 1.2.3 @1:9");
  EXPECT_EQ(read("a: [1 2]"), "textproto: missing ] @1:7");
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "a{";
  EXPECT_TRUE(read(deep).starts_with("textproto: nested more than"));
  EXPECT_TRUE(read("a: " + std::string(100000, '[')).starts_with("textproto: nested more than"));
}

}  // namespace
}  // namespace opm::data
