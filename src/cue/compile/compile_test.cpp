#include "cue/compile/compile.h"

#include "cue/compile/compile_fixture.h"

namespace opm::cue::compile {
namespace {

using ::testing::ElementsAre;

TEST_F(CompileTest, Literals) {
  EXPECT_EQ(program(R"(a: null, b: true, c: 1_000, d: 1.5, e: "x\ty", f: 'z', g: _, h: _|_)"),
            R"({a: null, b: true, c: 1000, d: 1.5, e: "x\ty", f: 'z', g: _, h: _|_})");
  EXPECT_EQ(program("a: [1, 2, ...string], b: [...], c: []"), "{a: [1 2 ...string], b: [...], c: []}");
}

TEST_F(CompileTest, FieldReferencesCountScopes) {
  EXPECT_EQ(program("a: 1, b: a, c: {d: a, e: {f: a, g: d}}"),
            "{a: 1, b: ^0.a, c: {d: ^1.a, e: {f: ^2.a, g: ^1.d}}}");
  EXPECT_EQ(program("a: b: c: a"), "{a: {b: {c: ^2.a}}}");
  EXPECT_EQ(program("a: [1, {b: a}]"), "{a: [1 {b: ^1.a}]}") << "lists are no scopes";
}

TEST_F(CompileTest, IdentifierLabelsAreVisibleAndQuotedOnesAreNot) {
  EXPECT_EQ(program("#A: 1, _b: 2, _#c: 3, d?: 4, e!: 5, x: [#A, _b, _#c, d, e]"),
            "{#A: 1, _b: 2, _#c: 3, d?: 4, e!: 5, x: [^0.#A! ^0._b ^0._#c! ^0.d ^0.e]}");
  EXPECT_THAT(errors(R"("foo": 1, x: foo)"), ElementsAre("1:14: x: reference \"foo\" not found"));
}

TEST_F(CompileTest, DefinitionsMarkTheReferencesThatReachThem) {
  EXPECT_EQ(program("#A: b: 1, x: #A.b, y: #A[0], z: q.#D.e, q: {}, w: q.e"),
            "{#A: {b: 1}, x: (. ^0.#A! b)!, y: (index ^0.#A! 0)!, z: (. (. ^0.q #D)! e)!, q: {}, w: (. ^0.q e)}");
}

TEST_F(CompileTest, AliasesOfFields) {
  EXPECT_EQ(program("X=a: 1, b: X"), "{a: 1, b: ^0.a}");
  EXPECT_EQ(program(R"(X="in": 1, b: c: X)"), "{in: 1, b: {c: ^1.in}}");
  EXPECT_EQ(program(R"(k: "x", X=(k): 1, b: c: X)"), R"({k: "x", (^0.k): 1, b: {c: (dynamic ^1 X ^0.k)}})");
  EXPECT_EQ(program(R"cue(k: "x", X="a\(k)": {d: X})cue"),
            R"cue({k: "x", ((string "a" ^0.k "")): {d: (dynamic ^1 X (string "a" ^0.k ""))}})cue");
}

TEST_F(CompileTest, AliasesOfValuesAreScopes) {
  EXPECT_EQ(program("b: 1, a: X={c: X.d, d: b}"), "{b: 1, a: (scope {c: (. (value ^1 X) d), d: ^2.b})}");
}

TEST_F(CompileTest, AliasesOfPatterns) {
  EXPECT_EQ(program("b: 1, [string]: {c: b}"), "{b: 1, [string]: {c: ^1.b}}");
  EXPECT_EQ(program("b: 1, [X=string]: {name: X, c: b}"), "{b: 1, [string]~: {name: (label ^1 X), c: ^2.b}}");
  EXPECT_EQ(program("X=[string]: {c: X}"), "{[string]~: {c: (value ^1 X)}}");
  EXPECT_EQ(program("[X=string]: [Y=string]: {c: X + Y}"),
            "{[string]~: {[string]~: {c: (+ (label ^3 X) (label ^1 Y))}}}");
}

TEST_F(CompileTest, LetsHaveSlots) {
  EXPECT_EQ(program("let A = 1, let B = A + b, b: 2, c: d: B"),
            "{let A = 1, let B = (+ (let ^0 0 A) ^0.b), b: 2, c: {d: (let ^1 1 B)}}");
  EXPECT_EQ(program("x: B, let B = A, let A = 1"), "{x: (let ^0 0 B), let B = (let ^0 1 A), let A = 1}");
  EXPECT_EQ(program("let len = len(\"x\"), y: len"), "{let len = (call @len \"x\"), y: (let ^0 0 len)}")
      << "a let's own name is not visible in its value";
}

TEST_F(CompileTest, LetsSeeWhatIsAroundThemWhereverTheyAreReferredTo) {
  // The value of X is compiled from within b, where a means something else, and so does it again afterwards.
  EXPECT_EQ(program("b: {a: 1, c: [X, a], d: {e: a}}, let X = {y: a, z: {a: 2, w: a}}, a: 3"),
            "{b: {a: 1, c: [(let ^1 0 X) ^0.a], d: {e: ^1.a}}, let X = {y: ^1.a, z: {a: 2, w: ^0.a}}, a: 3}");
  EXPECT_EQ(program("b: {a: 1, let Y = {v: a, X}, c: {a: 4, d: [Y, a]}, let X = {a: 2, u: a}}, a: 3"),
            "{b: {a: 1, let Y = {v: ^1.a, (let ^1 1 X)}, c: {a: 4, d: [(let ^1 0 Y) ^0.a]}, let X = {a: 2, u: ^0.a}}, a: 3}");
  EXPECT_EQ(program("a: 1, [A=string]: {a: 2, c: [X, A, a]}, let X = {out: a}"),
            "{a: 1, [string]~: {a: 2, c: [(let ^2 0 X) (label ^1 A) ^0.a]}, let X = {out: ^1.a}}");
}

TEST_F(CompileTest, Comprehensions) {
  EXPECT_EQ(program("a: [], for k, v in a if v > 1 let w = v {\"\\(k)\": w}"),
            R"({a: [], (for key item ^0.a) (if (> (item ^0 v) 1)) (let (item ^0 v)) )"
            R"({((string "" (key ^2 k) "")): (let ^1 0 w)}})");
  EXPECT_EQ(program("a: 1, b: [for x in [1] {x + a}, if a > 1 {{a}}]"),
            "{a: 1, b: [(for item [1]) {(+ (item ^1 x) ^2.a)} (if (> ^0.a 1)) {{^2.a}}]}");
  EXPECT_EQ(program("for k, _ in {} {b: 1}"), "{(for {}) {b: 1}}") << "variables that no one uses need not be made";
}

TEST_F(CompileTest, Disjunctions) {
  EXPECT_EQ(program("a: 1 | *2 | 3"), "{a: (|* 1 *2 3)}");
  EXPECT_EQ(program("a: *(1 | 2) | (3 | 4)"), "{a: (|* *(| 1 2) (| 3 4))}");
  EXPECT_EQ(program("a: *1 & 2 | 3 & (*4 | 5)", ""), "1:4: a: preference mark not allowed at this position");
}

TEST_F(CompileTest, Operators) {
  EXPECT_EQ(program("a: 1 + 2 * 3 - 4 / 5, b: 7 div 2 + 7 mod 2, c: 7 quo 2, d: 7 rem 2"),
            "{a: (- (+ 1 (* 2 3)) (/ 4 5)), b: (+ (div 7 2) (mod 7 2)), c: (quo 7 2), d: (rem 7 2)}");
  EXPECT_EQ(program("a: !true && false || 1 == 2, b: -1, c: +1, d: a & b & c"),
            "{a: (|| (&& (unary! true) false) (== 1 2)), b: (unary- 1), c: (unary+ 1), d: (& (& ^0.a ^0.b) ^0.c)}");
  EXPECT_EQ(program(R"(a: <1 & >=2 & !="x" & =~"y" & !~"z" & ==3)"),
            R"({a: (& (& (& (& (& (< 1) (>= 2)) (!= "x")) (=~ "y")) (!~ "z")) (== 3))})");
  EXPECT_EQ(program("a: b != _|_, b: _|_ == b"), "{a: (!= ^0.b _|_), b: (== _|_ ^0.b)}");
}

TEST_F(CompileTest, SelectorsCallsAndSlices) {
  EXPECT_EQ(program(R"(a: a.b."c d"[0][1:2][:3][4:], b: len(a), c: close({}))"),
            R"({a: (slice (slice (slice (index (. (. ^0.a b) "c d") 0) 1 2) nil 3) 4 nil), )"
            R"(b: (call @len ^0.a), c: (call @close {})})");
}

TEST_F(CompileTest, Imports) {
  EXPECT_EQ(program("import \"strings\"\nimport j \"encoding/json\"\na: strings.ToUpper(\"x\"), b: j.Marshal"),
            "{a: (call @strings.ToUpper \"x\"), b: @encoding/json.Marshal}");
  EXPECT_EQ(program("import \"example.com/shapes\"\nimport \"time\"\na: shapes.#Circle, b: time.Second, c: time.Parse"),
            "{a: (. (import example.com/shapes shapes) #Circle)!, b: (. (import time time) Second), c: @time.Parse}");
}

TEST_F(CompileTest, PredeclaredTypes) {
  EXPECT_EQ(program("a: [string, bool, int, number, float, bytes, __int]"),
            "{a: [string bool int number float bytes int]}");
  EXPECT_EQ(program("a: uint8, b: uint, c: float32, string: 1, d: string"),
            "{a: (& (& int (>= 0)) (<= 255)), b: (& int (>= 0)), "
            "c: (& (>= -340282346638528859811704183484516925440.0) (<= 340282346638528859811704183484516925440.0)), "
            "string: 1, d: ^0.string}");
}

TEST_F(CompileTest, FilesOfAPackageSeeEachOther) {
  CompileResult result = compile({"package test\na: {x: b}", "package test\nb: a", "c: b"});
  ASSERT_TRUE(result.package);
  EXPECT_EQ(dump(names_, *result.package->files[0]), "{a: {x: ^1.b}}");
  EXPECT_EQ(dump(names_, *result.package->files[1]), "{b: ^0.a}");
  EXPECT_THAT(told(compile({"a: 1", "b: a"}).errors), ElementsAre("1:4: b: reference \"a\" not found"))
      << "without a package clause they don't";
}

TEST_F(CompileTest, UnresolvedReferences) {
  EXPECT_THAT(errors("a: {b: c: foo}\nx: [for q in zork {q}]"),
              ElementsAre("1:11: a.b.c: reference \"foo\" not found", "2:14: x: reference \"zork\" not found"));
  EXPECT_THAT(errors("replicas: 1\nx: replica"),
              ElementsAre("2:4: x: reference \"replica\" not found (did you mean \"replicas\"?)"));
  EXPECT_THAT(errors("a: stirng"), ElementsAre("1:4: a: reference \"stirng\" not found (did you mean \"string\"?)"));
}

TEST_F(CompileTest, PostfixAliases) {
  EXPECT_EQ(program("@experiment(aliasv2)\na~X: 1, b: c: X"), "{a: 1, b: {c: ^1.a}, @experiment(aliasv2)}");
  EXPECT_EQ(program("@experiment(aliasv2)\n\"q r\"~(K,V): {b: K, c: V}"),
            "{\"q r\": {b: \"q r\", c: ^1.\"q r\"}, @experiment(aliasv2)}");
  EXPECT_EQ(program("@experiment(aliasv2)\nk: \"x\", (k)~(K,V): {b: K, c: V}, d: V"),
            "{k: \"x\", (^0.k)~: {b: (label ^1 K), c: (dynamic ^2 V ^0.k)}, d: (dynamic ^0 V ^0.k), "
            "@experiment(aliasv2)}");
  EXPECT_EQ(program("@experiment(aliasv2)\n[string]~(K,V): {b: K, c: V}, x: [int]~Y: Y"),
            "{[string]~: {b: (label ^1 K), c: (value ^1 V)}, x: {[int]~: (value ^0 Y)}, @experiment(aliasv2)}");
}

TEST_F(CompileTest, SelfIsTheLiteralAround) {
  EXPECT_EQ(program("@experiment(aliasv2)\na: self.b, b: c: {d: self}, for x in [1] let y = self {e: self}"),
            "{a: (. (value ^0 self) b), b: {c: {d: (value ^0 self)}}, "
            "(for [1]) (let (value ^1 self)) {e: (value ^0 self)}, @experiment(aliasv2)}");
  EXPECT_EQ(program("@experiment(aliasv2)\nb: 1, a: [b, self[0], {c: self}, [2]]"),
            "{b: 1, a: (scope [^1.b (index (value ^0 self) 0) {c: (value ^0 self)} [2]]), @experiment(aliasv2)}")
      << "a list is a scope where it mentions itself";
}

TEST_F(CompileTest, TryClauses) {
  EXPECT_EQ(program("@experiment(try)\na?: int, try {b: a?}, try x = a.c? {d: x}"),
            "{a?: int, (try nil) {b: ^1.a?}, (try (. ^0.a c)?) {d: (let ^1 0 x)}, @experiment(try)}");
  EXPECT_EQ(program("@experiment(try)\na: 1, if a > 1 {b: a} else {c: a}, for x in [1] {b: x} otherwise {e: a}"),
            "{a: 1, (if (> ^0.a 1)) {b: ^1.a} else {c: ^1.a}, (for item [1]) {b: (item ^1 x)} else {e: ^1.a}, "
            "@experiment(try)}");
}

TEST_F(CompileTest, OpenStructs) {
  EXPECT_EQ(program("@experiment(explicitopen)\n#A: {}, a: #A..."),
            "{#A: {}, a: (open ^0.#A!), @experiment(explicitopen)}");
}

TEST_F(CompileTest, FeaturesFollowTheLanguageVersion) {
  CompileResult result = compile({"a: 1"}, "v0.14.2");
  EXPECT_FALSE(result.package->files[0]->features.struct_comparison);
  result = compile({"@experiment(structcmp)\na: 1"}, "v0.14.2");
  EXPECT_TRUE(result.package->files[0]->features.struct_comparison);
  result = compile({"a: 1"}, "v0.15.0");
  EXPECT_TRUE(result.package->files[0]->features.struct_comparison);
  EXPECT_FALSE(result.package->files[0]->features.explicit_open);
  result = compile({"a: 1", "@experiment(shortcircuit)\nb: 1"});
  EXPECT_FALSE(result.package->files[0]->features.short_circuit);
  EXPECT_TRUE(result.package->files[1]->features.short_circuit);
  EXPECT_TRUE(result.package->files[1]->fields[0]->value->features.short_circuit);
}

TEST_F(CompileTest, LabelsOfAllForms) {
  EXPECT_EQ(program(R"cue("a b": 1, "#c": 2, 'd': 3, null: 4, for: 5, "e\(1)"?: 6, ("f")!: 7)cue"),
            R"cue({"a b": 1, "#c": 2, d: 3, null: 4, for: 5, ((string "e" 1 ""))?: 6, ("f")!: 7})cue");
  const StructExpression* structure = file("\"#c\": 2, #c: 3");
  EXPECT_TRUE(structure->fields[0]->label.is_string());
  EXPECT_TRUE(structure->fields[1]->label.is_definition());
}

TEST_F(CompileTest, HiddenLabelsBelongToThePackage) {
  Label label = file("_a: 1")->fields[0]->label;
  EXPECT_EQ(hidden_package(names_, label), "example.com/test");
  EXPECT_EQ(label_text(names_, label), "_a");
  EXPECT_EQ(selector_text(names_, label), "_a");
  EXPECT_NE(label, identifier_label(names_, "_a", "other"));
}

TEST_F(CompileTest, StructsKnowWhatTheyHold) {
  auto value = [&](const std::string& text) {
    return static_cast<const StructExpression*>(file("x: y: 1, v: " + text)->fields[1]->value);
  };
  EXPECT_TRUE(value("{a: 1, let B = 2, c: B}")->only_fields);
  EXPECT_FALSE(value("{a: 1}")->has_required_or_optional);
  EXPECT_TRUE(value("{a?: 1}")->has_required_or_optional);
  EXPECT_TRUE(value("{a!: 1}")->only_fields);
  EXPECT_TRUE(value("{x}")->has_embedding);
  EXPECT_TRUE(value("{if true {a: 1}}")->has_embedding);
  EXPECT_FALSE(value("{if true {a: 1}}")->only_fields);
  EXPECT_TRUE(value("{[string]: 1}")->has_pattern);
  EXPECT_TRUE(value("{(\"a\"): 1}")->has_dynamic);
  EXPECT_TRUE(value("{a: 1, ...}")->ellipsis);
  EXPECT_FALSE(value("{a: 1, ...}")->only_fields);
}

TEST_F(CompileTest, FieldsAreFoundByLabel) {
  for (int count : {3, 8, 9, 200}) {
    std::string text;
    for (int i = 0; i < count; ++i) text += fmt::format("f{}: {}\n", i, i);
    for (int i = 0; i < count; ++i) text += fmt::format("f{}: {}\n", i, count + i);
    text += "f0: last\nlast: 1";
    const StructExpression* structure = file(text);
    for (int i = 0; i < count; ++i) {
      const Field* first = structure->find(string_label(names_, fmt::format("f{}", i)));
      ASSERT_EQ(first, structure->fields[static_cast<std::size_t>(i)]);
      ASSERT_EQ(first->next_same, static_cast<std::uint32_t>(count + i));
      const Field* second = structure->fields[first->next_same];
      EXPECT_EQ(second->next_same, i == 0 ? static_cast<std::uint32_t>(2 * count) : 0);
    }
    EXPECT_EQ(structure->find(string_label(names_, "missing")), nullptr);
    EXPECT_EQ(structure->find(identifier_label(names_, "#f0", "")), nullptr);
  }
}

TEST_F(CompileTest, FieldsCarryAttributesAndDocumentation) {
  const StructExpression* structure = file("// About a.\n// More.\na: 1 @go(A) @x()\n\nb: {@y(z), c: 2}");
  ASSERT_EQ(structure->fields.size(), 2);
  EXPECT_THAT(structure->fields[0]->documentation, ElementsAre("// About a.", "// More."));
  EXPECT_TRUE(structure->fields[1]->documentation.empty());
  ASSERT_EQ(structure->fields[0]->attributes.size(), 2);
  EXPECT_EQ(structure->fields[0]->attributes[0].text, "@go(A)");
  const auto* inner = static_cast<const StructExpression*>(structure->fields[1]->value);
  ASSERT_EQ(inner->attributes.size(), 1);
  EXPECT_EQ(inner->attributes[0].text, "@y(z)");
}

TEST_F(CompileTest, ExpressionsKnowTheirText) {
  const StructExpression* structure = file("aa: 1 +  2\nX=\"b c\": X.d");
  const auto* sum = static_cast<const Binary*>(structure->fields[0]->value);
  EXPECT_EQ(sources_.locate(sum->position).column, 5);
  EXPECT_EQ(sources_.locate(sum->operator_position).column, 7);
  EXPECT_EQ(sources_.locate(sum->end_position).column, 11);
  const Field* second = structure->fields[1];
  EXPECT_EQ(sources_.locate(second->position).line, 2);
  const auto* selector = static_cast<const Selector*>(second->value);
  EXPECT_EQ(sources_.locate(selector->label_position).column, 12);
}

TEST_F(CompileTest, SizedNumbersHaveTheTextOfTheirName) {
  const Expression* range = file("a: uint8")->fields[0]->value;
  EXPECT_EQ(sources_.locate(range->position).column, 4);
  EXPECT_EQ(sources_.locate(range->end_position).column, 9);
  EXPECT_FALSE(static_cast<const Unify*>(range)->right->position.valid()) << "nothing in the source says <=255";
}

TEST_F(CompileTest, RootExpressions) {
  EXPECT_EQ(expression("a.b + 1", "a: b: 1"), "(+ (. ^0.a b) 1)");
  EXPECT_EQ(expression("{x: a}", "package p\n\"a\": 1"), "{x: ^1.a}");
  EXPECT_EQ(expression("strings.ToUpper(\"x\")"), "(call @strings.ToUpper \"x\")");
  EXPECT_EQ(expression("b", "a: 1"), "1:1: reference \"b\" not found");
  EXPECT_EQ(expression("b", "if true {b: 1}"), "^0.b") << "only evaluation knows";
}

}  // namespace
}  // namespace opm::cue::compile
