// Alternatives that are ruled out at a glance: a field of theirs is written down as one scalar and of the node that they
// would join as another, or they say that it may not be there. Structs that a field tells apart (kind: "a" | kind: "b") are then never copied and evaluated to
// find out that they do not fit, which would take twice as long with each level that they nest.
#include <array>

#include "cue/eval/evaluator.h"

namespace opm::cue::eval {

using compile::ExpressionKind;

namespace {

// error("...") or _|_
bool is_refusal(const Expression* expression) {
  if (expression->kind == ExpressionKind::bottom) return true;
  if (expression->kind != ExpressionKind::call) return false;
  const Expression* function = static_cast<const compile::Call*>(expression)->function;
  if (function->kind != ExpressionKind::builtin) return false;
  const compile::BuiltinSignature& called = *static_cast<const compile::BuiltinExpression*>(function)->builtin;
  return called.package.empty() && called.name == "error";
}

bool usable(const Value& value) { return value.is_concrete_scalar() && value.variation() == nullptr; }

}  // namespace

bool Evaluator::certainly_differ(const Value& a, const Value& b) {
  if (!usable(a) || !usable(b)) return false;
  if ((kinds_of(a) & kinds_of(b)) == 0) return a.is_number() != b.is_number() || !a.is_number();
  return !equal_values(a, b);
}

// Whether what is written can't be the value: another scalar, or a choice of others.
bool Evaluator::excludes(const Expression* expression, const Value& value) {
  if (expression->kind == ExpressionKind::disjunction) {
    for (const compile::Disjunct& disjunct : static_cast<const compile::Disjunction*>(expression)->disjuncts) {
      if (!excludes(disjunct.value, value)) return false;
    }
    return true;
  }
  return certainly_differ(constant(expression), value);
}

// The scalar that a field certainly is if it is anything; nothing: that takes evaluation to know.
Value Evaluator::scalar_at_a_glance(Node* arc) {
  Node* node = value_node(arc);
  if (node->status == Status::finalized) return node->base == BaseKind::value && usable(node->value) ? node->value : Value{};
  if (node->state != nullptr && usable(node->state->scalar)) return node->state->scalar;
  for (const Conjunct& conjunct : node->conjuncts) {
    Value value = conjunct.value;
    if (conjunct.expression != nullptr) {
      if (conjunct.expression->kind != ExpressionKind::field || redeclared_.contains(conjunct.expression)) continue;
      value = constant(static_cast<const compile::Field*>(conjunct.expression)->value);
    } else if (conjunct.node != nullptr) {
      Node* other = value_node(conjunct.node);
      value = other->status == Status::finalized && other->base == BaseKind::value ? other->value : Value{};
    }
    if (usable(value)) return value;
  }
  return {};
}

// The field that is certainly in conflict if the node is to be what is written.
std::optional<Evaluator::GlanceConflict> Evaluator::conflict_at_a_glance(State& state, const Expression* expression, Scope* scope, int depth) {
  if (depth > 8) return std::nullopt;
  switch (expression->kind) {
    case ExpressionKind::null:
    case ExpressionKind::boolean:
    case ExpressionKind::number:
    case ExpressionKind::string:
    case ExpressionKind::bytes: {
      bool differs = certainly_differ(constant(expression), state.scalar);
      return differs ? std::optional(GlanceConflict{state.node, state.scalar, expression}) : std::nullopt;
    }
    case ExpressionKind::structure: {
      for (const compile::Field* field : static_cast<const compile::StructExpression*>(expression)->fields) {
        if (!field->label.is_string() || redeclared_.contains(field)) continue;
        bool refuses = is_refusal(field->value);
        bool may_tell = refuses || field->value->kind == ExpressionKind::disjunction || constant(field->value).is_concrete_scalar();
        if (!may_tell) continue;
        Node* arc = find_arc(state.node, field->label);
        if (refuses) {
          if (arc != nullptr && arc->arc == ArcKind::member) return GlanceConflict{arc, {}, field->value};
          continue;
        }
        if (arc == nullptr || (arc->arc != ArcKind::member && field->field_kind != compile::FieldKind::member)) continue;
        if (arc->arc > ArcKind::required) continue;
        if (Value known = scalar_at_a_glance(arc); known.exists() && excludes(field->value, known)) return GlanceConflict{arc, known, field->value};
      }
      return std::nullopt;
    }
    case ExpressionKind::field:
      if (redeclared_.contains(expression)) return std::nullopt;
      return conflict_at_a_glance(state, static_cast<const compile::Field*>(expression)->value, scope, depth + 1);
    case ExpressionKind::unify: {
      const auto* unify = static_cast<const compile::Unify*>(expression);
      if (auto found = conflict_at_a_glance(state, unify->left, scope, depth + 1)) return found;
      return conflict_at_a_glance(state, unify->right, scope, depth + 1);
    }
    case ExpressionKind::field_reference:
    case ExpressionKind::selector: {
      Node* target = target_at_a_glance(expression, scope);
      if (target == nullptr) return std::nullopt;
      target = value_node(target);
      for (const Conjunct& conjunct : target->conjuncts) {
        if (conjunct.expression == nullptr) continue;
        if (auto found = conflict_at_a_glance(state, conjunct.expression, conjunct.scope, depth + 1)) return found;
      }
      return std::nullopt;
    }
    default: return std::nullopt;
  }
}

// The field that is referred to, if that is seen without evaluating anything.
Node* Evaluator::target_at_a_glance(const Expression* expression, Scope* scope) {
  Node* holder = nullptr;
  Label label;
  if (expression->kind == ExpressionKind::field_reference) {
    const auto* field = static_cast<const compile::FieldReference*>(expression);
    for (std::uint32_t up = field->up; up > 0; --up) scope = scope->up;
    if (scope == nullptr || scope->node == nullptr) return nullptr;
    holder = value_node(scope->node);
    label = field->label;
  } else {
    const auto* selector = static_cast<const compile::Selector*>(expression);
    if (selector->operand->kind != ExpressionKind::import_reference) return nullptr;
    holder = package_root(static_cast<const compile::ImportReference*>(selector->operand)->package);
    if (!holder->lazy_root) return nullptr;
    label = selector->label;
  }
  Node* arc = holder->lazy_root ? lazy_lookup(holder, label) : find_arc(holder, label);
  return arc != nullptr && arc->arc == ArcKind::member ? arc : nullptr;
}

const Error* Evaluator::glance_error(const GlanceConflict& conflict) {
  Node* saved = std::exchange(current_, conflict.arc);
  Value known = !conflict.known.exists() ? Value::of_node(conflict.arc) : conflict.known;
  const Error* error = make_error(ErrorCode::evaluation, {}, "conflicting values {} and {}", {Argument(conflict.other), Argument(known)});
  current_ = saved;
  std::array positions{conflict.other->position, known.position};
  return with_positions(error, positions);
}

bool Evaluator::is_within_disjunct(const Node* node) {
  for (; node != nullptr; node = node->parent) {
    if (node->is_disjunct) return true;
  }
  return false;
}

}  // namespace opm::cue::eval
