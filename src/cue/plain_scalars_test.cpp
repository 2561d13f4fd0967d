// Fields and alternatives that are written out as scalars are evaluated on a shorter way, which leads to the same.
#include <gtest/gtest.h>

#include "cue/eval/evaluator.h"
#include "cue/eval/text.h"
#include "cue/value.h"

namespace opm::cue {
namespace {

// The value on one line, or the first error.
std::string value_of(std::string text) {
  auto program = Program::from_text("test.cue", std::move(text));
  Context context(program);
  Value value = context.instance(0).field("v");
  if (Diagnostics errors = value.validate(); !errors.empty()) return errors.front().message;
  std::string text_of_it;
  context.run([&] { text_of_it = eval::value_text(context.evaluator(), eval::Value::of_node(value.node())); });
  return text_of_it;
}

TEST(PlainScalars, AlternativesThatAreScalars) {
  EXPECT_EQ(value_of("v: *1 | int"), "*1 | int");
  EXPECT_EQ(value_of("v: int | *1"), "*1 | int");
  EXPECT_EQ(value_of("v: \"a\" | \"b\" | \"c\""), "\"a\" | \"b\" | \"c\"");
  EXPECT_EQ(value_of("v: null | bool"), "null | bool");
}

TEST(PlainScalars, AlternativesOfAnotherKindAreLeftOut) {
  EXPECT_EQ(value_of("v: number & (1 | 2.5 | \"a\")"), "1 | 2.5");
  EXPECT_EQ(value_of("v: int & (*1 | 2 | \"a\")"), "*1 | 2");
  EXPECT_EQ(value_of("v: int & (1 | \"a\")"), "1");
  // With the marked one gone there is no default.
  EXPECT_EQ(value_of("v: int & (*\"a\" | 1 | 2)"), "1 | 2");
  EXPECT_EQ(value_of("v: int & (\"a\" | \"b\")"), "2 errors in empty disjunction:");
}

TEST(PlainScalars, AlternativesThatAreTheSame) {
  EXPECT_EQ(value_of("v: 1 | 1"), "1");
  EXPECT_EQ(value_of("v: 1 | *2 | 2"), "*2 | 1");
  EXPECT_EQ(value_of("v: int & (int | number)"), "int");
}

TEST(PlainScalars, AlternativesAreChosenFromLater) {
  EXPECT_EQ(value_of("#D: {a: *1 | int}, v: (#D & {a: 3}).a"), "3");
  EXPECT_EQ(value_of("w: *1 | int, v: w + 1"), "2");
  EXPECT_EQ(value_of("w: \"a\" | \"b\", v: w & \"b\""), "\"b\"");
  EXPECT_EQ(value_of("w: 1 | 2, v: w & (2 | 3)"), "2");
}

TEST(PlainScalars, FieldsOfWhatIsClosed) {
  EXPECT_EQ(value_of("#D: {a: 1, b: string}, v: #D & {a: 1, b: \"x\"}"), "{a:1,b:\"x\"}");
  EXPECT_EQ(value_of("#D: {a: int}, v: #D & {a: 1, b: 2}"), "field not allowed");
  EXPECT_EQ(value_of("#D: {a: int}, v: #D & {a: 1, b: string}"), "field not allowed");
  EXPECT_EQ(value_of("v: close({a: 1}) & {b: \"x\"}"), "field not allowed");
  EXPECT_EQ(value_of("#D: {a: int}, v: {#D, b: 2}"), "{b:2,a:int}");
}

// What either of two alternatives that are the same allows stays allowed.
TEST(PlainScalars, FieldsOfAlternativesThatAreTheSame) {
  EXPECT_EQ(value_of("#A: {a: 1}, #B: {a: 1}, v: #A | #B"), "{a:1}");
  EXPECT_EQ(value_of("#A: {a: 1, b?: 2}, #B: {a: 1, c?: 3}, v: (#A | #B) & {a: 1, b: 2}"), "{a:1,b:2}");
}

}  // namespace
}  // namespace opm::cue
