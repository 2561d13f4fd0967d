// What is looked for among many parts of a value is found as it is among few: both sides of where lists get an index.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "cue/value.h"

namespace opm::cue {
namespace {

std::string repeated(int count, const std::function<std::string(std::string)>& part) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part(std::to_string(i));
  return text;
}

std::string problem(const std::string& text) {
  Context context(Program::from_text("test.cue", text));
  Diagnostics errors = context.instance(0).validate({.concrete = true});
  return errors.empty() ? "" : errors.front().path + ": " + errors.front().message;
}

class ManyParts : public testing::TestWithParam<int> {};

// Definitions of a field each, and a struct of all of them.
std::string embedded(int count) {
  return repeated(count, [](const std::string& i) { return "#D" + i + ": {f" + i + ": int, s" + i + ": {t: int}}\n"; }) + "x: {\n" +
         repeated(count, [](const std::string& i) { return "#D" + i + ", f" + i + ": " + i + ", s" + i + ": t: 1\n"; });
}

TEST_P(ManyParts, EmbeddedDefinitionsAllowEachOthersFieldsAndThoseBeside) {
  EXPECT_EQ(problem(embedded(GetParam()) + "beside: 1}"), "");
}

TEST_P(ManyParts, EmbeddedDefinitionsCloseTheStructAroundThem) {
  EXPECT_EQ(problem(embedded(GetParam()) + "}\nx: other: 1"), "x.other: field not allowed");
  EXPECT_EQ(problem(embedded(GetParam()) + "}\nx: s1: u: 1"), "x.s1.u: field not allowed");
  EXPECT_EQ(problem(embedded(GetParam()) + "}\nx: s1: t: 1"), "");
}

TEST_P(ManyParts, DefinitionsThatEmbedEachOtherAllowWhatAnyDoes) {
  std::string count = std::to_string(GetParam());
  std::string chain = repeated(GetParam(), [](const std::string& i) {
    return "#D" + i + ": {#D" + std::to_string(std::stoi(i) + 1) + ", f" + i + ": " + i + "}\n";
  }) + "#D" + count + ": {last: 1}\n";
  EXPECT_EQ(problem(chain + "x: #D0 & {f1: 1, last: 1}"), "");
  EXPECT_EQ(problem(chain + "x: #D0 & {other: 1}"), "x.other: field not allowed");
  EXPECT_EQ(problem(chain + "x: {#D0, other: 1}"), "");
}

TEST_P(ManyParts, DefinitionsThatAreUnifiedAllowOnlyWhatAllDo) {
  std::string definitions = repeated(GetParam(), [](const std::string& i) { return "#D" + i + ": {a: 1, f" + i + "?: int}\n"; });
  std::string all = repeated(GetParam(), [](const std::string& i) { return "#D" + i + " & "; });
  EXPECT_EQ(problem(definitions + "x: " + all + "{a: 1}"), "");
  EXPECT_EQ(problem(definitions + "x: " + all + "{f1: 1}"), "x.f1: field not allowed");
  EXPECT_EQ(problem(definitions + "x: {" + all + "_, beside: 1}"), "");
  EXPECT_EQ(problem(definitions + "x: {" + all + "_, f1: 1}"), "");
}

TEST_P(ManyParts, ValuesOfWhichEachIsMadeOfTheOneBefore) {
  std::string count = std::to_string(GetParam());
  std::string chain = "a0: {v: 0}\n" + repeated(GetParam(), [](const std::string& i) {
    return "a" + std::to_string(std::stoi(i) + 1) + ": a" + i + " & {f" + i + ": " + i + "}\n";
  });
  EXPECT_EQ(problem(chain + "x: a" + count + " & {f0: 0, f1: 1, v: 0}"), "");
  EXPECT_EQ(problem(chain + "x: a" + count + " & {f1: 2}").substr(0, 28), "x.f1: conflicting values 1 a");
  // One that is made of the last in turn closes a circle, which adds nothing.
  EXPECT_EQ(problem(chain + "a0: a" + count), "");
}

TEST_P(ManyParts, TheSameDeclarationIsTakenOnce) {
  std::string fields = repeated(GetParam(), [](const std::string& i) { return "x: y: f" + i + ": " + i + "\n"; });
  EXPECT_EQ(problem(fields + "x: x0\nx: x0\nx0: y: f1: 1\nz: x & {y: f0: 0}"), "");
  std::string patterns = repeated(GetParam(), [](const std::string& i) { return "[N=\"a" + i + "\" | \"b\"]: n: N\n"; });
  EXPECT_EQ(problem("#P: {" + patterns + "}\nx: #P & {b: n: \"b\", a1: _}\ny: x & #P & {b: _}"), "");
}

INSTANTIATE_TEST_SUITE_P(FewAndMany, ManyParts, testing::Values(2, 12, 13, 40, 150));

}  // namespace
}  // namespace opm::cue
