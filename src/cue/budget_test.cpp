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
