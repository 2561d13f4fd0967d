// What evaluation may take, through the public face: it ends with an error that says so.
#include <gtest/gtest.h>

#include "cue/value.h"

namespace opm::cue {
namespace {

std::string problem(std::string text, const Budget& budget) {
  auto program = Program::from_text("x.cue", std::move(text));
  Context context(program, budget);
  auto data = context.instance(0).to_data();
  if (data) return "";
  return data.error().empty() ? "no reason" : data.error().front().message;
}

std::string chain(int length) {
  std::string text = "f0: 1\n";
  for (int i = 1; i < length; ++i) text += "f" + std::to_string(i) + ": f" + std::to_string(i - 1) + " + 1\n";
  return "last: f" + std::to_string(length - 1) + "\n" + text;
}

TEST(Budget, EndsAfterItsSteps) {
  std::string loop = "l: [1, 2, 3, 4, 5, 6, 7, 8]\na: [for x in l for y in l for z in l for w in l {x * y * z * w}]\n";
  EXPECT_EQ(problem(loop, {}), "");
  EXPECT_NE(problem(loop, {.steps = 5'000}).find("evaluation stopped after 5000 steps"), std::string::npos);
}

TEST(Budget, CountsWhatIsWritten) {
  std::string text = "a0: {x: 1}\n";
  for (int i = 1; i < 8; ++i) {
    std::string name = "a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": {b: " + name + ", c: " + name + ", d: " + name + ", e: " + name + "}\n";
  }
  EXPECT_EQ(problem(text, {}), "");
  EXPECT_NE(problem(text, {.steps = 20'000}).find("evaluation stopped after 20000 steps"), std::string::npos);
}

TEST(Budget, EndsWhenMemoryGrows) {
  std::string text = "a0: \"haha\"\n";
  for (int i = 1; i < 30; ++i) text += "a" + std::to_string(i) + ": a" + std::to_string(i - 1) + " * 2\n";
  std::string message = problem(text, {.bytes = 64u << 20});
  EXPECT_NE(message.find("needs more than 64 MiB"), std::string::npos) << message;
}

TEST(Budget, EndsWhenNestedTooDeep) {
  EXPECT_EQ(problem(chain(200), {}), "");
  std::string message = problem(chain(2'000), {.depth = 500});
  EXPECT_NE(message.find("nested more than 500 levels deep"), std::string::npos) << message;
}

// Comparators that need no unification to answer, and those that do: x and y are declared, or more than that is said.
TEST(Budget, LongListsAreSortedWithinIt) {
  for (const char* comparator : {"list.Ascending", "list.Descending", "{x: _, y: _, less: x < y}", "{T: int, x: T, y: T, less: x > y}"}) {
    std::string text = "import \"list\"\n_a: list.Range(0, 5000, 1)\nb: list.Sort(_a, " + std::string(comparator) + ")[0]\n";
    EXPECT_EQ(problem(text, {.bytes = 32u << 20}), "") << comparator;
  }
}

TEST(Comparators, OfAllKindsAnswerAlike) {
  for (const char* comparator :
       {"{x: _, y: _, less: x.n < y.n}", "{x: {}, y: {}, less: x.n < y.n}", "{x: {n: int}, y: {n: int}, less: x.n < y.n}",
        "{x: _, y: _, _d: x.n - y.n, less: _d < 0}", "{let a = x.n, x: _, y: _, less: a < y.n}"}) {
    std::string text = "import \"list\"\nb: list.Sort([{n: 2}, {n: 3}, {n: 1}], " + std::string(comparator) + ")\n";
    Context context(Program::from_text("x.cue", text));
    std::vector<std::int64_t> order;
    for (const Value& element : context.instance(0).field("b").elements()) order.push_back(element.field("n").integer().value_or(-1));
    EXPECT_EQ(order, (std::vector<std::int64_t>{1, 2, 3})) << comparator;
  }
}

TEST(Budget, IsForEachContext) {
  auto program = Program::from_text("x.cue", "a: [for x in [1, 2, 3] {x}]\n");
  Context poor(program, {.steps = 1});
  EXPECT_FALSE(poor.instance(0).to_data());
  EXPECT_FALSE(poor.exhaustion().empty());
  Context rich(program);
  EXPECT_TRUE(rich.instance(0).to_data());
  EXPECT_TRUE(rich.exhaustion().empty());
}

}  // namespace
}  // namespace opm::cue
