#include <gtest/gtest.h>

#include <map>

#include "cue/syntax/parser.h"
#include "directive.h"
#include "run.h"

namespace opm::inline_test {
namespace {

Directive directive(const std::string& text) {
  cue::syntax::Attribute attribute{};
  attribute.text = text;
  auto parsed = parse_directive(attribute);
  EXPECT_TRUE(parsed.has_value()) << parsed.error();
  return parsed.value_or(Directive{});
}

std::map<std::string, Outcome> run(const std::string& text) {
  std::map<std::string, Outcome> outcomes;
  std::vector<std::string> planned;
  Progress progress;
  progress.planned = [&](const std::vector<std::string>& names) { planned = names; };
  progress.done = [&](const Outcome& outcome) { outcomes[outcome.name] = outcome; };
  run_archive(parse_archive("-- in.cue --\n" + text), progress);
  EXPECT_EQ(planned.size(), outcomes.size());
  return outcomes;
}

void expect_verdicts(const std::string& text, const std::map<std::string, Verdict>& expected) {
  std::map<std::string, Outcome> outcomes = run(text);
  EXPECT_EQ(outcomes.size(), expected.size()) << text;
  for (const auto& [name, verdict] : expected) {
    ASSERT_TRUE(outcomes.contains(name)) << name;
    EXPECT_EQ(static_cast<int>(outcomes[name].verdict), static_cast<int>(verdict)) << name << ": " << outcomes[name].reason;
  }
}

constexpr Verdict kPass = Verdict::pass, kFail = Verdict::fail, kSkip = Verdict::skip;

TEST(Archive, SplitsCommentAndFiles) {
  Archive archive = parse_archive("hello\n-- a.cue --\nx: 1\n-- dir/b --\nlast");
  EXPECT_EQ(archive.comment, "hello\n");
  ASSERT_EQ(archive.files.size(), 2u);
  EXPECT_EQ(archive.files[0].name, "a.cue");
  EXPECT_EQ(archive.files[0].text, "x: 1\n");
  EXPECT_EQ(archive.files[1].text, "last\n");
}

TEST(Directive, ReadsNameVersionAndOptions) {
  EXPECT_EQ(directive("@test(eq:v3, {a: 1})").version, "v3");
  EXPECT_TRUE(directive("@test(err:todo, p=1)").is_todo);
  EXPECT_FALSE(directive("@test(eq:v2, 1)").applies());
  Directive closed = directive("@test(closed=false)");
  EXPECT_EQ(closed.name, "closed");
  EXPECT_EQ(closed.arguments.front().value, "false");
  Directive error = directive(R"(@test(err, code=(cycle|eval), contains="a, b", any, pos=[0:5, -1:2, x.cue:3:4], args=[int, 1],
      suberr=(contains="one"), suberr=(pos=[1:1])))");
  EXPECT_EQ(error.error.codes, (std::vector<std::string>{"cycle", "eval"}));
  EXPECT_EQ(error.error.contains, "a, b");
  EXPECT_TRUE(error.error.any);
  ASSERT_EQ(error.error.positions->size(), 3u);
  EXPECT_EQ((*error.error.positions)[1].line, -1);
  EXPECT_EQ((*error.error.positions)[2].file, "x.cue");
  EXPECT_EQ(error.error.arguments.size(), 2u);
  ASSERT_EQ(error.error.parts.size(), 2u);
  EXPECT_EQ(error.error.parts[0].contains, "one");
}

TEST(Directive, ReadsPaths) {
  EXPECT_EQ(path_text(*parse_at_path("a.\"b c\".0._x$pkg.#D")), "a.\"b c\".0._x.#D");
  EXPECT_EQ(path_text(*parse_at_path("a[0].b")), "a.0.b");
  EXPECT_EQ(parse_at_path("_x$pkg")->front().package, ":pkg");
}

TEST(Assertions, CompareValuesAsTheyAreWritten) {
  expect_verdicts(R"(
a: 1 + 1 @test(eq, 2)
b: 1 + 1 @test(eq, 3)
c: *1 | int @test(eq, 1)
d: *1 | int @test(eq, int | *1)
e: >1 & int @test(eq, int & >1)
f: {x: 1, y?: int, [=~"z"]: string} @test(eq, {y?: int, x: 1, [=~"z"]: string})
g: {x: 1, #y: 2} @test(eq, {x: 1})
h: [1, {x: "b"}] @test(eq, [1, {x: "b"}])
i: {x: *1 | 2} @test(eq, {x: 1 @test(final)})
j: {x: 1 @foo(bar)} @test(eq, {x: 1})
k: {x: 1 & 2} @test(eq, {x: _|_ @test(err, code=eval)})
)",
                  {{"a eq", kPass}, {"b eq", kFail}, {"c eq", kFail}, {"d eq", kPass}, {"e eq", kPass}, {"f eq", kPass},
                   {"g eq", kFail}, {"h eq", kPass}, {"i eq", kPass}, {"j eq", kFail}, {"k eq", kPass}});
}

TEST(Assertions, CheckErrors) {
  expect_verdicts(R"(
a: 1 & 2 @test(err, code=eval, contains="conflicting values %s and %s", pos=[0:4, 0:8])
b: 1 & 2 @test(err, code=incomplete)
c: 1 & 2 @test(err, pos=[0:4])
d: 1 @test(err)
e: {x: y: 1 & 2} @test(err, any, code=eval)
f: {x: y: 1 & 2} @test(err, at=x.y, code=eval)
)",
                  {{"a err", kPass}, {"b err", kFail}, {"c err", kFail}, {"d err", kFail}, {"e err", kPass}, {"f err at=x.y", kPass}});
}

TEST(Assertions, CheckKindClosednessAndSharing) {
  expect_verdicts(R"(
a: int | string @test(kind=int|string)
b: close({x: 1}) @test(closed) @test(allows=false, y)
c: {x: 1} @test(closed) @test(allows, y)
d: e @test(shareID=one)
e: {x: 1} @test(shareID=one)
f: {x: 1} @test(shareID=two)
g: {x: 1} @test(shareID=two)
)",
                  {{"a kind", kPass}, {"b closed", kPass}, {"b allows", kPass}, {"c closed", kFail}, {"c allows", kPass},
                   {"d shareID=one", kPass}, {"f shareID=two", kFail}});
}

TEST(Assertions, TryAllOrdersOfFields) {
  expect_verdicts(R"(
a: {
	@test(permute, count=2)
	x: y + 1
	y: 2
	@test(eq, {x: 3, y: 2})
}
b: {
	@test(permute, count=7)
	x: y + 1
	y: 2
}
)",
                  {{"a eq", kPass}, {"a permute", kPass}, {"b permute", kFail}});
}

TEST(Assertions, LeaveOutWhatIsMarked) {
  expect_verdicts(R"(
a: 1 @test(eq, 2) @test(todo)
b: 1 @test(eq, 1) @test(eq:todo, 2)
c: 1 @test(eq, 2) @test(eq:v3, 1)
d: 1 @test(skip) @test(eq, 2)
)",
                  {{"a eq", kSkip}, {"b eq", kPass}, {"c eq", kPass}, {"d eq", kSkip}});
}

TEST(Assertions, FailWhereTheArchiveCannotBeLoaded) { expect_verdicts("a: nothing @test(eq, 1)\n", {{"a eq", kFail}}); }

}  // namespace
}  // namespace opm::inline_test
