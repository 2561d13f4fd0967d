// Several worlds in one evaluation: in each world that it holds for, the result is what evaluating that world alone gives.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cue/eval/node.h"
#include "cue/value.h"
#include "data/json.h"

namespace opm::cue {
namespace {

data::Value parsed(const std::string& json) {
  diag::SourceMap sources;
  const diag::Source* source = sources.add("in.json", json);
  auto value = data::read_json(*source);
  return value ? std::move(*value) : data::Value{};
}

std::string alone(const std::shared_ptr<const Program>& program, const data::Value& input) {
  Context context(program);
  Value given = context.from_documents({&input, 1});
  auto data = context.instance(0).find("#F").unify(given).field("out").to_data();
  return data ? data::write_json(*data) : "error";
}

struct Rounds {
  int count = 0;
  std::vector<std::string> results;
};

// Until each world has its result. Those with errors are evaluated alone, as they are when environments are rendered.
Rounds together(const std::shared_ptr<const Program>& program, const std::vector<data::Value>& inputs) {
  std::vector<const data::Value*> worlds;
  for (const data::Value& input : inputs) worlds.push_back(&input);
  std::vector<bool> wanted(inputs.size(), true);
  Rounds rounds;
  rounds.results.resize(inputs.size());
  while (std::ranges::find(wanted, true) != wanted.end()) {
    ++rounds.count;
    Context context(program);
    context.open_worlds(wanted);
    auto given = context.from_worlds(worlds);
    EXPECT_TRUE(given);
    if (!given) return rounds;
    Value out = context.instance(0).find("#F").unify(*given).field("out");
    for (std::size_t world = 0; world < wanted.size(); ++world) {
      if (!wanted[world] || !context.holds(world)) continue;
      context.in_world(world, [&] {
        auto data = out.to_data();
        rounds.results[world] = data ? data::write_json(*data) : "error";
      });
      wanted[world] = false;
    }
  }
  return rounds;
}

struct Case {
  std::string_view name;
  std::string_view source;  // of #F
  std::vector<std::string> inputs;
  int rounds;
};

class WorldsTest : public testing::TestWithParam<Case> {};

TEST_P(WorldsTest, EachWorldIsAsItIsAlone) {
  auto program = Program::from_text("x.cue", fmt::format("import (\"strings\", \"list\", \"encoding/json\", \"uuid\")\n"
                                                         "_unused: [strings.ToUpper(\"\"), list.Max([1]), json.Valid(\"1\"), uuid.ns.DNS]\n"
                                                         "#F: {}\n", GetParam().source));
  ASSERT_TRUE(program->errors().empty());
  std::vector<data::Value> inputs;
  for (const std::string& text : GetParam().inputs) inputs.push_back(parsed(text));
  Rounds rounds = together(program, inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) EXPECT_EQ(rounds.results[i], alone(program, inputs[i])) << GetParam().inputs[i];
  EXPECT_EQ(rounds.count, GetParam().rounds);
}

const std::vector<std::string> kTexts = {R"({"a":"x","n":2})", R"({"a":"y","n":3})", R"({"a":"z","n":4})"};

INSTANTIATE_TEST_SUITE_P(
    All, WorldsTest,
    testing::Values(
        Case{"copied", "{a: string, n: int, out: {b: a, c: [n, {d: a}]}}", kTexts, 1},
        Case{"joined", R"cue({a: string, n: int, out: "\(a)-\(n)"})cue", kTexts, 1},
        Case{"computed", "{a: string, n: int, out: [n * 2 + 1, n / 4, -n, a + \"!\", strings.ToUpper(a)]}", kTexts, 3},
        Case{"identity", "{a: string, n: int, out: uuid.SHA1(uuid.ns.DNS, a)}", kTexts, 1},
        Case{"alike_conditions", R"cue({a: =~"^[a-z]$", n: >1 & <10, out: {if n > 1 {b: a}, if a == "q" {c: 1}}})cue", kTexts, 1},
        Case{"other_conditions", R"cue({a: string, n: int, out: {if n > 2 {b: a}, if a == "z" {c: 1}}})cue", kTexts, 3},
        Case{"default", "{a: string, n: int, out: m: *1 | int, out: m: n}", kTexts, 1},
        Case{"default_of_one", "{a: string, n: int, out: m: *3 | int, out: m: n}", kTexts, 2},
        Case{"choice", R"cue({a: "x" | "y" | "z", n: int, out: {a: "x", o: 1} | {a: "y", o: 2} | {a: "z", o: 3}, out: "a": a})cue", kTexts, 3},
        Case{"field_names", R"cue({a: string, n: int, out: (a): n})cue", kTexts, 3},
        Case{"iteration", "{a: string, n: int, #m: {u: a, v: \"v\", w: n}, out: {for k, v in #m {(k): \"\\(v)\"}}}", kTexts, 1},
        Case{"lengths", "{a: string, n: int, out: list.Repeat([a], n)}", kTexts, 3},
        Case{"marshalled", "{a: string, n: int, out: json.Marshal({b: a, c: [n]})}", kTexts, 1},
        Case{"compared_structs", R"cue({a: string, n: int, #s: {b: a}, out: [#s == {b: "y"}]})cue", kTexts, 2},
        Case{"conflict_in_one", R"cue({a: string, n: int, out: m: n, out: m: 2 | 3})cue", kTexts, 3},
        Case{"sorted", R"cue({a: string, n: int, out: list.Sort([a, "y"], list.Ascending)})cue", kTexts, 2},
        Case{"closed", R"cue({a: string, n: int, #c: {b?: string}, out: #c & {b: a}})cue", kTexts, 1}),
    [](const testing::TestParamInfo<Case>& each) { return std::string(each.param.name); });

TEST(Worlds, HaveToBeAlike) {
  auto program = Program::from_text("x.cue", "");
  Context context(program);
  context.open_worlds({true, true});
  auto made = [&](const char* a, const char* b) {
    data::Value first = parsed(a), second = parsed(b);
    const data::Value* worlds[] = {&first, &second};
    return context.from_worlds(worlds).has_value();
  };
  EXPECT_TRUE(made(R"({"a":1,"b":["x"]})", R"({"b":["y"],"a":2})"));
  EXPECT_FALSE(made(R"({"a":1})", R"({"a":1.5})"));
  EXPECT_FALSE(made(R"({"a":1})", R"({"a":"1"})"));
  EXPECT_FALSE(made(R"({"a":true})", R"({"a":false})"));
  EXPECT_FALSE(made(R"({"a":1})", R"({"b":1})"));
  EXPECT_FALSE(made(R"({"a":[1]})", R"({"a":[1,2]})"));
}

TEST(Worlds, LookingDropsThoseThatDiffer) {
  auto program = Program::from_text("x.cue", "");
  Context context(program);
  context.open_worlds({true, true, true});
  data::Value one = parsed(R"({"a":"x"})"), other = parsed(R"({"a":"y"})");
  const data::Value* worlds[] = {&one, &other, &one};
  Value given = *context.from_worlds(worlds);
  context.in_world(1, [&] { EXPECT_EQ(given.field("a").string(), "y"); });
  EXPECT_TRUE(context.holds(1));
  EXPECT_EQ(given.field("a").string(), "x");
  EXPECT_TRUE(context.holds(0));
  EXPECT_FALSE(context.holds(1));
  EXPECT_TRUE(context.holds(2));
}

TEST(Worlds, FrozenValuesKeepThem) {
  auto program = Program::from_text("x.cue", "#F: {a: string, out: b: \"<\\(a)>\"}");
  Context context(program);
  context.open_worlds({true, true});
  data::Value one = parsed(R"({"a":"x"})"), other = parsed(R"({"a":"y"})");
  const data::Value* worlds[] = {&one, &other};
  Frozen frozen(program);
  Frozen::Handle handle = frozen.freeze(context.instance(0).find("#F").unify(*context.from_worlds(worlds)).field("out"));
  Context next(program, &frozen);
  next.open_worlds({false, true});
  next.in_world(1, [&] { EXPECT_EQ(next.thaw(handle).field("b").string(), "<y>"); });
}

TEST(Worlds, AreMadeOfFrozenValuesThatLookAlike) {
  auto program = Program::from_text("x.cue", "#F: {#d: string, n: int, l: [...string], out: {b: \"<\\(#d)\\(n)>\", c: l[1]}}");
  Frozen frozen(program);
  auto freeze = [&](const char* text) {
    Context context(program);
    return frozen.freeze(*context.compile(text));
  };
  Frozen::Handle handles[] = {freeze(R"({#d: "x", n: 1, l: ["p", "q"]})"), freeze(R"({#d: "y", n: 1, l: ["p", "r"]})"),
                              freeze(R"({#d: "y", n: 2, l: ["s", "q"]})")};
  EXPECT_EQ(frozen.shape(handles[0]), frozen.shape(handles[1]));
  Frozen::Handle varying = frozen.varying(handles);
  ASSERT_NE(varying, nullptr);
  Context context(program, &frozen);
  context.open_worlds({true, true, true});
  Value out = context.instance(0).find("#F").unify(context.thaw(varying)).field("out");
  const char* expected[][2] = {{"<x1>", "q"}, {"<y1>", "r"}, {"<y2>", "q"}};
  for (std::size_t world = 0; world < 3; ++world) {
    context.in_world(world, [&] {
      EXPECT_EQ(out.field("b").string(), expected[world][0]);
      EXPECT_EQ(out.field("c").string(), expected[world][1]);
    });
    EXPECT_TRUE(context.holds(world));
  }
}

TEST(Worlds, AreNotMadeOfFrozenValuesThatDiffer) {
  auto program = Program::from_text("x.cue", "");
  Frozen frozen(program);
  auto freeze = [&](const char* text) { return frozen.freeze(parsed(text)); };
  auto fits = [&](const char* a, const char* b) {
    Frozen::Handle handles[] = {freeze(a), freeze(b)};
    bool can_vary = frozen.varying(handles) != nullptr;
    if (can_vary) EXPECT_EQ(frozen.shape(handles[0]), frozen.shape(handles[1]));
    else EXPECT_NE(frozen.shape(handles[0]), frozen.shape(handles[1]));
    return can_vary;
  };
  EXPECT_TRUE(fits(R"({"a":1,"b":["x"]})", R"({"a":2,"b":["y"]})"));
  EXPECT_FALSE(fits(R"({"a":1,"b":1})", R"({"b":1,"a":1})"));
  EXPECT_FALSE(fits(R"({"a":1})", R"({"a":1.5})"));
  EXPECT_FALSE(fits(R"({"a":1})", R"({"a":"1"})"));
  EXPECT_FALSE(fits(R"({"a":true})", R"({"a":false})"));
  EXPECT_FALSE(fits(R"({"a":null})", R"({"a":false})"));
  EXPECT_FALSE(fits(R"({"a":1})", R"({"a":1,"b":1})"));
  EXPECT_FALSE(fits(R"({"a":[1]})", R"({"a":[1,2]})"));
  EXPECT_FALSE(fits(R"({"a":{}})", R"({"a":[]})"));
}

TEST(Worlds, WhatIsFrozenOfOneWorldDoesNotVary) {
  auto program = Program::from_text("x.cue", "#F: {name: string, size: int, out: \"\\(name)-\\(size)\"}\n");
  Frozen base(program);
  Frozen frozen(&base);
  const Frozen::Handle given[] = {frozen.freeze(parsed(R"({"name": "a", "size": 1})")), frozen.freeze(parsed(R"({"name": "b", "size": 2})"))};
  Frozen::Handle both = frozen.varying(given);
  ASSERT_NE(both, nullptr);
  Context context(program, &base);
  context.open_worlds({true, true});
  Frozen::Handle all = frozen.freeze_whole(context.instance(0).find("#F").unify(context.thaw(both)));
  ASSERT_NE(all, nullptr);
  Context second(program, &base);
  second.open_worlds({false, true});
  Frozen::Handle alone = frozen.freeze(second.thaw(all));
  ASSERT_NE(alone, nullptr);
  for (const eval::Node* field : alone->arcs) EXPECT_EQ(field->value.variation(), nullptr);
  Context plain(program, &frozen);
  EXPECT_EQ(data::write_json(*plain.thaw(alone).to_data()), R"({"name":"b","size":2,"out":"b-2"})");
}

}  // namespace
}  // namespace opm::cue
