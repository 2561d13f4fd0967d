// Values as CUE source: what is written evaluates to the same value again.
#include <gtest/gtest.h>

#include "cue/value.h"

namespace opm::cue {
namespace {

std::string to_cue(std::string text, const SourceSettings& settings = {}) {
  auto program = Program::from_text("test.cue", std::move(text));
  for (const diag::Diagnostic& error : program->instances()[0].errors) return "error: " + error.message;
  Context context(program);
  return context.instance(0).to_cue(settings);
}

TEST(ToCue, ShowsWhatAValueIs) {
  EXPECT_EQ(to_cue("a: b: 1 + 2\nc: [a.b, \"x\"]\nd: *true | bool\n"),
            "a: {\n\tb: 3\n}\nc: [3, \"x\"]\nd: true\n");
}

TEST(ToCue, LeavesDefinitionsAndOptionalFieldsOutUnlessAskedFor) {
  const char* source = "#D: x?: int\n_h: 1\nd: #D & {y: 2}\n#D: {...}\n";
  EXPECT_EQ(to_cue(source), "d: {\n\ty: 2\n}\n");
  SourceSettings all;
  all.definitions = all.optional = all.hidden = true;
  EXPECT_EQ(to_cue(source, all), "#D: {\n\tx?: int\n}\n_h: 1\nd: {\n\tx?: int\n\ty:  2\n}\n");
}

TEST(ToCue, WritesWhatIsIncompleteAsItStands) {
  EXPECT_EQ(to_cue("n: int\ns: n + 1\nt: \"<\\(n)>\"\nu: {if n > 3 {v: 1}}\n"),
            "n: int\ns: n + 1\nt: \"<\\(n)>\"\nu: {\n\tif n > 3 {\n\t\tv: 1\n\t}\n}\n");
}

TEST(ToCue, NamesRangesOfNumbers) {
  EXPECT_EQ(to_cue("a: >=0 & <=255 & int\nb: >=-128 & <=100 & int\nc: >1 & <10\nd: int & >=1\n"),
            "a: uint8\nb: int8 & <=100\nc: >1 & <10\nd: int & >=1\n");
}

TEST(ToCue, ImportsWhatItNeeds) {
  EXPECT_EQ(to_cue("import \"strings\"\na: strings.MinRunes(3)\n"), "import \"strings\"\n\na: strings.MinRunes(3)\n");
}

TEST(ToCue, WritesErrorsWithTheirReason) {
  SourceSettings settings;
  settings.errors_as_values = true;
  EXPECT_EQ(to_cue("a: {b: 1 & 2}\nc: 3\n", settings), "a: {\n\tb: _|_ // a.b: conflicting values 2 and 1\n}\nc: 3\n");
}

TEST(ToCue, KeepsLetsThatAreStillNeeded) {
  EXPECT_EQ(to_cue("n: int\na: {\n\tlet X = n + 1\n\tlet Y = 3\n\tb: X * 2\n\tc: Y\n}\n"),
            "n: int\na: {\n\tlet X = n + 1\n\tb: X * 2\n\tc: 3\n}\n");
}

TEST(ToCue, DefinitionsKeepReferencesAndMergeLiterals) {
  SourceSettings settings;
  settings.definition = true;
  settings.take_defaults = false;
  settings.definitions = settings.optional = settings.hidden = true;
  EXPECT_EQ(to_cue("#A: {x: int, y?: string}\nb: #A & {x: 1}\nb: y: \"s\"\nc: *1 | int\n", settings),
            "#A: {\n\tx:  int\n\ty?: string\n}\nb: #A & {\n\tx: 1\n\ty: \"s\"\n}\nc: *1 | int\n");
}

TEST(FieldOrder, FollowsDeclarationsAcrossEmbeddingsAndUnification) {
  EXPECT_EQ(to_cue("x: {z: 1, y: 2}\nx: {a: 3}\n"), "x: {\n\tz: 1\n\ty: 2\n\ta: 3\n}\n");
  // No order between the sides of &: by name, as far as each side allows.
  EXPECT_EQ(to_cue("x: {z: 1, y: 2} & {q: 3, a: 4}\n"), "x: {\n\tq: 3\n\ta: 4\n\tz: 1\n\ty: 2\n}\n");
  // Contradictory orders: by name.
  EXPECT_EQ(to_cue("x: {b: 1, a: 2} & {a: _, c: 3, b: _}\n"), "x: {\n\ta: 2\n\tb: 1\n\tc: 3\n}\n");
  EXPECT_EQ(to_cue("e: {m: 1, l: 2}\nx: {k: 0, {m: 1, l: 2}, j: 3}\n"),
            "e: {\n\tm: 1\n\tl: 2\n}\nx: {\n\tm: 1\n\tl: 2\n\tk: 0\n\tj: 3\n}\n");
}

}  // namespace
}  // namespace opm::cue
