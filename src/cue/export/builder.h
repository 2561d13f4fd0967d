// Makes syntax trees that no source text stands for; the formatter lays them out.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "cue/syntax/ast.h"

namespace opm::cue::exporting {

class Builder {
 public:
  explicit Builder(base::Arena& arena) : arena_(arena) {}

  base::Arena& arena() { return arena_; }
  syntax::Identifier* identifier(std::string_view name);
  syntax::BasicLiteral* literal(syntax::Token token, std::string_view text);
  syntax::Expression* string(std::string_view quoted) { return literal(syntax::Token::string, quoted); }
  // A regular field's label or selector: bare where that reads back as the same.
  syntax::Node* label(std::string_view name);
  syntax::Expression* unary(syntax::Token op, syntax::Expression* operand);
  syntax::Expression* binary(syntax::Token op, syntax::Expression* left, syntax::Expression* right);
  // a op b op c; `_` for none, and null ones are left out.
  syntax::Expression* chain(syntax::Token op, std::span<syntax::Expression* const> operands);
  syntax::Expression* selector(syntax::Expression* operand, syntax::Node* label);
  syntax::Expression* call(syntax::Expression* function, std::span<syntax::Expression* const> arguments);
  syntax::Expression* parenthesis(syntax::Expression* inner);
  syntax::StructLiteral* structure(std::span<syntax::Declaration* const> elements);
  syntax::ListLiteral* list(std::span<syntax::Expression* const> elements);
  syntax::Ellipsis* ellipsis(syntax::Expression* type);
  syntax::Field* field(syntax::Node* label, syntax::Constraint constraint, syntax::Expression* value);
  syntax::Embedding* embedding(syntax::Expression* expression);
  syntax::Alias* alias(std::string_view name, syntax::Expression* value);
  syntax::LetClause* let(std::string_view name, syntax::Expression* value);
  syntax::Attribute* attribute(std::string_view text);
  // `_|_` with the reason behind it.
  syntax::Expression* bottom(std::string_view reason);
  // Comment lines above a node; each with its slashes.
  syntax::CommentGroup* documentation(std::span<const std::string_view> lines);
  void add_comment(syntax::Node& node, syntax::CommentGroup* group);

  template <typename T>
  T* make(syntax::NodeKind kind) {
    T* node = arena_.make<T>();
    node->kind = kind;
    return node;
  }
  template <typename T>
  std::span<T> copy(std::span<const T> items) {
    return arena_.copy(items);
  }

 private:
  base::Arena& arena_;
};

}  // namespace opm::cue::exporting
