#include "cue/compile/compile.h"

#include "cue/compile/compile_fixture.h"

namespace opm::cue::compile {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class CompileErrorsTest : public CompileTest {};

TEST_F(CompileErrorsTest, NamesThatNoOneUses) {
  EXPECT_THAT(errors("let X = 1\na: 1"), ElementsAre("1:1: unreferenced alias or let clause X"));
  EXPECT_THAT(errors("X=a: 1"), ElementsAre("1:1: unreferenced alias or let clause X"));
  EXPECT_THAT(errors("a: X={b: 1}"), ElementsAre("1:4: unreferenced alias or let clause X"));
  EXPECT_THAT(errors("a: b: X={c: 1}"), ElementsAre("1:7: a: unreferenced alias or let clause X"));
  EXPECT_THAT(errors("X=[string]: 1"), ElementsAre("1:1: unreferenced alias or let clause X"));
  EXPECT_THAT(errors("[X=string]: 1"), IsEmpty());
  EXPECT_THAT(errors("a: {let X = 1, b: {let Y = X}}"), ElementsAre("1:20: a.b: unreferenced alias or let clause Y"));
  EXPECT_THAT(errors("@experiment(aliasv2)\na~X: 1"), ElementsAre("2:2: unreferenced alias or let clause X"));
}

TEST_F(CompileErrorsTest, NamesInConflict) {
  EXPECT_THAT(errors("X: 1\na: {let X = 2, b: X}"),
              ElementsAre("2:5: cannot have both alias and field with name \"X\" in same scope"));
  EXPECT_THAT(errors("let X = 2\na: {X: 2, b: X}"),
              ElementsAre("2:8: cannot have both alias and field with name \"X\" in same scope"));
  EXPECT_THAT(errors("let X = 1\nlet X = 2\na: X"), ElementsAre("2:1: alias \"X\" redeclared in same scope"));
  EXPECT_THAT(errors("X=a: 1\nX=b: 1\nc: X"), ElementsAre("2:1: alias \"X\" redeclared in same scope"));
  EXPECT_THAT(errors("let X = 1\na: X\nb: {let X = 2, c: X}"), IsEmpty()) << "an alias may shadow an alias";
  EXPECT_THAT(errors("let X = [for _, X in [1] {X}]\na: X"), IsEmpty()) << "a let is not visible in its value";
}

TEST_F(CompileErrorsTest, NamesThatMayNotBe) {
  EXPECT_THAT(errors("_: 1"), ElementsAre("1:1: cannot use _ as label"));
  EXPECT_THAT(errors("let _ = 1"), ElementsAre("1:5: cannot use _ as alias or let clause"));
  EXPECT_THAT(errors("_=a: 1"), ElementsAre("1:1: cannot use _ as alias or let clause"));
}

TEST_F(CompileErrorsTest, Imports) {
  EXPECT_THAT(errors("import \"strings\"\na: 1"), ElementsAre("1:8: imported and not used: \"strings\""));
  EXPECT_THAT(errors("import s \"strings\"\na: 1"), ElementsAre("1:8: imported and not used: \"strings\" as s"));
  EXPECT_THAT(errors("import \"strings\"\nimport \"strings\"\na: strings.ToUpper"),
              ElementsAre("2:8: strings redeclared as imported package name\n\tprevious declaration at 0.cue:1:8"));
  EXPECT_THAT(errors("import \"strings\"\nstrings: 1\na: strings.ToUpper"),
              ElementsAre("1:8: strings redeclared as imported package name\n\tprevious declaration at 0.cue:2:1"));
  EXPECT_THAT(errors("import \"example.com/none\"\na: none.x"),
              ElementsAre("2:4: a: import \"example.com/none\" not found"));
  EXPECT_THAT(errors("import \"strings\"\na: foo"),
              ElementsAre("1:8: imported and not used: \"strings\"", "2:4: a: reference \"foo\" not found"));
  EXPECT_THAT(errors("import \"strings\"\na: {strings: 1, b: strings}"),
              ElementsAre("1:8: imported and not used: \"strings\"")) << "the field shadows the import";
  EXPECT_THAT(errors("package strings\nimport \"strings\"\na: 1"), IsEmpty()) << "as CUE has it";
}

TEST_F(CompileErrorsTest, Lets) {
  EXPECT_THAT(errors("let a = b\nlet b = a\nx: a"),
              ElementsAre("1:9: let[]: cyclic references in let clause or alias"));
  EXPECT_THAT(errors("let a = a\nx: a"), ElementsAre("1:9: let[]: reference \"a\" not found"));
  EXPECT_THAT(errors("X=(X): 1"), ElementsAre("1:4: cyclic reference in field alias"));
}

TEST_F(CompileErrorsTest, MisplacedMarksAndOperands) {
  EXPECT_THAT(errors("a: *1"), ElementsAre("1:4: a: preference mark not allowed at this position"));
  EXPECT_THAT(errors("a: [1 | 2 + *3]"), ElementsAre("1:13: a: preference mark not allowed at this position"));
  EXPECT_THAT(errors("a: <3 + 1"), ElementsAre("1:4: a: invalid operand <3 ('+' requires concrete value)"));
  EXPECT_THAT(errors("a: 1 == (string)"),
              ElementsAre("1:9: a: invalid operand (string) ('==' requires concrete value)"));
  EXPECT_THAT(errors("a: uint8 * 2"), ElementsAre("1:4: a: invalid operand uint8 ('*' requires concrete value)"));
  EXPECT_THAT(errors("a: < 3 * 2"), ElementsAre("1:4: a: invalid operand <3 ('*' requires concrete value)"));
  EXPECT_THAT(errors("a: _ - 2"), ElementsAre("1:4: a: invalid operand _ ('-' requires concrete value)"));
  EXPECT_THAT(errors("a: (int & 1) + (1 | 2) + len([...]) & string"), IsEmpty());
  EXPECT_THAT(errors("a: ==1", "v0.14.0"), ElementsAre("1:4: a: unsupported unary operator \"==\""));
  EXPECT_THAT(errors("a: [X=1, X]"), ElementsAre("1:5: a: alias values not allowed in this position",
                                                 "1:10: a: reference \"X\" not found"));
}

std::string pattern_complaint(std::string_view position, std::string_view name) {
  return fmt::format("{}: reference \"{}\" in label expression refers to field against which it would be matched",
                     position, name);
}

TEST_F(CompileErrorsTest, PatternsMayNotMentionWhatTheyMatch) {
  EXPECT_THAT(errors("{a: string, [a]: int}"),
              ElementsAre(pattern_complaint("1:14", "a")));
  EXPECT_THAT(errors("[X=X]: 1"),
              ElementsAre(pattern_complaint("1:4", "X")));
  EXPECT_THAT(errors("a: string\nif true {[a]: 1}"),
              ElementsAre(pattern_complaint("2:11", "a")));
  EXPECT_THAT(errors("a: string\nb: {[a]: int}"), IsEmpty());
  EXPECT_THAT(errors("a: string\nlet Z = {[a]: 1}\nc: Z"), IsEmpty());
  EXPECT_THAT(errors("a: string\n[string]: [a]: 1"), IsEmpty());
}

TEST_F(CompileErrorsTest, FeaturesThatTheFileLacks) {
  EXPECT_THAT(errors("a~X: 1\nb: X"), ElementsAre("1:2: postfix alias syntax requires @experiment(aliasv2)"));
  EXPECT_THAT(errors("a: self"), ElementsAre("1:4: a: predeclared identifier \"self\" requires @experiment(aliasv2)"));
  EXPECT_THAT(errors("@experiment(aliasv2)\nX=a: 1"),
              ElementsAre("2:2: old-style alias syntax (=) is not allowed with @experiment(aliasv2); "
                          "use postfix syntax (~X or ~(K,V))"));
  EXPECT_THAT(errors("b: {}\na: {b...}"), ElementsAre("2:6: postfix ... operator requires @experiment(explicitopen)"));
  EXPECT_THAT(errors("try {b: 1}"),
              ElementsAre("1:1: try clause requires the try experiment (language version v0.16.0 or later)"));
  EXPECT_THAT(errors("if true {b: 1} else {c: 1}"), ElementsAre("1:16: else requires @experiment(try)"));
  EXPECT_THAT(errors("b: 1\na: b?"),
              ElementsAre("2:4: a: optional marker (?) requires the try experiment "
                          "(language version v0.16.0 or later)"));
  EXPECT_THAT(errors("@experiment(try)\nb: 1\na: b?"),
              ElementsAre("3:4: a: optional marker (?) is only valid within a try clause"));
  EXPECT_THAT(errors("a: error(\"x\")", "v0.13.0"),
              ElementsAre("1:4: a: builtin \"error\" is not available in version v0.13.0; "
                          "it was added in version \"v0.14.0\""));
}

TEST_F(CompileErrorsTest, Experiments) {
  EXPECT_THAT(errors("@experiment(foo)\na: 1", "v0.15.4"),
              ElementsAre("2:1: parsing experiments for version \"v0.15.4\": unknown experiment \"foo\""));
  EXPECT_THAT(errors("@experiment(structcmp, try)\n\npackage x", "v0.15.4"),
              ElementsAre("3:1: parsing experiments for version \"v0.15.4\": "
                          "cannot set experiment \"try\" before version v0.16.0"));
  EXPECT_THAT(errors("package x\n@experiment(aliasv2)\na~X: 1\nb: X"),
              ElementsAre("3:2: postfix alias syntax requires @experiment(aliasv2)"))
      << "only what stands before the package clause counts";
}

TEST_F(CompileErrorsTest, Comprehensions) {
  EXPECT_THAT(errors("@experiment(try)\na: [try if true {1}]"),
              ElementsAre("2:5: a: struct-form try clause must be the last clause in a comprehension"));
  EXPECT_THAT(errors("@experiment(try)\nfor i in [1] {a: i} otherwise {b: i}"),
              ElementsAre("2:35: b: reference \"i\" not found"));
  EXPECT_THAT(errors("for i in i {a: 1}"), ElementsAre("1:10: reference \"i\" not found"));
}

TEST_F(CompileErrorsTest, ErrorsAreSortedAndToldOnce) {
  EXPECT_THAT(errors("b: X\nlet X = {a: foo}\nc: X, d: bar"),
              ElementsAre("2:13: let[].a: reference \"foo\" not found", "3:10: d: reference \"bar\" not found"));
}

TEST_F(CompileErrorsTest, DepthIsBounded) {
  std::string lets;
  for (int i = 0; i < 20'000; ++i) lets += fmt::format("let x{} = x{}\n", i, i + 1);
  EXPECT_THAT(errors("a: x0\n" + lets + "let x20000 = 1"), ElementsAre("2501:13: expression is nested too deeply"));

  std::string clauses;
  for (int i = 0; i < 20'000; ++i) clauses += fmt::format("for x{} in [1] ", i);
  CompileResult result = compile({"a: [" + clauses + "{1}]"});
  ASSERT_EQ(result.errors.size(), 1);
  EXPECT_EQ(result.errors[0].message, "expression is nested too deeply");

  std::string sum = "a: 1";
  for (int i = 0; i < 9'000; ++i) sum += " + a.b";
  EXPECT_THAT(errors(sum), IsEmpty()) << "a long chain is not deep";
}

TEST_F(CompileErrorsTest, CyclesInNestedLetsEnd) {
  std::string text = "1";
  for (int i = 0; i < 60; ++i) {
    text = fmt::format("{{let a{0} = {{q: {1}, y: b{0}}}, let b{0} = a{0}, z: a{0}}}", i, text);
  }
  EXPECT_FALSE(errors("r: " + text).empty());
}

}  // namespace
}  // namespace opm::cue::compile
