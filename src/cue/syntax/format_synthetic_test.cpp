// Trees without a place in any source, as the exporter of values makes them.
#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "cue/syntax/format.h"

namespace opm::cue::syntax {
namespace {

class SyntheticTree : public testing::Test {
 protected:
  template <typename T>
  T* make(NodeKind kind) {
    T* node = arena_.make<T>();
    node->kind = kind;
    return node;
  }
  template <typename T>
  std::span<T*> items(std::initializer_list<T*> nodes) {
    return arena_.copy(std::span<T* const>(nodes.begin(), nodes.size()));
  }

  Identifier* name(std::string_view text) {
    auto* node = make<Identifier>(NodeKind::identifier);
    node->name = text;
    return node;
  }
  BasicLiteral* literal(Token token, std::string_view text) {
    auto* node = make<BasicLiteral>(NodeKind::basic_literal);
    node->token = token;
    node->text = text;
    return node;
  }
  BasicLiteral* number(std::string_view text) { return literal(Token::integer, text); }
  BasicLiteral* text(std::string_view quoted) { return literal(Token::string, quoted); }
  Field* field(Node* label, Expression* value) {
    auto* node = make<Field>(NodeKind::field);
    node->label = label;
    node->value = value;
    return node;
  }
  Field* field(std::string_view label, Expression* value) { return field(name(label), value); }
  StructLiteral* structure(std::initializer_list<Declaration*> elements) {
    auto* node = make<StructLiteral>(NodeKind::struct_literal);
    node->elements = items(elements);
    return node;
  }
  ListLiteral* list(std::initializer_list<Expression*> elements) {
    auto* node = make<ListLiteral>(NodeKind::list_literal);
    node->elements = items(elements);
    return node;
  }
  Binary* binary(Expression* left, Token op, Expression* right) {
    auto* node = make<Binary>(NodeKind::binary);
    node->op = op;
    node->left = left;
    node->right = right;
    return node;
  }
  Unary* unary(Token op, Expression* operand) {
    auto* node = make<Unary>(NodeKind::unary);
    node->op = op;
    node->operand = operand;
    return node;
  }
  Embedding* embedding(Expression* expression) {
    auto* node = make<Embedding>(NodeKind::embedding);
    node->expression = expression;
    return node;
  }
  File* file(std::initializer_list<Declaration*> declarations) {
    auto* node = make<File>(NodeKind::file);
    node->declarations = items(declarations);
    return node;
  }
  void document(Node* node, std::string_view comment, bool is_line = false) {
    auto* group = arena_.make<CommentGroup>();
    group->comments = arena_.make_array<Comment>(1);
    group->comments[0].text = comment;
    group->is_doc = !is_line;
    group->is_line = is_line;
    group->position = is_line ? 4 : 0;
    node->comments = items({group});
  }

  base::Arena arena_;
};

TEST_F(SyntheticTree, FieldsStandOnLinesOfTheirOwn) {
  EXPECT_EQ(format(*file({field("a", number("1")), field("longer", text("\"x\""))})), "a:      1\nlonger: \"x\"\n");
}

TEST_F(SyntheticTree, StructsSpanLines) {
  Node* inner = structure({field("b", structure({field("c", number("1"))})), field("e", structure({}))});
  EXPECT_EQ(format(*file({field("a", inner), field("z", number("2"))})),
            "a: {\n\tb: {\n\t\tc: 1\n\t}\n\te: {}\n}\nz: 2\n");
}

TEST_F(SyntheticTree, SimplifiedStructsJoin) {
  Node* inner = structure({field("b", structure({field(text("\"c\""), number("1"))})), field("e", structure({}))});
  EXPECT_EQ(format(*file({field("a", inner)}), {.simplify = true}), "a: {\n\tb: c: 1\n\te: {}\n}\n");
}

TEST_F(SyntheticTree, ListsStandOnOneLine) {
  Node* values = list({number("1"), structure({field("a", number("1")), field("b", number("2"))}),
                       list({number("3"), structure({})}), list({})});
  EXPECT_EQ(format(*file({field("l", values)})), "l: [1, {\n\ta: 1\n\tb: 2\n}, [3, {}], []]\n");
}

TEST_F(SyntheticTree, NamesThatAreNoneAreQuoted) {
  EXPECT_EQ(format(*file({field("a-b", number("1"))})), "\"a-b\": 1\n");
}

TEST_F(SyntheticTree, ParenthesesGoWhereTheyAreNeeded) {
  Node* sum = binary(name("a"), Token::add, name("b"));
  EXPECT_EQ(format(*binary(sum, Token::multiply, name("c"))), "(a + b) * c");
  Node* either = binary(unary(Token::multiply, number("1")), Token::or_value, name("int"));
  EXPECT_EQ(format(*binary(either, Token::and_value, name("x"))), "(*1 | int) & x");
  auto* selector = make<Selector>(NodeKind::selector);
  selector->operand = unary(Token::subtract, name("a"));
  selector->label = name("b");
  EXPECT_EQ(format(*selector), "(-a).b");
}

TEST_F(SyntheticTree, CommentsOfFields) {
  Field* first = field("a", number("1"));
  Field* second = field("#D", structure({field("b", number("2"))}));
  Field* third = field("longer", number("3"));
  document(first, "// about a");
  document(second, "// about D");
  document(third, "// behind", true);
  EXPECT_EQ(format(*file({first, second, third})),
            "// about a\na: 1\n// about D\n#D: {\n\tb: 2\n}\n\nlonger: 3 // behind\n");
}

TEST_F(SyntheticTree, EmbeddingsAndLongStrings) {
  Node* body = structure({embedding(name("#Base")), field("s", text("\"\"\"\n\tone\n\ttwo\n\t\"\"\""))});
  EXPECT_EQ(format(*file({field("a", body)})), "a: {\n\t#Base\n\ts: \"\"\"\n\t\tone\n\t\ttwo\n\t\t\"\"\"\n}\n");
}

TEST_F(SyntheticTree, InitialIndent) {
  EXPECT_EQ(format(*structure({field("a", number("1"))}), {.initial_indent = 2}), "{\n\t\t\ta: 1\n\t\t}");
}

}  // namespace
}  // namespace opm::cue::syntax
