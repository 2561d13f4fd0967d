#include "cue/compile/compile.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>

#include "cue/compile/dump.h"
#include "cue/syntax/parser.h"

namespace opm::cue::compile {
namespace {

using ::testing::ElementsAre;

// Standard packages with a few functions, and one package of a module.
class TestEnvironment : public Environment {
 public:
  const ImportTarget* import(std::string_view path) const override {
    auto found = std::ranges::find(targets_, path, &ImportTarget::path);
    return found == targets_.end() ? nullptr : &*found;
  }
  const BuiltinSignature* builtin(std::string_view package, std::string_view name) const override {
    for (const BuiltinSignature& builtin : builtins_) {
      if (builtin.package == package && builtin.name == name) return &builtin;
    }
    return nullptr;
  }

 private:
  std::vector<ImportTarget> targets_ = {
      {ImportTarget::kNone, true, "strings", "strings"},
      {ImportTarget::kNone, true, "encoding/json", "json"},
      {4, true, "time", "time"},
      {7, false, "example.com/shapes", "shapes"},
  };
  std::vector<BuiltinSignature> builtins_ = {
      {"", "len"},     {"", "close"},          {"", "and"},   {"", "or"},   {"", "div"},
      {"", "error"},   {"", "matchN"},         {"", "mod"},   {"", "quo"},  {"", "rem"},
      {"", "matchIf"}, {"strings", "ToUpper"}, {"time", "Parse"}, {"encoding/json", "Marshal"},
  };
};

class CompileTest : public ::testing::Test {
 protected:
  CompileResult compile(const std::vector<std::string>& texts, std::string_view version = "") {
    std::vector<const syntax::File*> files;
    for (const std::string& text : texts) {
      const diag::Source* source = sources_.add(fmt::format("{}.cue", files.size()), text);
      syntax::ParsedFile parsed = syntax::parse_file(syntax_arena_, *source);
      for (const diag::Diagnostic& problem : parsed.errors) ADD_FAILURE() << text << ": " << problem.message;
      files.push_back(parsed.file);
    }
    PackageInput input{"example.com/test", "test", version, files};
    return compile_package(arena_, names_, environment_, input);
  }

  // The program of one file, or its errors.
  std::string program(const std::string& text, std::string_view version = "") {
    CompileResult result = compile({text}, version);
    if (result.package) return dump(names_, *result.package->files[0]);
    return fmt::format("{}", fmt::join(told(result.errors), "; "));
  }

  std::vector<std::string> told(const std::vector<diag::Diagnostic>& errors) {
    std::vector<std::string> lines;
    for (const diag::Diagnostic& problem : errors) {
      diag::Location at = sources_.locate(problem.positions.empty() ? Position() : problem.positions[0]);
      std::string path = problem.path.empty() ? "" : problem.path + ": ";
      std::string advice = problem.advice.empty() ? "" : " (" + problem.advice + ")";
      lines.push_back(fmt::format("{}:{}: {}{}{}", at.line, at.column, path, problem.message, advice));
    }
    return lines;
  }

  std::vector<std::string> errors(const std::string& text, std::string_view version = "") {
    CompileResult result = compile({text}, version);
    EXPECT_EQ(result.package == nullptr, !result.errors.empty());
    return told(result.errors);
  }

  std::string expression(const std::string& text, const std::string& package = "") {
    std::vector<const syntax::File*> files;
    if (!package.empty()) {
      files.push_back(syntax::parse_file(syntax_arena_, *sources_.add("package.cue", package)).file);
    }
    PackageInput input{"example.com/test", "test", "", files};
    const diag::Source* source = sources_.add("expression", text);
    syntax::ParsedExpression parsed = syntax::parse_expression(syntax_arena_, *source);
    EXPECT_TRUE(parsed.errors.empty()) << text;
    CompiledExpression result =
        compile_expression(arena_, names_, environment_, package.empty() ? nullptr : &input, *parsed.expression);
    if (result.expression) return dump(names_, *result.expression);
    return fmt::format("{}", fmt::join(told(result.errors), "; "));
  }

  const StructExpression* file(const std::string& text) {
    CompileResult result = compile({text});
    EXPECT_TRUE(result.package) << fmt::format("{}", fmt::join(told(result.errors), "; "));
    return result.package ? result.package->files[0] : nullptr;
  }

  base::Arena syntax_arena_, arena_;
  base::NameTable names_;
  diag::SourceMap sources_;
  TestEnvironment environment_;
};

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

TEST_F(CompileTest, RootExpressions) {
  EXPECT_EQ(expression("a.b + 1", "a: b: 1"), "(+ (. ^0.a b) 1)");
  EXPECT_EQ(expression("{x: a}", "package p\n\"a\": 1"), "{x: ^1.a}");
  EXPECT_EQ(expression("strings.ToUpper(\"x\")"), "(call @strings.ToUpper \"x\")");
  EXPECT_EQ(expression("b", "a: 1"), "1:1: reference \"b\" not found");
  EXPECT_EQ(expression("b", "if true {b: 1}"), "^0.b") << "only evaluation knows";
}

}  // namespace
}  // namespace opm::cue::compile
