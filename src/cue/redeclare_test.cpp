// Values evaluated with some of their fields declared otherwise.
#include <gtest/gtest.h>

#include "cue/value.h"

namespace opm::cue {
namespace {

bool none(std::string_view) { return false; }

TEST(Redeclare, AnotherValueTakesThePlaceOfTheDeclaration) {
  auto program = Program::from_text("x.cue", "a: {b: 1, c: b + 1, d: {e: b}}\nother: a.c\n");
  Context context(program);
  Value a = context.instance(0).field("a");
  EXPECT_EQ(context.instance(0).field("other").integer(), 2);
  data::Value five;
  five.variant = data::NumberText{"5", true};
  const Value::Redeclaration fields[] = {{a.field("b"), context.from_data(five)}};
  Value changed = a.redeclared(fields, none);
  EXPECT_EQ(changed.field("c").integer(), 6);
  EXPECT_EQ(changed.find("d.e").integer(), 5);
  // The value itself is what it was, and so is what was evaluated before.
  EXPECT_EQ(a.field("c").integer(), 2);
  EXPECT_EQ(context.instance(0).field("other").integer(), 2);
}

TEST(Redeclare, ADeclarationCanSayNothing) {
  auto program = Program::from_text("x.cue", "#D: {v: int, w: v}\na: #D & {v: 1}\n");
  Context context(program);
  Value a = context.instance(0).field("a");
  data::Value seven;
  seven.variant = data::NumberText{"7", true};
  std::pair<Path, Value> added[] = {{Path::of({"v"}), context.from_data(seven)}};
  const Value::Redeclaration fields[] = {{a.field("v"), {}}};
  // Of the two declarations of v, both stand in this file: the type goes too.
  EXPECT_EQ(a.fill(added).redeclared(fields, none).field("w").integer(), 7);
  // Without, the two contradict each other.
  EXPECT_TRUE(a.fill(added).has_error());
}

TEST(Redeclare, DeclarationsInKeptFilesStay) {
  auto program = Program::from_text("x.cue", "a: {b: 1}\n");
  Context context(program);
  Value a = context.instance(0).field("a");
  const Value::Redeclaration fields[] = {{a.field("b"), {}}};
  EXPECT_EQ(a.redeclared(fields, [](std::string_view file) { return file == "x.cue"; }).field("b").integer(), 1);
  EXPECT_FALSE(a.redeclared(fields, none).field("b").concrete());
}

TEST(Redeclare, AFieldOfAFileForAllThatFollows) {
  auto program = Program::from_text("x.cue", "p: _\nq: p.r\n");
  EXPECT_TRUE(program->declares(0, "p", none));
  EXPECT_FALSE(program->declares(0, "r", none));
  EXPECT_FALSE(program->declares(0, "p", [](std::string_view file) { return file == "x.cue"; }));
  Context context(program);
  auto value = context.compile("r: \"text\"", "y.cue");
  ASSERT_TRUE(value);
  context.redeclare(0, "x.cue", "p", *value);
  EXPECT_EQ(context.instance(0).field("q").string(), "text");
}

}  // namespace
}  // namespace opm::cue
