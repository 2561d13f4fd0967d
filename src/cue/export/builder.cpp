#include "cue/export/builder.h"

#include "cue/syntax/literal.h"

namespace opm::cue::exporting {

using namespace syntax;  // NOLINT: everything here is about its nodes

Identifier* Builder::identifier(std::string_view name) {
  auto* node = make<Identifier>(NodeKind::identifier);
  node->name = arena_.copy_text(name);
  return node;
}

BasicLiteral* Builder::literal(Token token, std::string_view text) {
  auto* node = make<BasicLiteral>(NodeKind::basic_literal);
  node->token = token;
  node->text = arena_.copy_text(text);
  return node;
}

Node* Builder::label(std::string_view name) {
  std::string written = quote_label(name);
  if (written == name) return identifier(name);
  return literal(Token::string, written);
}

Expression* Builder::unary(Token op, Expression* operand) {
  auto* node = make<Unary>(NodeKind::unary);
  node->op = op;
  node->operand = operand;
  return node;
}

Expression* Builder::binary(Token op, Expression* left, Expression* right) {
  auto* node = make<Binary>(NodeKind::binary);
  node->op = op;
  node->left = left;
  node->right = right;
  return node;
}

Expression* Builder::chain(Token op, std::span<Expression* const> operands) {
  Expression* result = nullptr;
  for (Expression* operand : operands) {
    if (operand == nullptr) continue;
    result = result == nullptr ? operand : binary(op, result, operand);
  }
  return result != nullptr ? result : identifier("_");
}

Expression* Builder::selector(Expression* operand, Node* label) {
  auto* node = make<Selector>(NodeKind::selector);
  node->operand = operand;
  node->label = label;
  return node;
}

Expression* Builder::call(Expression* function, std::span<Expression* const> arguments) {
  auto* node = make<Call>(NodeKind::call);
  node->function = function;
  node->arguments = arena_.copy(arguments);
  return node;
}

Expression* Builder::parenthesis(Expression* inner) {
  auto* node = make<Parenthesis>(NodeKind::parenthesis);
  node->inner = inner;
  return node;
}

StructLiteral* Builder::structure(std::span<Declaration* const> elements) {
  auto* node = make<StructLiteral>(NodeKind::struct_literal);
  node->elements = arena_.copy(elements);
  return node;
}

ListLiteral* Builder::list(std::span<Expression* const> elements) {
  auto* node = make<ListLiteral>(NodeKind::list_literal);
  node->elements = arena_.copy(elements);
  return node;
}

Ellipsis* Builder::ellipsis(Expression* type) {
  auto* node = make<Ellipsis>(NodeKind::ellipsis);
  node->type = type;
  return node;
}

Field* Builder::field(Node* label, Constraint constraint, Expression* value) {
  auto* node = make<Field>(NodeKind::field);
  node->label = label;
  node->constraint = constraint;
  node->value = value;
  return node;
}

Embedding* Builder::embedding(Expression* expression) {
  auto* node = make<Embedding>(NodeKind::embedding);
  node->expression = expression;
  node->spacing = expression->spacing;
  return node;
}

Alias* Builder::alias(std::string_view name, Expression* value) {
  auto* node = make<Alias>(NodeKind::alias);
  node->name = identifier(name);
  node->value = value;
  return node;
}

LetClause* Builder::let(std::string_view name, Expression* value) {
  auto* node = make<LetClause>(NodeKind::let_clause);
  node->name = identifier(name);
  node->value = value;
  return node;
}

Attribute* Builder::attribute(std::string_view text) {
  auto* node = make<Attribute>(NodeKind::attribute);
  node->text = arena_.copy_text(text);
  return node;
}

void Builder::add_comment(Node& node, CommentGroup* group) {
  std::vector<CommentGroup*> groups(node.comments.begin(), node.comments.end());
  groups.push_back(group);
  node.comments = arena_.copy(groups);
}

Expression* Builder::bottom(std::string_view reason) {
  auto* node = make<Bottom>(NodeKind::bottom);
  if (reason.empty()) return node;
  std::string text = "// " + std::string(reason);
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';  // a comment ends with its line
  }
  auto comments = arena_.make_array<Comment>(1);
  comments[0].text = arena_.copy_text(text);
  auto* group = arena_.make<CommentGroup>();
  group->comments = comments;
  group->is_line = true;
  group->position = 2;
  add_comment(*node, group);
  return node;
}

CommentGroup* Builder::documentation(std::span<const std::string_view> lines) {
  auto comments = arena_.make_array<Comment>(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) comments[i].text = lines[i];
  auto* group = arena_.make<CommentGroup>();
  group->comments = comments;
  group->is_doc = true;
  return group;
}

}  // namespace opm::cue::exporting
