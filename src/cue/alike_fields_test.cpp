// Fields that are written alike are, each in its world, what they are alone; and those that only seem so are told apart.
#include "cue/alike_fields.h"

#include <gtest/gtest.h>

#include "data/json.h"

namespace opm::cue {
namespace {

std::string json(const Value& value) {
  auto data = value.to_data();
  return data ? data::write_json(*data) : "error";
}

std::string alone(const std::shared_ptr<const Program>& program, const std::string& name) {
  Context context(program);
  return json(context.instance(0).field("all").field(name));
}

struct Together {
  bool valid = false;
  std::vector<std::string> held;  // names of the worlds that were left
};

// Compares each world that is left with what its field is alone.
Together evaluate(std::string_view text) {
  Together result;
  auto program = Program::from_text("x.cue", std::string(text));
  EXPECT_TRUE(program->errors().empty());
  if (!program->errors().empty()) return result;
  Context context(program);
  std::vector<Value> fields;
  for (Value::FieldEntry& entry : context.instance(0).field("all").shallow_fields()) fields.push_back(entry.value);
  context.open_worlds(std::vector<bool>(fields.size(), true));
  Value all = in_worlds(fields);
  result.valid = all.valid();
  if (!all.valid()) return result;
  for (const Value& field : fields) EXPECT_EQ(written_shape(field), written_shape(fields.front()));
  EXPECT_TRUE(all.validate({.concrete = true}).empty());
  std::vector<std::string> found(fields.size());
  for (std::size_t world = 0; world < fields.size(); ++world) {
    if (context.holds(world)) context.in_world(world, [&] { found[world] = json(all); });
  }
  for (std::size_t world = 0; world < fields.size(); ++world) {
    if (!context.holds(world)) continue;
    result.held.push_back(fields[world].label());
    EXPECT_EQ(found[world], alone(program, fields[world].label())) << fields[world].label();
  }
  return result;
}

using Names = std::vector<std::string>;

TEST(AlikeFields, AreEachWhatTheyAreAlone) {
  Together made = evaluate(R"cue(
#Part: {name: string, image: string, count: int & >0, ports: [...int], about: "\(name) has \(count)"}
all: [Name=string]: #Part & {name: string | *Name}
all: {
  a: {image: "x:1", count: 1, ports: [80, 81]}
  b: {image: "y:1", count: 2, ports: [80, 82]}
  c: {image: "y:1", count: 3, ports: [80, 83]}
})cue");
  EXPECT_TRUE(made.valid);
  EXPECT_EQ(made.held, (Names{"a", "b", "c"}));
}

TEST(AlikeFields, MayBeDeclaredOneByOne) {
  Together made = evaluate(R"cue(
all: [Name=string]: {id: Name, from: image}
image: "x"
all: a: {n: 1, own: image}
all: b: {n: 2, own: image}
all: c: {n: 3, own: image}
)cue");
  EXPECT_TRUE(made.valid);
  EXPECT_EQ(made.held, (Names{"a", "b", "c"}));
}

TEST(AlikeFields, PartWhereTheyDecideDifferently) {
  Together made = evaluate(R"cue(
all: [string]: {n: int, if n > 2 {many: true}}
all: {a: n: 1, b: n: 2, c: n: 3}
)cue");
  EXPECT_TRUE(made.valid);
  EXPECT_EQ(made.held, (Names{"a", "b"}));
}

TEST(AlikeFields, ThatAreReferredToByNameAreWhatTheyAre) {
  Together made = evaluate(R"cue(
all: {
  a: {n: 1, first: all.a.n, count: len(all)}
  b: {n: 2, first: all.a.n, count: len(all)}
  c: {n: 3, first: all.a.n, count: len(all)}
}
)cue");
  EXPECT_TRUE(made.valid);
  EXPECT_EQ(made.held, (Names{"a", "b", "c"}));
}

TEST(AlikeFields, DifferInTextsAndNumbersOnly) {
  EXPECT_FALSE(evaluate("all: {a: n: 1, b: n: 1.5}").valid);
  EXPECT_FALSE(evaluate("all: {a: n: 1, b: n: \"1\"}").valid);
  EXPECT_FALSE(evaluate("all: {a: n: true, b: n: false}").valid);
  EXPECT_FALSE(evaluate("all: {a: n: 1, b: m: 1}").valid);
  EXPECT_FALSE(evaluate("all: {a: n: [1], b: n: [1, 2]}").valid);
  EXPECT_FALSE(evaluate("all: {a: n: x, b: n: y}, x: 1, y: 2").valid);
  EXPECT_FALSE(evaluate("all: {a: n: x, b: n: x & 1}, x: 1").valid);
  EXPECT_FALSE(evaluate("all: {a: n: 1, b: {n: 1, m: 2}}").valid);
  EXPECT_FALSE(evaluate("all: {a: n: x + 1, b: n: x + 2}, x: 1").valid);
}

TEST(AlikeFields, OfWhichPatternsSayTheSame) {
  EXPECT_TRUE(evaluate("all: {[=~\"^a\"]: m: 1, a1: n: 1, a2: n: 2}").valid);
  EXPECT_FALSE(evaluate("all: {[=~\"^a\"]: m: 1, a1: n: 1, b1: n: 2}").valid);
}

}  // namespace
}  // namespace opm::cue
