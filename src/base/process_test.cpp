#include "base/process.h"

#include <gtest/gtest.h>

namespace opm::base {
namespace {

TEST(Process, SaysWhatItSaid) {
  auto result = run_process({"sh", "-c", "cat; echo problem >&2; exit 3"}, {.input = "hello"});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->exit_code, 3);
  EXPECT_EQ(result->out, "hello");
  EXPECT_EQ(result->err, "problem\n");
}

TEST(Process, RunsInAFolder) { EXPECT_EQ(run_process({"pwd"}, {.directory = "/"})->out, "/\n"); }

TEST(Process, LargeInputAndOutputDoNotBlock) {
  std::string large(1'000'000, 'x');
  EXPECT_EQ(run_process({"cat"}, {.input = large})->out.size(), large.size());
  // One that does not read its input.
  EXPECT_EQ(run_process({"true"}, {.input = large})->exit_code, 0);
}

TEST(Process, MissingProgramsAreTold) {
  auto result = run_process({"no-such-program-anywhere"});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, FileErrorKind::not_found);
}

TEST(Process, IsStoppedWhenItTakesTooLongOrSaysTooMuch) {
  EXPECT_FALSE(run_process({"sleep", "20"}, {.timeout = std::chrono::milliseconds(50)}));
  EXPECT_FALSE(run_process({"yes"}, {.max_output = 100'000}));
}

TEST(ProcessTest, SetsVariablesBesideOurs) {
  auto result = run_process({"sh", "-c", "printf '%s|%s' \"$OPM_TEST_VARIABLE\" \"${PATH:+set}\""},
                            {.variables = {{"OPM_TEST_VARIABLE", "a b=c"}}});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->out, "a b=c|set");
}

}  // namespace
}  // namespace opm::base
