// Parts of values that are the same in several evaluations: found, frozen whole, and not evaluated again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cue/inspection.h"

namespace opm::cue {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> independent(std::string_view text, const std::vector<std::string>& names) {
  auto program = Program::from_text("x.cue", std::string(text));
  Context context(program);
  std::vector<std::string> found;
  for (const Value::IndependentField& field : context.instance(0).find("#D").fields_independent_of(names))
    found.push_back(field.name);
  return found;
}

TEST(PackageDeclarations, AreThoseThatReferToFieldsOfThePackage) {
  auto program = Program::from_text("x.cue", "#C: {v: int}\n#T: {#in: #C}\na: #T & {#in: _}\nb: #T\nc: #T & {#in: {v: 3}}\n");
  Context context(program);
  auto a = context.instance(0).find("a.#in").package_declarations();
  auto b = context.instance(0).find("b.#in").package_declarations();
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->size(), 1u) << "what says nothing does not count";
  EXPECT_EQ(*a, *b);
  EXPECT_FALSE(context.instance(0).find("c.#in").package_declarations()) << "a literal says something of its own";
}

TEST(PackageDeclarations, AreNotThoseThatReferToWhatIsAround) {
  auto program = Program::from_text("x.cue", "#T: {kind: string, s: {k: kind}, #in: s}\na: #T & {kind: \"x\"}\n");
  Context context(program);
  EXPECT_FALSE(context.instance(0).find("a.#in").package_declarations());
}

TEST(IndependentFields, DoNotReferToTheOthersNeitherThroughSiblings) {
  EXPECT_THAT(independent("#D: {in: int, #other: 1, far: #other, near: in, through: near, nested: {a: {b: through}}}", {"in"}),
              ElementsAre("#other", "far"));
  EXPECT_THAT(independent("#D: {#in: int, plain: 1, asks: [if #in != _|_ {1}, 2][0]}", {"#in"}), ElementsAre("plain"))
      << "whether it is there is a question too";
}

TEST(IndependentFields, AreNoneWhereFieldsCanComeFromElsewhere) {
  EXPECT_THAT(independent("#E: {b: 1}\n#D: {in: int, a: 1, #E}", {"in"}), IsEmpty());
  EXPECT_THAT(independent("#D: {in: int, a: 1, [string]: int}", {"in"}), IsEmpty());
  EXPECT_THAT(independent("#D: {in: int, a: 1, if in > 3 {b: 1}}", {"in"}), IsEmpty());
}

TEST(DeclaredNames, AreThoseOfAllFieldsThatThereIsAPlaceFor) {
  auto program = Program::from_text("x.cue", "package x\n#E: {in: string}\n#D: #E & {b: int, #d: b + c, o?: int, r!: string, _h: 1, c: 2}\nn: 3\n");
  Context context(program);
  EXPECT_THAT(declared_names(context.instance(0).find("#D")), ElementsAre("#d", "b", "c", "in", "o", "r"));
  EXPECT_THAT(declared_names(context.instance(0).find("n")), IsEmpty());
  EXPECT_THAT(declared_names(Value()), IsEmpty());
}

TEST(DeclaredNames, AreKnownWhereAFieldFails) {
  auto program = Program::from_text("x.cue", "#D: {a: 1 & 2, [string]: int, if true {b: 1}}\n");
  Context context(program);
  EXPECT_THAT(declared_names(context.instance(0).find("#D")), ElementsAre("a", "b"));
}

TEST(FreezeWhole, IsNothingWhereSomethingWouldBeLeftOut) {
  auto program = Program::from_text("x.cue",
                                    "package x\nwhole: {a: 1, #d: \"x\", o?: int}\nopen: {a: int}\nhidden: {_h: 1}\n"
                                    "required: {r!: int}\nbelow: {a: [{b: string}]}\n");
  Context context(program);
  Frozen frozen(program);
  EXPECT_NE(frozen.freeze_whole(context.instance(0).field("whole")), nullptr);
  for (const char* name : {"open", "hidden", "required", "below"})
    EXPECT_EQ(frozen.freeze_whole(context.instance(0).field(name)), nullptr) << name;
}

TEST(FrozenOnFrozen, HoldsPartsOfBoth) {
  auto program = Program::from_text("x.cue", "a: {first: 1}\n");
  Frozen base(program);
  Frozen::Handle first = nullptr, second = nullptr;
  {
    Context context(program);
    first = base.freeze(context.compile("{newName: 2}")->target());
  }
  Frozen above(&base);
  {
    Context context(program, &base);
    second = above.freeze(context.compile("{anotherName: 3, newName: 4}")->target());
  }
  const std::pair<std::string_view, Frozen::Handle> both[] = {{"one", first}, {"two", second}};
  Frozen::Handle together = above.structure(both);
  Context context(program, &above);
  Value value = context.thaw(together);
  EXPECT_EQ(value.find("one.newName").integer(), 2);
  EXPECT_EQ(value.find("two.newName").integer(), 4);
  EXPECT_EQ(value.find("two.anotherName").integer(), 3);
}

TEST(FrozenParts, AreTakenAsTheyAreWhereNothingElseIsSaidOfThem) {
  auto program = Program::from_text("x.cue", "");
  Frozen frozen(program);
  Frozen::Handle part = nullptr;
  {
    Context context(program);
    part = frozen.freeze(*context.compile("{n: 2, list: [{a: 1}]}"));
  }
  const std::pair<std::string_view, Frozen::Handle> fields[] = {{"same", part}, {"more", part}};
  const std::pair<std::string_view, Frozen::Handle> given[] = {{"#in", frozen.structure(fields)}};
  Frozen::Handle input = frozen.structure(given);
  Context context(program, &frozen);
  Value open = *context.compile("{#in: {more: {...}, ...}, n: _}");
  for (const Value& whole : {context.thaw(input), open.unify(context.thaw(input))}) {
    Value same = whole.find("#in.same");
    EXPECT_TRUE(same.validate({.concrete = true}).empty());
    EXPECT_EQ(same.find("list").elements().front().field("a").integer(), 1);
  }
  Value same = open.unify(context.thaw(input)).find("#in.same");
  EXPECT_NE(same.target().node(), same.node());
  Value more = open.unify(context.thaw(input)).find("#in.more");
  EXPECT_EQ(more.target().node(), more.node()) << "what else is said of it counts as well";
}

TEST(MutedDeclarations, SayNothing) {
  auto program = Program::from_text("x.cue", "#C: {v: int, w: v + 1}\n#T: {#in: #C, out: #in.w}\n");
  Context context(program);
  auto declarations = context.instance(0).find("#T.#in").package_declarations();
  ASSERT_TRUE(declarations);
  Context other(program);
  other.mute(*declarations);
  Value transform = other.instance(0).find("#T").unify(*other.compile("{#in: {w: 7}}"));
  EXPECT_EQ(transform.field("out").integer(), 7) << "w is not computed from v, which is not there";
}

}  // namespace
}  // namespace opm::cue
