// What is taken for an instance at a glance must be one: the evaluator is asked each time.
#include <gtest/gtest.h>

#include <random>

#include "cue/value.h"

namespace opm::cue {
namespace {

struct Answer {
  bool at_a_glance;
  bool evaluated;
};

// `data` is CUE for plain data.
Answer ask(Context& context, const std::string& data) {
  Value type = context.instance(0).find("#D");
  auto compiled = context.compile(data);
  if (!compiled) throw std::runtime_error("not CUE: " + data);
  data::Value plain = *compiled->to_data();
  Answer answer;
  answer.at_a_glance = context.is_instance(plain, type);
  answer.evaluated = context.from_data(plain).unify(type).validate({.concrete = true}).empty();
  return answer;
}

Answer ask(const std::string& schema, const std::string& data) {
  Context context(Program::from_text("test.cue", schema));
  return ask(context, data);
}

void expect_seen(const std::string& schema, const std::string& data) {
  Answer answer = ask(schema, data);
  EXPECT_TRUE(answer.evaluated) << schema << " | " << data;
  EXPECT_TRUE(answer.at_a_glance) << schema << " | " << data;
}

void expect_refused(const std::string& schema, const std::string& data) {
  Answer answer = ask(schema, data);
  EXPECT_FALSE(answer.evaluated) << schema << " | " << data;
  EXPECT_FALSE(answer.at_a_glance) << schema << " | " << data;
}

TEST(InstanceCheck, SeesWhatSchemasAreMadeOf) {
  expect_seen("#D: {a: int, b?: string, c!: bool}", "{a: 1, c: true}");
  expect_seen("#D: {kind: \"X\", n?: null | int32}", "{n: 5}");
  expect_seen("#D: {n?: null | int32}", "{n: null}");
  expect_seen("#D: {labels?: [string]: string}", "{labels: {a: \"b\", c: \"d\"}}");
  expect_seen("#D: {#E, b: int}\n#E: {a: string, l?: [...#F]}\n#F: {x?: int | string}", "{a: \"x\", b: 1, l: [{x: 1}, {x: \"y\"}, {}]}");
  expect_seen("#D: {s: =~\"^a+$\" | \"b\", u: uint8, ...}", "{s: \"aaa\", u: 255, other: [1]}");
  expect_seen("#D: {t?: null | #D, v: _}", "{t: {t: null, v: 1}, v: {}}");
}

TEST(InstanceCheck, RefusesWhatTheEvaluatorRefuses) {
  expect_refused("#D: {a: int}", "{a: \"x\"}");
  expect_refused("#D: {a: int}", "{a: 1, b: 1}");
  expect_refused("#D: {a: int}", "{}");
  expect_refused("#D: {a!: int}", "{}");
  expect_refused("#D: {a?: int32}", "{a: 2147483648}");
  expect_refused("#D: {a?: uint8}", "{a: -1}");
  expect_refused("#D: {a?: int}", "{a: 1.0}");
  expect_refused("#D: {l: [...#E]}\n#E: x: int", "{l: [{x: 1}, {x: 1, y: 1}]}");
  expect_refused("#D: {#E, k: \"a\"}\n#E: k: \"b\"", "{}");
  expect_refused("#D: {[string]: int, a?: string}", "{a: \"x\"}");
  expect_refused("#D: {a: 1 | 2}", "{a: 3}");
}

TEST(InstanceCheck, LeavesToTheEvaluatorWhatItDoesNotUnderstand) {
  for (const auto& [schema, data] : std::initializer_list<std::pair<const char*, const char*>>{
           {"#D: {a: int, if a > 1 {b: int}}", "{a: 2, b: 3}"},
           {"#D: {a: int, b: a}", "{a: 1, b: 1}"},
           {"#D: {a: {x?: int}} | {b: int}", "{b: 1}"},
           {"#D: {x: int} & {x: >1}", "{x: 2}"},
           {"#D: {a: int}\n#D: {b: int}", "{a: 1, b: 2}"},
           {"let x = int\n#D: {a: x}", "{a: 1}"}}) {
    Answer answer = ask(schema, data);
    EXPECT_TRUE(answer.evaluated) << schema;
    EXPECT_FALSE(answer.at_a_glance) << schema;
  }
}

// Schemas and data of few names and values, so that they often fit.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  std::string schema() {
    std::string text;
    for (const char* name : {"#D", "#E", "#F"}) text += std::string(name) + ": " + literal(2) + "\n";
    return text;
  }
  std::string data(int depth) {
    switch (pick(depth > 0 ? 8 : 6)) {
      case 0: return "1";
      case 1: return "300";
      case 2: return "\"a\"";
      case 3: return "\"b\"";
      case 4: return "null";
      case 5: return "1.5";
      case 6: {
        std::string text = "[";
        for (unsigned i = pick(3); i > 0; --i) text += data(depth - 1) + ", ";
        return text + "]";
      }
      default: return map(depth);
    }
  }
  std::string map(int depth) {
    std::string text = "{";
    for (const char* name : {"a", "b", "c"}) {
      if (pick(3) > 0) text += std::string(name) + ": " + data(depth - 1) + ", ";
    }
    return text + "}";
  }

 private:
  unsigned pick(unsigned count) { return std::uniform_int_distribution<unsigned>(0, count - 1)(engine_); }
  std::string literal(int depth) {
    std::string text = "{";
    for (const char* name : {"a", "b", "c"}) {
      const char* marks[] = {"?", "?", "!", ""};
      if (pick(2) > 0) text += std::string(name) + marks[pick(4)] + ": " + type(depth - 1) + ", ";
    }
    if (pick(8) == 0) text += "#E, ";
    if (pick(8) == 0) text += "[string]: " + type(depth - 1) + ", ";
    if (pick(6) == 0) text += "..., ";
    return text + "}";
  }
  std::string type(int depth) {
    switch (pick(depth > 0 ? 14 : 10)) {
      case 0: return "int";
      case 1: return "uint8";
      case 2: return "string";
      case 3: return "\"a\"";
      case 4: return "_";
      case 5: return "number";
      case 6: return "=~\"^a\"";
      case 7: return pick(2) == 0 ? "#E" : "#F";
      case 8: return "null | string";
      case 9: return "*1 | int";
      case 10: return "[..." + type(depth - 1) + "]";
      case 11: return type(depth - 1) + " | " + type(depth - 1);
      case 12: return type(depth - 1) + " & " + type(depth - 1);
      default: return literal(depth);
    }
  }
  std::mt19937 engine_;
};

TEST(InstanceCheck, NeverTakesForAnInstanceWhatIsNone) {
  int seen = 0, right = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    Random random(seed);
    std::string schema = random.schema();
    Context context(Program::from_text("test.cue", schema));
    context.run([&] {
      for (int i = 0; i < 40; ++i) {
        std::string data = random.map(2);
        Answer answer = ask(context, data);
        seen += answer.at_a_glance;
        right += answer.evaluated;
        EXPECT_TRUE(answer.evaluated || !answer.at_a_glance) << "seed " << seed << "\n" << schema << data;
      }
    });
  }
  // It would be easy never to be wrong by never saying yes.
  EXPECT_GT(seen, right / 2) << seen << " of " << right;
  EXPECT_GT(right, 1000);
}

}  // namespace
}  // namespace opm::cue
