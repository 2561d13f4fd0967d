#include "cue/known_value.h"

#include <gtest/gtest.h>

namespace opm::cue {
namespace {

constexpr std::string_view kText = R"cue(
s: {
	_told: {for name in ["a", "b"] {(name): len(name)}}
	first: told: _told
	second: told: _told & {a: 1}
}
)cue";

TEST(KnownValue, IsTakenOverByAnotherContext) {
  auto program = Program::from_text("x.cue", std::string(kText));
  Context one(program);
  Frozen frozen(program);
  Frozen::Handle known = frozen.freeze_whole(hidden_field(one.instance(0).field("s"), "_told"));
  ASSERT_NE(known, nullptr);
  Context other(program, &frozen);
  Value s = other.instance(0).field("s");
  ASSERT_TRUE(take_over(hidden_field(s, "_told"), known));
  EXPECT_EQ(s.find("first.told.b").to_cue(), "1\n");
  EXPECT_EQ(s.find("second").to_cue(), one.instance(0).find("s.second").to_cue());
}

TEST(KnownValue, ReplacesWhatTheFieldWouldComeTo) {
  auto program = Program::from_text("x.cue", std::string(kText));
  Context source(program);
  Frozen frozen(program);
  Frozen::Handle known = frozen.freeze(*source.compile("{a: 7}"));
  Context context(program, &frozen);
  Value s = context.instance(0).field("s");
  ASSERT_TRUE(take_over(hidden_field(s, "_told"), known));
  EXPECT_EQ(s.find("first.told.a").to_cue(), "7\n");
  EXPECT_FALSE(s.find("first.told.b").exists());
  EXPECT_TRUE(s.find("second").has_error() || !s.find("second").validate().empty());
}

TEST(KnownValue, IsTooLateForWhatIsEvaluated) {
  auto program = Program::from_text("x.cue", std::string(kText));
  Context context(program);
  Value s = context.instance(0).field("s");
  EXPECT_TRUE(s.validate().empty());
  Frozen frozen(program);
  Value told = hidden_field(s, "_told");
  EXPECT_FALSE(take_over(told, frozen.freeze_whole(told)));
}

TEST(KnownValue, HiddenFieldsThatAreNotThere) {
  auto program = Program::from_text("x.cue", std::string(kText));
  Context context(program);
  EXPECT_FALSE(hidden_field(context.instance(0).field("s"), "_other").valid());
  EXPECT_FALSE(hidden_field(context.instance(0).field("none"), "_told").valid());
  EXPECT_FALSE(hidden_field(context.instance(0).find("s.first"), "told").valid());
}

// What is below a struct that is taken as checked, of those that refer to it.
constexpr std::string_view kShared = R"cue(
#part: {a: 1, b: c: string, b: d: a + 1, wrong: 1 & 2}
refers: [#part, {e: #part}]
adds: #part & {f: 1}
)cue";

TEST(KnownValue, WhatIsCheckedIsNotValidatedWhereItIsShared) {
  auto program = Program::from_text("x.cue", std::string(kShared));
  Context context(program);
  Value root = context.instance(0);
  Context another(program);
  EXPECT_FALSE(another.instance(0).field("refers").validate({.concrete = true}).empty());
  take_as_checked(root.find("#part"));
  EXPECT_TRUE(root.field("refers").validate({.concrete = true}).empty());
  EXPECT_FALSE(root.field("adds").validate().empty());
  EXPECT_FALSE(root.find("#part").validate().empty());
}

TEST(KnownValue, WhatIsCheckedIsEvaluatedWhereItIsAskedFor) {
  auto program = Program::from_text("x.cue", std::string(kShared));
  Context context(program);
  Value root = context.instance(0);
  take_as_checked(root.find("#part"));
  EXPECT_TRUE(root.field("refers").validate({.concrete = true}).empty());
  EXPECT_EQ(root.find("refers[0].b.d").to_cue(), "2\n");
}

constexpr std::string_view kJob = R"cue(
#J: {
	#in: _
	#other: _
	limited: {a: <5, ...}
	out: [#in.a, #in.#d, #other.b]
}
#K: #J & {#in: {c: 3, ...}}
)cue";

TEST(KnownValue, IsTakenAsItWasThawedWhereNothingElseIsSaidOfIt) {
  auto program = Program::from_text("x.cue", std::string(kJob));
  Context source(program);
  Frozen frozen(program);
  Frozen::Handle given = frozen.freeze(*source.compile("{#in: {a: 1, #d: 2}, #other: {b: 7}, limited: {a: 3}}"));
  auto evaluate = [&](std::string_view definition, std::string_view field) {
    Context context(program, &frozen);
    Value job = context.instance(0).find(definition).unify(context.thaw(given));
    for (std::string_view name : {"#in", "#other", "limited", "none"}) take_as_thawed(job, name);
    return job.find(field).to_cue();
  };
  EXPECT_EQ(evaluate("#J", "out"), "[1, 2, 7]\n");
  EXPECT_EQ(evaluate("#J", "limited.a"), "3\n");
  EXPECT_EQ(evaluate("#K", "#in.c"), "3\n") << "what is said of it counts";
  EXPECT_EQ(evaluate("#K", "out"), "[1, 2, 7]\n");
}

TEST(KnownValue, IsTakenWhereWhatIsSaidOfItIsMuted) {
  auto program = Program::from_text("x.cue", "#C: {a: int, b: a + 1}\n#J: {#in: #C, out: #in.b}\n");
  Context source(program);
  Frozen frozen(program);
  Frozen::Handle given = frozen.freeze(*source.compile("{#in: {a: 1, b: 5}}"));
  Context context(program, &frozen);
  auto declarations = source.instance(0).find("#J.#in").package_declarations();
  ASSERT_TRUE(declarations);
  context.mute(*declarations);
  Value job = context.instance(0).find("#J").unify(context.thaw(given));
  take_as_thawed(job, "#in");
  EXPECT_EQ(job.field("out").to_cue(), "5\n");
}

}  // namespace
}  // namespace opm::cue
