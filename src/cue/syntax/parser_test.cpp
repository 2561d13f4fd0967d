#include "cue/syntax/parser.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "cue/syntax/lexer.h"

namespace opm::cue::syntax {
namespace {

// The tree as an s-expression, without positions.
class Dump {
 public:
  std::string text;

  void node(const Node* n) {
    if (!n) {
      text += "nil";
      return;
    }
    switch (n->kind) {
      case NodeKind::identifier: text += as<Identifier>(n)->name; break;
      case NodeKind::basic_literal: text += as<BasicLiteral>(n)->text; break;
      case NodeKind::bottom: text += "_|_"; break;
      case NodeKind::bad_expression: text += "BAD"; break;
      case NodeKind::bad_declaration: text += "BAD-DECLARATION"; break;
      case NodeKind::attribute: text += as<Attribute>(n)->text; break;
      case NodeKind::interpolation: list("interpolate", as<Interpolation>(n)->elements); break;
      case NodeKind::struct_literal: {
        const auto* x = as<StructLiteral>(n);
        list(x->left_brace.valid() ? "struct" : "elided", x->elements);
        break;
      }
      case NodeKind::list_literal: list("list", as<ListLiteral>(n)->elements); break;
      case NodeKind::ellipsis: {
        const auto* x = as<Ellipsis>(n);
        if (x->type) {
          nodes("...", {x->type});
        } else {
          text += "...";
        }
        break;
      }
      case NodeKind::selector: nodes(".", {as<Selector>(n)->operand, as<Selector>(n)->label}); break;
      case NodeKind::index: nodes("index", {as<Index>(n)->operand, as<Index>(n)->index}); break;
      case NodeKind::slice: nodes("slice", {as<Slice>(n)->operand, as<Slice>(n)->low, as<Slice>(n)->high}); break;
      case NodeKind::call: {
        const auto* x = as<Call>(n);
        open("call");
        item(x->function);
        items(x->arguments);
        close();
        break;
      }
      case NodeKind::unary: nodes(token_name(as<Unary>(n)->op), {as<Unary>(n)->operand}); break;
      case NodeKind::binary:
        nodes(token_name(as<Binary>(n)->op), {as<Binary>(n)->left, as<Binary>(n)->right});
        break;
      case NodeKind::postfix:
        nodes(fmt::format("post{}", token_name(as<Postfix>(n)->op)), {as<Postfix>(n)->operand});
        break;
      case NodeKind::parenthesis: nodes("paren", {as<Parenthesis>(n)->inner}); break;
      case NodeKind::alias: nodes("alias", {as<Alias>(n)->name, as<Alias>(n)->value}); break;
      case NodeKind::field: {
        const auto* x = as<Field>(n);
        open(x->constraint == Constraint::optional   ? "field?"
             : x->constraint == Constraint::required ? "field!"
                                                     : "field");
        item(x->label);
        if (x->alias) item(x->alias);
        item(x->value);
        items(x->attributes);
        close();
        break;
      }
      case NodeKind::postfix_alias: {
        const auto* x = as<PostfixAlias>(n);
        open("~");
        if (x->label_name) item(x->label_name);
        item(x->field_name);
        close();
        break;
      }
      case NodeKind::embedding: nodes("embed", {as<Embedding>(n)->expression}); break;
      case NodeKind::let_clause: nodes("let", {as<LetClause>(n)->name, as<LetClause>(n)->value}); break;
      case NodeKind::comprehension: {
        const auto* x = as<Comprehension>(n);
        open("comprehension");
        items(x->clauses);
        item(x->body);
        if (x->fallback) item(x->fallback);
        close();
        break;
      }
      case NodeKind::for_clause: {
        const auto* x = as<ForClause>(n);
        open("for");
        if (x->key) item(x->key);
        item(x->value);
        item(x->source);
        close();
        break;
      }
      case NodeKind::if_clause: nodes("if", {as<IfClause>(n)->condition}); break;
      case NodeKind::try_clause: {
        const auto* x = as<TryClause>(n);
        open("try");
        if (x->name) {
          item(x->name);
          item(x->value);
        }
        close();
        break;
      }
      case NodeKind::fallback_clause:
        nodes(token_name(as<FallbackClause>(n)->keyword), {as<FallbackClause>(n)->body});
        break;
      case NodeKind::package: nodes("package", {as<Package>(n)->name}); break;
      case NodeKind::import_declaration: list("import", as<ImportDeclaration>(n)->specs); break;
      case NodeKind::import_spec: {
        const auto* x = as<ImportSpec>(n);
        if (x->name) {
          nodes("as", {x->name, x->path});
        } else {
          node(x->path);
        }
        break;
      }
      default: text += "?"; break;
    }
  }

 private:
  void open(std::string_view name) { text += fmt::format("({}", name); }
  void close() { text += ')'; }
  void item(const Node* n) {
    text += ' ';
    node(n);
  }
  template <typename T>
  void items(std::span<T*> all) {
    for (const Node* n : all) item(n);
  }
  template <typename T>
  void list(std::string_view name, std::span<T*> all) {
    open(name);
    items(all);
    close();
  }
  void nodes(std::string_view name, std::initializer_list<const Node*> all) {
    open(name);
    for (const Node* n : all) item(n);
    close();
  }
};

// Declarations separated by a space; errors, if any, as line:column message.
std::string parse(std::string_view text) {
  diag::SourceMap map;
  base::Arena arena;
  const diag::Source* source = map.add("test.cue", std::string(text));
  ParsedFile parsed = parse_file(arena, *source);
  std::string out;
  for (const diag::Diagnostic& error : parsed.errors) {
    diag::Location at = map.locate(error.positions.at(0));
    out += fmt::format("{}{}:{} {}", out.empty() ? "" : "; ", at.line, at.column, error.message);
  }
  if (!out.empty()) return out;
  for (const Declaration* declaration : parsed.file->declarations) {
    Dump dump;
    dump.node(declaration);
    out += (out.empty() ? "" : " ") + dump.text;
  }
  return out;
}

struct Case {
  const char* text;
  const char* tree;
};

void check(std::initializer_list<Case> cases) {
  for (const Case& c : cases) EXPECT_EQ(parse(c.text), c.tree) << "for:\n" << c.text;
}

TEST(Parser, Fields) {
  check({
      {"", ""},
      {"a: 1", "(field a 1)"},
      {"a: 1, b: 2\nc: 3,\n", "(field a 1) (field b 2) (field c 3)"},
      {"a?: 1\nb!: 2", "(field? a 1) (field! b 2)"},
      {"#A: _x: _#y: $z: 1", "(field #A (elided (field _x (elided (field _#y (elided (field $z 1)))))))"},
      {"a: b?: c!: 1", "(field a (elided (field? b (elided (field! c 1)))))"},
      {"\"a b\": 'x'", "(field \"a b\" 'x')"},
      {"\"x\\(y)z\": 1", "(field (interpolate \"x\\( y )z\") 1)"},
      {"(x): 1", "(field (paren x) 1)"},
      {"[string]: int", "(field (list string) int)"},
      {"[X=string]: X", "(field (list (alias X string)) X)"},
      {"X=[string]: X", "(field (alias X (list string)) X)"},
      {"X=\"in\": X.a", "(field (alias X \"in\") (. X a))"},
      {"a: X={b: X.c}", "(field a (alias X (struct (field b (. X c)))))"},
      {"a~X: 1\nb~(K,V): 2\nc~(V): 3", "(field a (~ X) 1) (field b (~ K V) 2) (field c (~ V) 3)"},
      {"\xC3\xA9t\xC3\xA9: 1", "(field \xC3\xA9t\xC3\xA9 1)"},
      {"\xEF\xBB\xBF" "a: 1", "(field a 1)"},
      {"{a: 1}", "(embed (struct (field a 1)))"},
      {"a: {\n\tb: 1\n\t...\n}", "(field a (struct (field b 1) ...))"},
      {"a: 1 @x(y) @z(\"(\",[1])\n@file(a)", "(field a 1 @x(y) @z(\"(\",[1])) @file(a)"},
      {"a: 1 @x(b.c,1,k=*v_1 w)@y(0)\n", "(field a 1 @x(b.c,1,k=*v_1 w) @y(0))"},
      {"a: 1 @x(1.5, {b: [c]}, // d\n'')", "(field a 1 @x(1.5, {b: [c]}, // d\n''))"},
      {"a: 1 @x(1.5|2, b.0.c, ._d, #e, _#f, g$, h: 5#\"x\"#, \u00e9i, \"\\t)\", =~'j') @y()",
       "(field a 1 @x(1.5|2, b.0.c, ._d, #e, _#f, g$, h: 5#\"x\"#, \u00e9i, \"\\t)\", =~'j') @y())"},
      {"a: 1 @x({b: _ @y(c)}, @z())", "(field a 1 @x({b: _ @y(c)}, @z()))"},
      {"let x = 1\na: x", "(let x 1) (field a x)"},
      {"a.b", "(embed (. a b))"},
      {"{\"a\"\n:\n1\n,\"b\": 2}", "(embed (struct (field \"a\" 1) (field \"b\" 2)))"},
  });
}

TEST(Parser, KeywordsAreLabelsAndNamesToo) {
  check({
      {"if: 1, for: 2, let: 3, in: 4", "(field if 1) (field for 2) (field let 3) (field in 4)"},
      {"if?: 1, if!: 2, for!: 3", "(field? if 1) (field! if 2) (field! for 3)"},
      {"true: 1, false: 2, null: 3", "(field true 1) (field false 2) (field null 3)"},
      {"try: 1, else: 2, fallback: 3, otherwise: 4, func: 5",
       "(field try 1) (field else 2) (field fallback 3) (field otherwise 4) (field func 5)"},
      {"a: if: 1", "(field a (elided (field if 1)))"},
      {"a: b.for.if", "(field a (. (. b for) if))"},
      {"div: 4 div 2, mod: div", "(field div (div 4 2)) (field mod div)"},
      {"package: 1, import: 2", "1:8 expected 'IDENT', found ':'"},
      {"a: 1\npackage: 1\nimport: 2", "(field a 1) (field package 1) (field import 2)"},
  });
}

TEST(Parser, Preamble) {
  check({
      {"@if(x)\npackage foo\n\nimport \"strings\"\nimport (\n\ta \"x.org/y@v1:z\"\n\t\"list\"\n)\nb: 1",
       "@if(x) (package foo) (import \"strings\") (import (as a \"x.org/y@v1:z\") \"list\") (field b 1)"},
      {"package foo\n@x()\nimport ()", "(package foo) @x() (import)"},
      {"import \"a b\"", "1:8 invalid import path: \"a b\""},
      {"import \"\"", "1:8 invalid import path: \"\""},
      {"package #a", "1:11 invalid package name #a"},
      {"import #a \"list\"", "1:11 cannot import package as definition identifier"},
  });
}

TEST(Parser, PackageName) {
  diag::SourceMap map;
  base::Arena arena;
  EXPECT_EQ(parse_file(arena, *map.add("a", "@if(x)\npackage foo\n")).file->package_name(), "foo");
  EXPECT_EQ(parse_file(arena, *map.add("a", "package _\n")).file->package_name(), "");
  EXPECT_EQ(parse_file(arena, *map.add("a", "a: 1\n")).file->package_name(), "");
}

TEST(Parser, OnlyImportsStopsThere) {
  diag::SourceMap map;
  base::Arena arena;
  ParsedFile parsed = parse_file(arena, *map.add("a", "package a\nimport \"b\"\nc: ]"), {.only_imports = true});
  EXPECT_TRUE(parsed.errors.empty());
  EXPECT_EQ(parsed.file->declarations.size(), 2u);
}

TEST(Parser, Precedence) {
  check({
      {"a: 1 + 2 * 3 - 4", "(field a (- (+ 1 (* 2 3)) 4))"},
      {"a: x | y & z", "(field a (| x (& y z)))"},
      {"a: a || b && c == d", "(field a (|| a (&& b (== c d))))"},
      {"a: *1 | int", "(field a (| (* 1) int))"},
      {"a: >=1 & <10 & !=5", "(field a (& (& (>= 1) (< 10)) (!= 5)))"},
      {"a: =~\"x\" & !~\"y\"", "(field a (& (=~ \"x\") (!~ \"y\")))"},
      {"a: -x.y[0]", "(field a (- (index (. x y) 0)))"},
      {"a: !b != _|_", "(field a (!= (! b) _|_))"},
      {"a: 7 div 2 mod 3 quo 4 rem 5", "(field a (rem (quo (mod (div 7 2) 3) 4) 5))"},
      {"a: (1 + 2) * 3", "(field a (* (paren (+ 1 2)) 3))"},
      {"a: 1 +\n2", "(field a (+ 1 2))"},
      {"a: b & ==c", "(field a (& b (== c)))"},
  });
}

TEST(Parser, Operands) {
  check({
      {"a: f(1, x.y, {b: 2},)", "(field a (call f 1 (. x y) (struct (field b 2))))"},
      {"a: f()(1)[2]", "(field a (index (call (call f) 1) 2))"},
      {"a: x[1:2]\nb: x[:2]\nc: x[1:]\nd: x[:]",
       "(field a (slice x 1 2)) (field b (slice x nil 2)) (field c (slice x 1 nil)) (field d (slice x nil nil))"},
      {"a: x.\"b c\".d", "(field a (. (. x \"b c\") d))"},
      {"a: #A...\nb: x?.y?[0]?", "(field a (post... #A)) (field b (post? (index (post? (. (post? x) y)) 0)))"},
      {"a: 0x1F\nb: 1_000Ki\nc: .5e-3\nd: 0b1\ne: 0o7\nf: 1.5M",
       "(field a 0x1F) (field b 1_000Ki) (field c .5e-3) (field d 0b1) (field e 0o7) (field f 1.5M)"},
      {"a: _\nb: _|_\nc: null", "(field a _) (field b _|_) (field c null)"},
      {"a: self.x", "(field a (. self x))"},
  });
}

TEST(Parser, Strings) {
  check({
      {R"cue(a: "x\"y\\")cue", R"cue((field a "x\"y\\"))cue"},
      {R"cue(a: #"x\"#)cue", R"cue((field a #"x\"#))cue"},
      {R"cue(a: ##"x"#y"##)cue", R"cue((field a ##"x"#y"##))cue"},
      {R"cue(a: #"""#)cue", R"cue((field a #"""#))cue"},
      {R"cue(a: ""
b: '')cue", R"cue((field a "") (field b ''))cue"},
      {"a: \"\"\"\n\tx \"\"\" y\n\t\"\"\"", "(field a \"\"\"\n\tx \"\"\" y\n\t\"\"\")"},
      {R"cue(a: "\(b)\(c.d)!")cue", R"cue((field a (interpolate "\( b )\( (. c d) )!")))cue"},
      {R"cue(a: #"\(b)\#(c)"#)cue", R"cue((field a (interpolate #"\(b)\#( c )"#)))cue"},
      {R"cue(a: "\("x\(y)")")cue", R"cue((field a (interpolate "\( (interpolate "x\( y )") )")))cue"},
      {"a: '''\n  \\(b)\n  '''", "(field a (interpolate '''\n  \\( b )\n  '''))"},
      {"a: \"\\(\nb\n)\"", "(field a (interpolate \"\\( b )\"))"},
      {R"cue('\x41\101')cue", R"cue((embed '\x41\101'))cue"},
      {"a: \"\"\"\r\n  x\r\n  \"\"\"", "(field a \"\"\"\n  x\n  \"\"\")"},
  });
}

TEST(Parser, Lists) {
  check({
      {"a: []", "(field a (list))"},
      {"a: [1, 2, 3,]", "(field a (list 1 2 3))"},
      {"a: [\n\t1,\n\t2,\n]", "(field a (list 1 2))"},
      {"a: [\n\t1\n\t2\n]", "(field a (list 1 2))"},
      {"a: [...]", "(field a (list ...))"},
      {"a: [1, ...int]", "(field a (list 1 (... int)))"},
      {"a: [X={b: 1}, X.b]", "(field a (list (alias X (struct (field b 1))) (. X b)))"},
      {"a: [for x in y {x}, 2]", "(field a (list (comprehension (for x y) (struct (embed x))) 2))"},
      {"a: [if x {y}]", "(field a (list (comprehension (if x) (struct (embed y)))))"},
      {"a: [for, 1]", "(field a (list for 1))"},
  });
}

TEST(Parser, Comprehensions) {
  check({
      {"for k, v in x {\"\\(k)\": v}",
       "(comprehension (for k v x) (struct (field (interpolate \"\\( k )\") v)))"},
      {"if x != _|_ {y: 1}", "(comprehension (if (!= x _|_)) (struct (field y 1)))"},
      {"for x in y if x > 1 let z = x {z}", "(comprehension (for x y) (if (> x 1)) (let z x) (struct (embed z)))"},
      {"for x in y\nif x {x}", "(comprehension (for x y) (if x) (struct (embed x)))"},
      {"a: {if x {b: 1}}", "(field a (struct (comprehension (if x) (struct (field b 1)))))"},
      {"try {a: b?}", "(comprehension (try) (struct (field a (post? b))))"},
      {"try x = a.b? {c: x}", "(comprehension (try x (post? (. a b))) (struct (field c x)))"},
      {"if x {a: 1} else {a: 2}", "(comprehension (if x) (struct (field a 1)) (else (struct (field a 2))))"},
      {"for x in y {a: 1} fallback {a: 2}",
       "(comprehension (for x y) (struct (field a 1)) (fallback (struct (field a 2))))"},
      {"for x in y {a: 1} otherwise {a: 2}",
       "(comprehension (for x y) (struct (field a 1)) (otherwise (struct (field a 2))))"},
      {"for x in y {a: 1} else {a: 2}",
       "1:19 use 'otherwise' for comprehensions with multiple clauses or 'for' clauses"},
      {"if x {a: 1} otherwise {a: 2}", "1:13 use 'else' with single 'if' or 'try' clause"},
  });
}

TEST(Parser, SingleExpression) {
  diag::SourceMap map;
  base::Arena arena;
  auto parse_one = [&](const char* text) {
    ParsedExpression parsed = parse_expression(arena, *map.add("-e", text));
    if (!parsed.errors.empty()) return parsed.errors[0].message;
    Dump dump;
    dump.node(parsed.expression);
    return dump.text;
  };
  EXPECT_EQ(parse_one("a.b & {c: 1}\n"), "(& (. a b) (struct (field c 1)))");
  EXPECT_EQ(parse_one("a b"), "expected 'EOF', found 'IDENT' b");
  EXPECT_EQ(parse_one(""), "expected operand, found 'EOF'");
}

TEST(Parser, Positions) {
  diag::SourceMap map;
  base::Arena arena;
  const diag::Source* source = map.add("a.cue", "a: b: {\n\n  c : [1 , x] +\n  y @t()\n}\n");
  ParsedFile parsed = parse_file(arena, *source);
  ASSERT_TRUE(parsed.errors.empty());
  auto offset = [&](Position position) { return position.value - source->begin.value; };
  const auto* a = as<Field>(parsed.file->declarations[0]);
  EXPECT_EQ(offset(a->begin), 0u);
  EXPECT_EQ(offset(a->end), 35u);
  EXPECT_EQ(offset(a->colon), 1u);
  const auto* elided = as<StructLiteral>(a->value);
  EXPECT_FALSE(elided->left_brace.valid());
  const auto* b = as<Field>(elided->elements[0]);
  EXPECT_EQ(b->spacing, Spacing::blank);
  const auto* braces = as<StructLiteral>(b->value);
  EXPECT_EQ(offset(braces->left_brace), 6u);
  EXPECT_EQ(offset(braces->right_brace), 34u);
  EXPECT_EQ(braces->right_spacing, Spacing::newline);
  const auto* c = as<Field>(braces->elements[0]);
  EXPECT_EQ(c->spacing, Spacing::new_section);
  EXPECT_EQ(offset(c->colon), 13u);
  EXPECT_EQ(c->colon_spacing, Spacing::blank);
  EXPECT_EQ(offset(c->end), 33u);
  const auto* sum = as<Binary>(c->value);
  EXPECT_EQ(offset(sum->op_position), 23u);
  EXPECT_EQ(sum->op_spacing, Spacing::blank);
  EXPECT_EQ(sum->right->spacing, Spacing::newline);
  const auto* list = as<ListLiteral>(sum->left);
  EXPECT_EQ(offset(list->right_bracket), 21u);
  EXPECT_TRUE(list->elements[1]->after_comma);
  EXPECT_FALSE(list->elements[0]->after_comma);
  EXPECT_FALSE(list->omits_commas);
}

// However long, and wherever a text of any length ends.
TEST(Parser, ReadsNamesToTheirEnd) {
  for (std::size_t size = 1; size < 70; ++size) {
    std::string name(size, 'a');
    for (std::size_t i = 1; i < size; ++i) name[i] = "bZ9_$"[i % 5];
    for (std::string_view behind : {"", ":1", "?:1", "\u00e9:1", ".b", " \n", "-c"}) {
      base::Arena arena;
      diag::SourceMap sources;
      std::string text = name + std::string(behind);
      ParsedFile parsed = parse_file(arena, *sources.add("x", text));
      ASSERT_TRUE(parsed.errors.empty()) << text;
      const Node* first = parsed.file->declarations[0];
      while (first->kind != NodeKind::identifier) {
        if (first->kind == NodeKind::field) first = as<Field>(first)->label;
        else if (first->kind == NodeKind::embedding) first = as<Embedding>(first)->expression;
        else if (first->kind == NodeKind::selector) first = as<Selector>(first)->operand;
        else if (first->kind == NodeKind::binary) first = as<Binary>(first)->left;
        else break;
      }
      ASSERT_EQ(first->kind, NodeKind::identifier) << text;
      EXPECT_EQ(as<Identifier>(first)->name, behind.starts_with("\u00e9") ? name + "\u00e9" : name);
    }
  }
}

TEST(Parser, KnowsAttributesThatTakeALoader) {
  auto has_some = [](std::string_view text) {
    base::Arena arena;
    diag::SourceMap sources;
    return parse_file(arena, *sources.add("x", std::string(text))).has_loader_attributes;
  };
  for (std::string_view text : {"a: 1 @tag(x)", "@extern(embed)\n\npackage p", "a: _ @embed(file=x)", "a: {b: [{c: 1 @go(d) @tag(e)}]}"})
    EXPECT_TRUE(has_some(text)) << text;
  for (std::string_view text : {"a: 1 @go(tag)", "// @tag(x)\na: \"@embed(x)\"", "@if(tag)\n\npackage p", "tag: embed: 1"})
    EXPECT_FALSE(has_some(text)) << text;
}

// The comments of a node, with marks: d(oc), l(ine), and the position.
std::string comments_of(const Node* node) {
  std::string out;
  for (const CommentGroup* group : node->comments) {
    if (!out.empty()) out += ' ';
    out += fmt::format("{}{}{}:", group->is_doc ? "d" : "", group->is_line ? "l" : "", int{group->position});
    for (const Comment& comment : group->comments) out += comment.text;
  }
  return out;
}

TEST(Parser, Comments) {
  diag::SourceMap map;
  base::Arena arena;
  const diag::Source* source =
      map.add("a.cue",
              "// file\n\n// doc\n// more\na: 1 // behind\n\nb: { // open\n  c: 2\n  // last\n}\n"
              "x: [\n  // one\n  1, // after\n  2,\n]\n// end\n");
  ParsedFile parsed = parse_file(arena, *source);
  ASSERT_TRUE(parsed.errors.empty());
  auto& declarations = parsed.file->declarations;
  EXPECT_EQ(comments_of(parsed.file), "0:// file");
  EXPECT_EQ(comments_of(declarations[0]), "d0:// doc// more l5:// behind");
  const auto* b = as<Field>(declarations[1]);
  const auto* c = as<StructLiteral>(b->value)->elements[0];
  EXPECT_EQ(comments_of(c), "l0:// open d5:// last");
  const auto* x = as<Field>(declarations[2]);
  EXPECT_EQ(comments_of(as<ListLiteral>(x->value)->elements[0]), "d0:// one l2:// after");
  EXPECT_EQ(comments_of(x), "5:// end");

  ParsedFile without = parse_file(arena, *source, {.comments = false});
  EXPECT_TRUE(without.errors.empty());
  EXPECT_EQ(comments_of(without.file->declarations[0]), "");
}

TEST(Parser, Errors) {
  check({
      {"a: }", "1:4 expected operand, found '}'"},
      {"a: {b: 1 c: 2}", "1:10 missing ',' in struct literal"},
      {"a: [1 2]", "1:7 missing ',' in list literal"},
      {"a: f(1 2)", "1:8 missing ',' in argument list"},
      {"a: \"x\n", "1:4 string literal not terminated"},
      {"a: \"\"\"\n  x", "1:4 string literal not terminated"},
      {"a: \"\"\"x", "1:4 expected newline after multiline quote \"\"\""},
      {"a: \"\"\"\n    x\n  y\n    \"\"\"", "1:4 non-matching whitespace for multiline strings"},
      {"a: \"\\q\"", "1:6 unknown escape sequence"},
      {"a: \"\\x41\"", "1:6 hexadecimal escape not allowed in string literal"},
      {"a: \"\\u12g4\"", "1:9 illegal character U+0067 'g' in escape sequence"},
      {"a: 08", "1:4 illegal integer number"},
      {"a: 0x", "1:4 illegal hexadecimal number"},
      {"a: 1__0", "1:6 illegal '_' in number"},
      {"a: 1e", "1:6 illegal exponent in number"},
      {"a: 1\nb: %", "2:4 illegal character U+0025 '%'"},
      {"a: 1\n`", "2:1 illegal character U+0060 '`'"},
      {"a: x..y", "1:5 illegal token '..'; expected '.'"},
      {"a: {\n", "1:6 expected '}', found 'EOF'"},
      {"a b: 1", "1:3 expected label or ':', found 'IDENT' b"},
      {"X = 1", "1:6 expected label or ':', found 'EOF'"},
      {"__a: 1", "1:1 identifiers starting with '__' are reserved"},
      {"let __a = 1", "1:5 identifiers starting with '__' are reserved"},
      {"[a, b]: 1", "1:1 square bracket must have exactly one element"},
      {"a: b.+", "1:6 expected selector, found '+'"},
      {"a: (1\n", "1:6 expected ')', found newline"},
      {"a: f(1\n)", "(field a (call f 1))"},
      {"a: \"\\(b\"", "1:8 string literal not terminated"},
      {"@a", "1:3 invalid attribute: expected '('"},
      {"a: 1 @a(", "1:9 attribute missing ')'"},
      {"a: 1 @a(])", "1:10 unexpected ']'"},
      {"a: 1 @a(08)", "1:9 illegal integer number"},
      {"a: 1 @a(b..c)", "1:10 illegal token '..'; expected '.'"},
      {"a: 1 @@a(b)", "1:12 invalid attribute: expected '('"},
      {"a: 1 @a(b, @c)", "1:15 attribute missing ')'; 1:15 invalid attribute: expected '('"},
      {"a: 1 @a(b, {c\n}]\n)", "2:3 unexpected ']'"},
      {"a: 1 @a(b,\n\n c: __#d)", "3:5 illegal token \"__#d\""},
      {"a: 1 @a(b,\n\n {c: 01})", "3:6 illegal integer number"},
      {"a~: 1", "1:3 expected identifier or '(', found ':'"},
  });
}

TEST(Parser, ReportsErrorsOfLaterDeclarationsToo) {
  EXPECT_EQ(parse("a: }\nb: 1\n"), "1:4 expected operand, found '}'");
  EXPECT_EQ(parse("a: {\n  b: 1 c: 2\n  d: [1 2]\n}\nd: *"),
            "2:8 missing ',' in struct literal; 3:9 missing ',' in list literal; 5:5 expected operand, found 'EOF'");
}

}  // namespace
}  // namespace opm::cue::syntax
