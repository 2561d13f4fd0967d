#include "cue/declared_fields.h"

#include <algorithm>

#include "cue/eval/evaluator.h"

namespace opm::cue {

namespace {

using compile::Expression;
using compile::ExpressionKind;
using eval::BaseKind;
using eval::Node;
using Expressions = std::vector<const Expression*>;

// What it brings in has been asked already which fields it allows: it is closed by itself, whatever else the definition declares.
bool brings_definition(const Expression* expression) {
  switch (expression->kind) {
    case ExpressionKind::unify: {
      const auto* both = static_cast<const compile::Unify*>(expression);
      return brings_definition(both->left) || brings_definition(both->right);
    }
    case ExpressionKind::selector:
    case ExpressionKind::field_reference: return expression->refers_to_definition;
    default: return false;
  }
}

const compile::StructExpression* plain_struct(const Expression* expression) {
  if (expression->kind != ExpressionKind::structure) return nullptr;
  const auto* literal = static_cast<const compile::StructExpression*>(expression);
  return literal->has_embedding || literal->has_dynamic || literal->ellipsis != nullptr || literal->features.explicit_open ? nullptr
                                                                                                                         : literal;
}

// What [string]: value declares of every field. False: there is another pattern.
bool add_patterns(const compile::StructExpression& literal, Expressions& declared) {
  if (!literal.has_pattern) return true;
  for (const compile::Declaration& declaration : literal.declarations) {
    if (declaration.kind != compile::DeclarationKind::pattern) continue;
    const auto* pattern = static_cast<const compile::Pattern*>(declaration.expression);
    bool takes_all = pattern->pattern->kind == ExpressionKind::basic_type &&
                     static_cast<const compile::BasicTypeExpression*>(pattern->pattern)->kinds == eval::kinds::string;
    if (!takes_all || pattern->label_scope) return false;
    declared.push_back(pattern->value);
  }
  return true;
}

Node* chosen(Node* node) {
  node = eval::value_node(node);
  while (node->base == BaseKind::disjunction && node->default_count == 1) node = eval::value_node(node->disjuncts[0]);
  return node;
}

bool declares_members(const Expressions& declared, const Node* structure);

bool declares_elements(const Expressions& declared, const Node* list) {
  auto is_scalar = [](Node* element) { return chosen(element)->base == BaseKind::value; };
  return std::ranges::all_of(list->arcs, is_scalar) || std::ranges::any_of(declared, brings_definition);
}

bool declares(const Expressions& declared, Node* part) {
  if (part->status != eval::Status::finalized) return false;
  part = chosen(part);
  if (part->base == BaseKind::value) return true;
  if (part->base == BaseKind::list) return declares_elements(declared, part);
  return part->base == BaseKind::structure && (std::ranges::any_of(declared, brings_definition) || declares_members(declared, part));
}

bool declares_members(const Expressions& declared, const Node* structure) {
  if (!std::ranges::all_of(declared, plain_struct)) return false;
  Expressions below;
  for (Node* arc : structure->arcs) {
    if (!arc->label.is_regular() || arc->arc != eval::ArcKind::member) continue;
    below.clear();
    for (const Expression* expression : declared) {
      const compile::StructExpression* literal = plain_struct(expression);
      for (const compile::Field* field : literal->fields) {
        if (field->label == arc->label) below.push_back(field->value);
      }
      if (!add_patterns(*literal, below)) return false;
    }
    if (below.empty() || !declares(below, arc)) return false;
  }
  return true;
}

}  // namespace

bool declares_fields_of(const Value& definition, const Value::FilePredicate& left_out, const Value& value) {
  if (!definition.valid() || !value.valid()) return false;
  eval::Evaluator& evaluator = definition.context().evaluator();
  Expressions declared;
  for (const eval::Conjunct& conjunct : definition.node()->conjuncts) {
    if (conjunct.expression == nullptr || conjunct.expression->kind != ExpressionKind::field) return false;
    if (left_out(evaluator.program().sources->locate(conjunct.expression->position).file)) continue;
    if (evaluator.redeclared().contains(conjunct.expression)) return false;
    const Expression* declaration = static_cast<const compile::Field*>(conjunct.expression)->value;
    if (declaration->kind != ExpressionKind::top) declared.push_back(declaration);
  }
  if (declared.empty()) return false;
  const Node* structure = nullptr;
  value.context().run([&] { structure = value.context().evaluator().settled_struct(value.node()); });
  return structure != nullptr && declares_members(declared, structure);
}

}  // namespace opm::cue
