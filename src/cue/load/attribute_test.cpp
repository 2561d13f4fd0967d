#include "cue/load/attribute.h"

#include <gtest/gtest.h>

namespace opm::cue::load {
namespace {

AttributeParts parse(std::string_view text) {
  syntax::Attribute attribute{};
  attribute.text = text;
  return parse_attribute(attribute);
}

TEST(Attribute, ArgumentsAreSplitAtCommas) {
  AttributeParts parts = parse("@tag(env, short=prod|staging,type=string)");
  EXPECT_EQ(parts.name, "tag");
  ASSERT_EQ(parts.arguments.size(), 3u);
  EXPECT_EQ(parts.positional(0), "env");
  EXPECT_EQ(parts.lookup(1, "short"), "prod|staging");
  EXPECT_EQ(parts.lookup(0, "none"), std::nullopt);
  EXPECT_EQ(parts.positional(2), "type=string");
}

TEST(Attribute, QuotesAndBracketsHoldTogether) {
  AttributeParts parts = parse(R"x(@embed(glob="a,b)=.json", list=[1,2], raw=#"x"y"#, flag, "quoted"))x");
  EXPECT_EQ(parts.lookup(0, "glob"), "a,b)=.json");
  EXPECT_EQ(parts.lookup(0, "list"), "[1,2]");
  EXPECT_EQ(parts.lookup(0, "raw"), "x\"y");
  EXPECT_TRUE(parts.has_flag(0, "flag"));
  EXPECT_TRUE(parts.has_flag(0, "quoted"));
  EXPECT_FALSE(parts.has_flag(0, "glob"));
}

TEST(Attribute, EmptyBodyIsOneEmptyArgument) {
  AttributeParts parts = parse("@ignore()");
  EXPECT_EQ(parts.name, "ignore");
  ASSERT_EQ(parts.arguments.size(), 1u);
  EXPECT_EQ(parts.positional(0), "");
}

TEST(Attribute, ComparisonsAreNoKeys) {
  AttributeParts parts = parse("@x(a==b, c!=d, e=f=g)");
  EXPECT_EQ(parts.arguments[0].key, "");
  EXPECT_EQ(parts.arguments[1].key, "");
  EXPECT_EQ(parts.lookup(0, "e"), "f=g");
}

}  // namespace
}  // namespace opm::cue::load
