#include <gtest/gtest.h>

#include "cue/value.h"

namespace opm::cue {
namespace {

TEST(StandardImports, FunctionsAndValuesOfStandardPackages) {
  auto program = Program::from_text("a.cue", R"(
import "strings"
import "encoding/json"
import "list"
import "time"

up:     strings.ToUpper("a")
text:   json.Marshal({b: 1})
sorted: list.Sort([2, 1], list.Ascending)[0]
second: time.Second
)");
  ASSERT_TRUE(program->instances()[0].errors.empty());
  Context context(program);
  Value root = context.instance(0);
  EXPECT_EQ(root.find("up").string(), "A");
  EXPECT_EQ(root.find("text").string(), R"({"b":1})");
  EXPECT_EQ(root.find("sorted").integer(), 1);
  EXPECT_EQ(root.find("second").integer(), 1'000'000'000);
}

TEST(StandardImports, ExpressionsNeedNoImport) {
  Context context(Program::from_text("a.cue", "x: 3\n"));
  auto value = context.expression("math.Pow(x, 2) + math.Exact", 0);
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(value->integer(), 9);
}

TEST(StandardImports, UnknownOnesAreErrors) {
  auto program = Program::from_text("a.cue", "import \"strings\"\nx: strings.NoSuchThing(1)\n");
  Context context(program);
  EXPECT_FALSE(context.instance(0).validate({.concrete = true}).empty());
}

}  // namespace
}  // namespace opm::cue
