// The public face of the engine: values looked at from outside.
#include "cue/value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opm::cue {
namespace {

using testing::UnorderedElementsAre;

std::vector<std::string> shallow_names(const std::string& text, std::string_view path) {
  Context context(Program::from_text("test.cue", text));
  std::vector<std::string> names;
  for (const Value::FieldEntry& entry : context.instance(0).find(path).shallow_fields()) names.push_back(entry.name);
  return names;
}

TEST(Value, ShallowFieldsAreTheRegularOnes) {
  EXPECT_THAT(shallow_names("x: {a: 1, b?: 2, c!: 3, _d: 4, #e: 5, \"f g\": 6}", "x"), UnorderedElementsAre("a", "\"f g\""));
  EXPECT_THAT(shallow_names("x: y, y: z & {b: 1}, z: a: 1", "x"), UnorderedElementsAre("a", "b"));
  EXPECT_THAT(shallow_names("x: {for k in [\"a\", \"b\"] {(k): 1}, if true {c: 1}}", "x"), UnorderedElementsAre("a", "b", "c"));
  EXPECT_THAT(shallow_names("#D: [string]: int, x: #D & {a: 1}", "x"), UnorderedElementsAre("a"));
}

TEST(Value, ShallowFieldsOfWhatHasToBeEvaluatedFirst) {
  EXPECT_THAT(shallow_names("x: *{a: 1} | {b: 2}", "x"), UnorderedElementsAre("a"));
  EXPECT_THAT(shallow_names("x: {k: \"a\"} & ({k: \"a\", l: 1} | {k: \"b\", m: 1})", "x"), UnorderedElementsAre("k", "l"));
  EXPECT_THAT(shallow_names("x: 1", "x"), testing::IsEmpty());
}

TEST(Value, ShallowFieldsLeaveWhatIsBelowAlone) {
  Context context(Program::from_text("test.cue", "x: {a: 1 & 2, b: c: 3}"));
  Value x = context.instance(0).field("x");
  EXPECT_EQ(x.shallow_fields().size(), 2u);
  EXPECT_FALSE(x.validate().empty());  // what is wrong is found all the same when it is asked for
}

}  // namespace
}  // namespace opm::cue
