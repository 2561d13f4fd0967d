// That nothing blows up: what evaluation does, counted in steps and bytes rather than in time, grows as the input does. The
// patterns are those that are known to hurt; bench/growth.py times them.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "cue/eval/evaluator.h"
#include "cue/value.h"

namespace opm::cue {
namespace {

using Make = std::function<std::string(int size)>;

struct Cost {
  double steps = 0;
  double bytes = 0;
};

Cost cost_of(const std::string& text) {
  Context context(Program::from_text("test.cue", text), {.steps = 5'000'000, .depth = 20'000, .bytes = 1u << 30});
  Diagnostics errors = context.instance(0).validate({.concrete = true});
  EXPECT_TRUE(errors.empty()) << errors.front().path << ": " << errors.front().message;
  EXPECT_TRUE(context.exhaustion().empty());
  return {static_cast<double>(context.evaluator().steps()), static_cast<double>(context.bytes_used())};
}

// Four times the input may take five times the work: a little more than n log n would. Memory comes in blocks, so that small
// sizes say less about it.
void expect_proportional(const Make& make, int size) {
  Cost small = cost_of(make(size));
  Cost large = cost_of(make(4 * size));
  EXPECT_LE(large.steps, 5 * small.steps);
  EXPECT_LE(large.bytes, 7 * small.bytes);
}

std::string repeated(int count, const std::function<std::string(std::string)>& part) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part(std::to_string(i));
  return text;
}

TEST(Growth, DeepChoicesByDiscriminator) {
  auto make = [](int size) {
    std::string text = "{kind: \"leaf\", value: 1}";
    for (int i = 0; i < size; ++i) text = "{kind: \"not\", of: " + text + "}";
    return "#Node: {kind: \"leaf\", value: int} | {kind: \"not\", of: #Node} | {kind: \"both\", of: #Node, and: #Node}\nx: #Node & " + text;
  };
  expect_proportional(make, 40);
}

TEST(Growth, DeepChoicesOfDefinitions) {
  auto make = [](int size) {
    std::string text = "{kind: \"leaf\"}";
    for (int i = 0; i < size; ++i) text = "{kind: \"b\", of: " + text + "}";
    return "#Leaf: kind: \"leaf\"\n#A: {kind: \"a\" | \"aa\", of: #Node}\n#B: {kind: \"b\", of: #Node}\n#Node: #Leaf | #A | #B\nx: #Node & " + text;
  };
  expect_proportional(make, 40);
}

TEST(Growth, AnAlternativeThatRefusesAFieldIsNotEvaluated) {
  auto make = [](int size) {
    std::string fields = repeated(size, [](const std::string& i) { return "f" + i + ": 1, "; });
    return "x: {v: 1} & ({v: int} | {v?: error(\"no v\"), " + fields + "})";
  };
  EXPECT_EQ(cost_of(make(100)).steps, cost_of(make(1)).steps);
}

TEST(Growth, AnAlternativeThatIsAnotherScalarIsNotTried) {
  auto make = [](int size) {
    std::string choice = repeated(size, [](const std::string& i) { return "\"k" + i + "\" | "; });
    return "x: \"last\" & (" + choice + "\"last\")";
  };
  EXPECT_EQ(cost_of(make(100)).steps, cost_of(make(1)).steps);
}

TEST(Growth, DeepChoiceThatFails) {
  auto problem = [](int size) {
    std::string text = "{kind: \"leaf\", value: \"no\"}";
    for (int i = 0; i < size; ++i) text = "{kind: \"not\", of: " + text + "}";
    text = "#Node: {kind: \"leaf\", value: int} | {kind: \"not\", of: #Node} | {kind: \"both\", of: #Node, and: #Node}\nx: #Node & " + text;
    Context context(Program::from_text("test.cue", text), {.steps = 5'000'000, .depth = 20'000, .bytes = 1u << 30});
    EXPECT_FALSE(context.instance(0).validate({.concrete = true}).empty());
    EXPECT_TRUE(context.exhaustion().empty());
    return static_cast<double>(context.evaluator().steps());
  };
  EXPECT_LE(problem(60), 12 * problem(15));  // what is wrong has more to be told at each level
}

TEST(Growth, ManyAlternatives) {
  auto make = [](int size) {
    std::string text = "#T: " + repeated(size, [](const std::string& i) { return "{kind: \"k" + i + "\", f" + i + ": int} | "; });
    return text + "{kind: \"last\"}\nx: #T & {kind: \"k1\", f1: 1}";
  };
  expect_proportional(make, 50);
}

TEST(Growth, DisjunctionsThatAreRepeated) {
  auto make = [](int size) {
    return "x: {#a\n" + repeated(size, [](const std::string&) { return "#a: *\"a\" | >\"b\" | string\n"; }) + "}";
  };
  expect_proportional(make, 5);
}

TEST(Growth, AlternativesThatCallThemselves) {
  auto make = [](int size) {
    return "#T: F={#of!: \"s\" | \"t\", out: {}} | " + repeated(size, [](const std::string& i) {
             return "{#of!: [\"k" + i + "\", _], out: items: (#T & {#of: F.#of[1]}).out} | ";
           }) + "{#of!: \"last\", out: {}}\nin: a: of: [\"k1\", \"s\"]\nx: {for k, v in in {(k): (#T & {#of: v.of}).out}}";
  };
  EXPECT_LE(cost_of(make(12)).steps, 16 * cost_of(make(3)).steps);  // each is tried with each
}

TEST(Growth, NullOrTypes) {
  auto make = [](int size) {
    return "#O: {name?: null | string, of?: null | #O}\n#P: {spec?: null | {items: null | [...null | #O]}, meta?: null | #O}\nx: [...null | #P]\nx: [" +
           repeated(size, [](const std::string& i) { return "{spec: items: [{name: \"n" + i + "\", of: of: null}], meta: name: \"m\"},"; }) + "]";
  };
  expect_proportional(make, 50);
}

TEST(Growth, FunctionsThatCallThemselves) {
  auto make = [](int size) {
    return "#Tree: {from: int, to: int, middle: (from+to) div 2, out: {if to-from == 1 {[from]}, if to-from > 1 {"
           "[(#Tree & {\"from\": from, \"to\": middle}).out, (#Tree & {\"from\": middle, \"to\": to}).out]}}}\n"
           "x: (#Tree & {from: 0, to: " + std::to_string(size) + "}).out";
  };
  expect_proportional(make, 40);
}

TEST(Growth, FunctionsThatCallThemselvesOnceALevel) {
  auto make = [](int size) {
    return "#Count: {n: int, next: n - 1, out: {if n == 0 {[]}, if n > 0 {[n, (#Count & {\"n\": next}).out]}}}\n"
           "x: (#Count & {n: " + std::to_string(size) + "}).out";
  };
  expect_proportional(make, 100);
}

TEST(Growth, ValuesOfWhichEachIsMadeOfTheOneBefore) {
  auto make = [](int size) {
    return "a0: {}\n" + repeated(size, [](const std::string& i) {
             return "a" + std::to_string(std::stoi(i) + 1) + ": a" + i + " & {f" + i + ": " + i + "}\n";
           });
  };
  EXPECT_LE(cost_of(make(80)).steps, 17 * cost_of(make(20)).steps);  // as many fields as there are in all
}

TEST(Growth, SchemaAndData) {
  auto make = [](int size) {
    return "#I: {id: int & >=0, limits: [=~\"^(cpu|memory)$\"]: string, level: *1 | 2}\n#Is: [=~\"^i\"]: #I\nx: #Is\nx: {" +
           repeated(size, [](const std::string& i) { return "i" + i + ": {id: " + i + ", limits: cpu: \"1\"}\n"; }) + "}";
  };
  expect_proportional(make, 100);
}

TEST(Growth, ConditionsInEachOther) {
  auto make = [](int size) {
    std::string fields = repeated(size, [](const std::string& i) { return "f" + i + ": " + i + "\n"; });
    std::string conditions = repeated(size, [](const std::string& i) { return "if c.f" + i + " == " + i + " {y" + i + ": c.f" + i + "\n"; });
    return "c: {" + fields + "}\nx: {" + conditions + std::string(static_cast<std::size_t>(size), '}') + "}";
  };
  expect_proportional(make, 50);
}

TEST(Growth, ConditionsOnTheFieldBefore) {
  auto make = [](int size) {
    std::string text = "x: {a0: 1\n";
    for (int i = 0; i < size; ++i) {
      std::string a = "a" + std::to_string(i);
      std::string b = "a" + std::to_string(i + 1);
      text += b + "?: int\nif " + a + " != _|_ {" + b + ": " + a + " + 1}\n";
    }
    return text + "}";
  };
  expect_proportional(make, 50);
}

TEST(Growth, ConditionsThatAskForEachOther) {
  auto make = [](int size) {
    // The last is asked for first, and each for the one before it.
    std::string text = "x: {\n";
    for (int i = size; i > 0; --i) {
      std::string a = "a" + std::to_string(i - 1);
      text += "a" + std::to_string(i) + "?: int\nif " + a + " != _|_ {if " + a + " > 0 {a" + std::to_string(i) + ": " + a + " + 1}}\n";
    }
    return text + "a0: 1\n}";
  };
  expect_proportional(make, 50);
}

TEST(Growth, DeepDefinitionsWithoutChoice) {
  auto make = [](int size) {
    std::string text = "{}";
    for (int i = 0; i < size; ++i) text = "{value: 1, of: " + text + "}";
    return "#Node: {value?: int, of?: #Node}\nx: #Node & " + text;
  };
  expect_proportional(make, 50);
}

TEST(Growth, DefinitionReferencedAndExtended) {
  auto make = [](int size) {
    return "#D: {name: string, label: \"l-\\(name)\", b: c: \"x\", d: [1, 2, 3], e?: int}\n" +
           repeated(size, [](const std::string& i) { return "x" + i + ": #D & {name: \"n" + i + "\"}\n"; });
  };
  expect_proportional(make, 200);
}

TEST(Growth, DefinitionsEmbeddedInEachOther) {
  auto make = [](int size) {
    std::string chain = "#A0: {f0: int}\n";
    for (int i = 0; i < 20; ++i) {
      std::string a = std::to_string(i);
      std::string b = std::to_string(i + 1);
      chain += "#A" + b + ": {#A" + a + ", f" + b + ": *" + b + " | int}\n";
    }
    return chain + repeated(size, [](const std::string& i) { return "x" + i + ": #A20 & {f0: " + i + "}\n"; });
  };
  expect_proportional(make, 25);
}

// Alternatives may go round once more; what calls a function of itself on the way has gone round all the same.
TEST(Growth, AlternativesThatLeadBackThroughACall) {
  for (std::string text : {
           "l: list.Concat([[for v in l | l {1}], l | *1]), for k, v in l | 1 {}",
           "y: list.Sort([1 | y | 10, 3], list.Ascending) && null, y: >=0",
           "z: {l: 1, y: {}, m: list.Concat([1, [for v in [y.b, ...string] {y | null}]])}, z: y: z | {}, a: {} & z, for k, v in 2 {}",
           "e: [or([e, 1])] >= \"b\", e",
       }) {
    Context context(Program::from_text("test.cue", "import \"list\"\n" + text), {.steps = 1'000'000, .depth = 20'000, .bytes = 1u << 28});
    EXPECT_FALSE(context.instance(0).validate({.concrete = true}).empty());
    EXPECT_TRUE(context.exhaustion().empty()) << text;
  }
}

}  // namespace
}  // namespace opm::cue
