#include "cue/load/build_attribute.h"

#include <gtest/gtest.h>

#include <set>

#include "cue/syntax/parser.h"

namespace opm::cue::load {
namespace {

class BuildAttributeTest : public ::testing::Test {
 protected:
  BuildDecision decide(std::string text, std::set<std::string> tags = {}) {
    const diag::Source* source = sources.add("x.cue", std::move(text));
    syntax::ParsedFile parsed = syntax::parse_file(arena, *source);
    return decide_build(*parsed.file, [&](std::string_view tag) {
      asked.insert(std::string(tag));
      return tags.contains(std::string(tag));
    });
  }
  bool included(const std::string& condition, std::set<std::string> tags = {}) {
    return decide("@if(" + condition + ")\npackage x\n", std::move(tags)).included;
  }

  diag::SourceMap sources;
  base::Arena arena;
  std::set<std::string> asked;
};

TEST_F(BuildAttributeTest, ConditionsAreBoolean) {
  EXPECT_TRUE(decide("package x\n").included);
  EXPECT_FALSE(included("a"));
  EXPECT_TRUE(included("a", {"a"}));
  EXPECT_TRUE(included("!a"));
  EXPECT_TRUE(included("a && (b || !c)", {"a"}));
  EXPECT_FALSE(included("a && (b || !c)", {"a", "c"}));
  EXPECT_FALSE(included("a && b || c && d", {"a", "c"}));
}

TEST_F(BuildAttributeTest, EveryTagIsAskedFor) {
  included("a || b && c", {"a"});
  EXPECT_EQ(asked, (std::set<std::string>{"a", "b", "c"}));
}

TEST_F(BuildAttributeTest, ReasonIsTold) {
  EXPECT_EQ(decide("@if(prod)\npackage x\n").reason, "@if(prod) did not match");
  EXPECT_EQ(decide("// c\n\n@ignore()\n\npackage x\n").reason, "@ignore() attribute found");
}

TEST_F(BuildAttributeTest, OnlyBeforeThePackageClause) {
  EXPECT_TRUE(decide("package x\n@if(foo)\n").included);
  EXPECT_TRUE(decide("a: 1\n@if(foo)\n").included);
  EXPECT_FALSE(decide("@if(foo)\na: 1\n").included);
}

TEST_F(BuildAttributeTest, NonsenseIsAnError) {
  BuildDecision twice = decide("@if(a)\n@if(b)\npackage x\n");
  ASSERT_EQ(twice.errors.size(), 2u);
  EXPECT_EQ(twice.errors[0].message, "multiple @if attributes");
  BuildDecision sum = decide("@if(a + b)\npackage x\n");
  ASSERT_EQ(sum.errors.size(), 1u);
  EXPECT_EQ(sum.errors[0].message, "invalid operator + in build attribute");
  EXPECT_FALSE(decide("@if(1)\npackage x\n").errors.empty());
  BuildDecision broken = decide("@if(a &&)\npackage x\n");
  EXPECT_FALSE(broken.included);
  EXPECT_FALSE(broken.errors.empty());
}

}  // namespace
}  // namespace opm::cue::load
