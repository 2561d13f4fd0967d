#include "cue/eval/field_function.h"

#include <algorithm>
#include <utility>

#include "cue/eval/evaluator.h"

namespace opm::cue::eval {

using compile::ExpressionKind;
using compile::FieldKind;

namespace {

// A type such as `number | string`.
bool is_type(const Expression* expression) {
  if (expression->kind == ExpressionKind::disjunction) {
    return std::ranges::all_of(static_cast<const compile::Disjunction*>(expression)->disjuncts,
                               [](const compile::Disjunct& disjunct) { return !disjunct.is_default && is_type(disjunct.value); });
  }
  return expression->kind == ExpressionKind::basic_type || expression->kind == ExpressionKind::top;
}

}  // namespace

FieldFunction::FieldFunction(Evaluator& evaluator, const Value& structure, std::span<const std::string_view> parameters,
                             std::string_view result)
    : evaluator_(evaluator), structure_(structure), result_(result) {
  for (std::string_view name : parameters) parameters_.push_back({name, {}, nullptr});
  holder_ = evaluator.make_struct_node();
  bool is_known = structure.is_node() && prepare(value_node(structure.node), 0);
  is_simple_ = is_known && body_ != nullptr &&
               std::ranges::all_of(parameters_, [](const Parameter& parameter) { return parameter.arc != nullptr; });
}

// Simple is: literals that declare the parameters, the result and, for the parameters to refer to, types.
bool FieldFunction::prepare(Node* structure, int nesting) {
  constexpr int kMostNesting = 4;
  if (structure == nullptr || structure->conjuncts.size() != 1 || structure->conjuncts[0].expression == nullptr) return false;
  const Conjunct& conjunct = structure->conjuncts[0];
  const Expression* expression = conjunct.expression;
  if (expression->kind == ExpressionKind::field) expression = static_cast<const compile::Field*>(expression)->value;
  if (expression->kind != ExpressionKind::structure || nesting > kMostNesting) return false;
  const auto* literal = static_cast<const compile::StructExpression*>(expression);
  if (!literal->lets.empty()) return false;
  Scope* scope = evaluator_.make_scope(conjunct.scope, holder_);
  scope->literal = literal;
  const Expression* body = body_;
  for (const compile::Declaration& declaration : literal->declarations) {
    if (declaration.kind == compile::DeclarationKind::field) {
      if (!prepare(static_cast<const compile::Field*>(declaration.expression))) return false;
    } else if (declaration.kind == compile::DeclarationKind::embedding) {
      if (declaration.expression->kind != ExpressionKind::field_reference) return false;
      const Error* error = nullptr;
      if (!prepare(evaluator_.resolve(declaration.expression, scope, &error), nesting + 1)) return false;
    } else {
      return false;
    }
  }
  if (body_ != body) scope_ = scope;
  return true;
}

bool FieldFunction::prepare(const compile::Field* field) {
  if (field->field_kind != FieldKind::member || field->next_same != 0) return false;
  std::string_view name = label_text(evaluator_.names(), field->label);
  auto parameter = std::ranges::find(parameters_, name, &Parameter::name);
  if (parameter != parameters_.end()) {
    parameter->constraints.push_back(field->value);
    parameter->arc = evaluator_.get_arc(holder_, field->label, ArcKind::member);
    parameter->arc->is_data = true;
    parameter->arc->status = Status::finalized;
    return true;
  }
  if (name == result_ && !is_type(field->value)) return std::exchange(body_, field->value) == nullptr;
  types_.push_back(field);
  return is_type(field->value);
}

// Whether the argument stays what it is when it is unified with what the parameter is declared as.
bool FieldFunction::takes_as_is(const Expression* constraint, const Value& argument) const {
  if (constraint->kind == ExpressionKind::top) return true;
  KindSet kind_set = kinds_of(argument);
  if (constraint->kind == ExpressionKind::structure) {
    const auto* literal = static_cast<const compile::StructExpression*>(constraint);
    return literal->declarations.empty() && kind_set == kinds::structure;
  }
  if (constraint->kind == ExpressionKind::field_reference) {
    const auto* reference = static_cast<const compile::FieldReference*>(constraint);
    bool is_type_here = false;
    for (const compile::Field* type : types_) {
      if (reference->up != 0 || type->label != reference->label) continue;
      is_type_here = true;
      if (!takes_as_is(type->value, argument)) return false;
    }
    return is_type_here;
  }
  return is_type(constraint) && (kind_set & ~evaluator_.static_kinds(constraint, scope_, 0)) == 0;
}

Value FieldFunction::call(std::span<const Value> arguments) {
  bool is_simple = is_simple_ && evaluator_.spend();
  for (std::size_t i = 0; i < parameters_.size() && is_simple; ++i) {
    is_simple = std::ranges::all_of(parameters_[i].constraints,
                                    [&](const Expression* constraint) { return takes_as_is(constraint, arguments[i]); });
  }
  if (!is_simple) return unify(arguments);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    Node* arc = parameters_[i].arc;
    bool is_node = arguments[i].is_node();
    arc->base = is_node ? BaseKind::forward : BaseKind::value;
    arc->forward = is_node ? arguments[i].node : nullptr;
    arc->value = is_node ? Value{} : arguments[i];
  }
  Value result = evaluator_.unwrap(evaluator_.take_default(evaluator_.evaluate(body_, scope_)));
  // Whatever is special about the result is for the whole evaluation to find out and to tell.
  return result.kind == ValueKind::boolean ? result : unify(arguments);
}

Value FieldFunction::unify(std::span<const Value> arguments) {
  std::vector<std::pair<std::string_view, Value>> fields;
  for (std::size_t i = 0; i < parameters_.size(); ++i) fields.emplace_back(parameters_[i].name, arguments[i]);
  return evaluator_.unify_fields(structure_, fields, result_);
}

}  // namespace opm::cue::eval
