#include "cue/derivation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opm::cue {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// "line role -> references" of each declaration.
std::vector<std::string> derivation(Context& context, std::string_view path) {
  constexpr std::string_view kRoles[] = {"writes", "refers", "computes", "restricts"};
  std::vector<std::string> result;
  for (const SourceDeclaration& declaration : source_declarations(context.instance(0).find(path))) {
    std::string text = std::to_string(context.program().sources().locate(declaration.position).line);
    text += " " + std::string(kRoles[static_cast<std::size_t>(declaration.role)]);
    for (const Value& reference : declaration.references) text += " " + reference.path();
    result.push_back(text);
  }
  return result;
}

std::vector<std::string> derivation(std::string text, std::string_view path) {
  Context context(Program::from_text("test.cue", std::move(text)));
  return derivation(context, path);
}

TEST(Derivation, SaysWhatEachDeclarationDoes) {
  EXPECT_THAT(derivation("x: 1\n"
                         "x: int & >=1\n"
                         "x: y\n"
                         "y: 1\n"
                         "x: _\n",
                         "x"),
              UnorderedElementsAre("1 writes", "2 restricts", "3 refers y"));
  EXPECT_THAT(derivation("a: 2\nb: \"n\"\nx: \"\\(b)-\\(a)\"", "x"), ElementsAre("3 computes b a"));
  EXPECT_THAT(derivation("a: 2\nx: a * a + 1", "x"), ElementsAre("2 computes a"));
  EXPECT_THAT(derivation("import \"strings\"\nx: strings.MinRunes(1)\nx: strings.ToUpper(y)\ny: \"a\"", "x"),
              UnorderedElementsAre("2 restricts", "3 computes y"));
}

TEST(Derivation, TellsATypeFromAValue) {
  EXPECT_THAT(derivation("#T: string\nx: #T\nx: \"a\"", "x"), UnorderedElementsAre("2 restricts #T", "3 writes"));
  EXPECT_THAT(derivation("x: *1 | int", "x"), ElementsAre("1 restricts"));
}

TEST(Derivation, FollowsLetsConditionsAndChoices) {
  std::string text =
      "in: {spec: {count: 3}}\n"
      "t: {\n"
      "  let given = in.spec\n"
      "  out: {\n"
      "    if given.count != _|_ {replicas: given.count}\n"
      "    first: [if given.name != _|_ {given.name}, in.spec.count][0]\n"
      "    for k, v in in.spec {(k): v}\n"
      "  }\n"
      "}\n";
  Context context(Program::from_text("test.cue", text));
  EXPECT_THAT(derivation(context, "t.out.replicas"), ElementsAre("5 refers in.spec.count"));
  EXPECT_THAT(derivation(context, "t.out.count"), ElementsAre("7 refers in.spec.count"));
  std::vector<SourceDeclaration> first = source_declarations(context.instance(0).find("t.out.first"));
  ASSERT_EQ(first.size(), 1u);
  ASSERT_EQ(first[0].references.size(), 1u);
  EXPECT_EQ(first[0].references[0].integer(), 3);
}

TEST(Derivation, FollowsTheResultOfATemplate) {
  std::string text =
      "#F: {#in: _, out: doubled: #in.n * 2}\n"
      "a: n: 4\n"
      "x: (#F & {#in: a}).out.doubled\n"
      "y: (#F & {#in: a}).out\n";
  Context context(Program::from_text("test.cue", text));
  std::vector<SourceDeclaration> declarations = source_declarations(context.instance(0).find("x"));
  ASSERT_EQ(declarations.size(), 1u);
  ASSERT_EQ(declarations[0].references.size(), 1u);
  EXPECT_EQ(declarations[0].references[0].integer(), 8);
  EXPECT_THAT(derivation(context, "y.doubled"), testing::Contains(testing::StartsWith("1 computes")));
}

TEST(Derivation, KnowsWhereTheValueThatWonWasWritten) {
  Context context(Program::from_text("test.cue", "a: b\nb: *7 | int\nc: {d: a}\ns: {}"));
  const diag::SourceMap& sources = context.program().sources();
  diag::Location place = sources.locate(written_at(context.instance(0).find("c.d")));
  EXPECT_EQ(place.line, 2u);
  EXPECT_EQ(place.column, 5u);
  EXPECT_FALSE(written_at(context.instance(0).find("s")).valid());
}

TEST(Derivation, SurvivesWhatIsWrongOrGoesRound) {
  EXPECT_NO_FATAL_FAILURE(derivation("x: y\ny: x", "x"));
  EXPECT_NO_FATAL_FAILURE(derivation("x: {a: 1}.b\n", "x"));
  EXPECT_NO_FATAL_FAILURE(derivation("x: 1 & 2\n", "x"));
  EXPECT_THAT(derivation("x: 1", "nothing"), IsEmpty());
}

TEST(FrozenOrigins, LeadBackToWhatWasFrozen) {
  auto program = Program::from_text("test.cue", "v: {a: [{b: 1}, {b: w}], #d: e: 2}\nw: 5\nt: {#in: _, out: #in.a[1].b}");
  Context made(program);
  Value original = made.instance(0).find("v");
  Frozen frozen(program);
  FrozenOrigins origins(frozen);
  Frozen::Handle handle = frozen.freeze(original);
  origins.add(handle, original);
  const std::pair<std::string_view, Frozen::Handle> input[] = {{"#in", handle}};
  Frozen::Handle all = frozen.structure(input);
  Context job(program, &frozen);
  Value out = job.instance(0).find("t").unify(job.thaw(all)).field("out");
  std::vector<SourceDeclaration> declared = source_declarations(out);
  ASSERT_EQ(declared.size(), 1u);
  ASSERT_EQ(declared[0].references.size(), 1u);
  std::vector<SourceDeclaration> taken = source_declarations(declared[0].references[0]);
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(origins.find(taken[0].identity).path(), "v.a.1.b");
  const void* parent = origins.parent(taken[0].identity);
  ASSERT_NE(parent, nullptr);
  EXPECT_EQ(origins.find(parent).path(), "v.a.1");
  EXPECT_FALSE(origins.find(declared[0].identity).valid());
}

}  // namespace
}  // namespace opm::cue
