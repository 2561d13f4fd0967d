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

}  // namespace
}  // namespace opm::cue
