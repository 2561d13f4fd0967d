// Where a reference leads as far as all on the way is evaluated already, so that to ask for it changes nothing; and fields of which
// nothing more than that has to be known.
#include <algorithm>

#include "cue/eval/bounds.h"
#include "cue/eval/evaluator.h"

namespace opm::cue::eval {

using compile::ExpressionKind;

namespace {

Scope* further_up(Scope* scope, std::uint32_t up) {
  for (; up > 0 && scope != nullptr; --up) scope = scope->up;
  return scope;
}

// Whether nothing is left that could say more of the node's fields.
bool has_all_conjuncts(const Node* node) {
  const State* state = node != nullptr ? node->state : nullptr;
  return state != nullptr && state->initialized && state->ancestors_done && state->open_tasks == 0 && state->disjunctions.empty();
}

// Whether the field is what it is for good: evaluated, or known to be another one and nothing else.
bool is_decided(const Node* arc) {
  if (arc->arc != ArcKind::member) return false;
  return arc->status == Status::finalized || (arc->is_shared && has_all_conjuncts(arc->parent));
}

// The node that holds what a place stands for, once nothing can be added to it.
Node* settled_holder(Node* place) {
  Node* holder = value_node(place);
  if (holder->is_frozen) return holder;
  bool is_done = holder->status == Status::finalized && !holder->lazy_root && !holder->is_let && !holder->is_dynamic &&
                 !holder->is_disjunct && !holder->is_alternative;
  return is_done && (holder->state == nullptr || !holder->state->closing_deferred) ? holder : nullptr;
}

}  // namespace

KnownPlace Evaluator::known_place(const Expression* reference, Scope* scope) const {
  switch (reference->kind) {
    case ExpressionKind::field_reference: {
      const auto& field = *static_cast<const compile::FieldReference*>(reference);
      Scope* target = further_up(scope, field.up);
      if (target == nullptr || target->node == nullptr) return {};
      Node* arc = find_arc(target->node, field.label);
      if (arc == nullptr || !is_decided(arc)) return {};
      return {settled_holder(arc)};
    }
    case ExpressionKind::clause_reference: {
      const auto& variable = *static_cast<const compile::ClauseReference*>(reference);
      Scope* target = further_up(scope, variable.up);
      bool is_value = target != nullptr && variable.variable == compile::ClauseVariable::value && target->value != nullptr;
      if (!is_value || !is_decided(target->value)) return {};
      return {settled_holder(target->value)};
    }
    case ExpressionKind::let_reference: {
      // It has one conjunct, so that what it shares is all that it is.
      const auto& let = *static_cast<const compile::LetReference*>(reference);
      Scope* target = further_up(scope, let.up);
      Node* node = target != nullptr && target->lets != nullptr ? target->lets[let.slot] : nullptr;
      if (node == nullptr || !node->is_shared) return {};
      return {settled_holder(node)};
    }
    case ExpressionKind::selector: {
      const auto& selector = *static_cast<const compile::Selector*>(reference);
      KnownPlace place = known_place(selector.operand, scope);
      if (place.holder == nullptr) return place;
      if (place.holder->base != BaseKind::structure) return {};
      Node* arc = find_arc(place.holder, selector.label);
      if (arc == nullptr) return {.is_absent = true};
      if (arc->arc != ArcKind::member) return {};
      return {settled_holder(arc)};
    }
    default: return {};
  }
}

Node* Evaluator::known_target(const Conjunct& conjunct) const {
  const Expression* expression = conjunct.expression;
  const Provenance& provenance = conjunct.provenance;
  if (expression == nullptr || provenance.cycle == CycleKind::cyclic || provenance.opened || provenance.conjunction_opened) return nullptr;
  if (expression->kind == ExpressionKind::field) expression = static_cast<const compile::Field*>(expression)->value;
  else if (expression->kind == ExpressionKind::dynamic_field) expression = static_cast<const compile::DynamicField*>(expression)->value;
  Node* holder = known_place(expression, conjunct.scope).holder;
  if (holder == nullptr) return nullptr;
  bool is_scalar = holder->base == BaseKind::value && holder->arcs.empty() && holder->value.is_concrete_scalar();
  return holder->is_frozen || is_scalar ? holder : nullptr;
}

std::optional<bool> Evaluator::is_known_to_be_there(const Expression* reference, Scope* scope) const {
  KnownPlace place = known_place(reference, scope);
  if (place.is_absent) return false;
  // Whether anything is wrong below takes a closer look, except with data.
  return place.holder != nullptr && place.holder->is_frozen ? std::optional(true) : std::nullopt;
}

// What a field or element comes to of which nothing is said but scalars and kinds of them, as they are written or were evaluated
// elsewhere; nothing if there is more to it, or they contradict each other. `is_closed`: one of them is within a definition.
Value Evaluator::plain_value(const Node& arc, bool& is_closed) {
  Value scalar, kind;
  for (const Conjunct& conjunct : arc.conjuncts) {
    Value value;
    if (const Expression* written = written_scalar(conjunct)) {
      value = constant(written);
    } else if (const Node* given = given_scalar(conjunct)) {
      value = given->value;
    } else {
      const Node* known = known_target(conjunct);
      if (known == nullptr || known->base != BaseKind::value) return {};
      is_closed = is_closed || known->closed_recursively;
      value = known->value;
    }
    if (value.kind != ValueKind::basic_type) {
      if (scalar.exists() && (scalar.variation() != nullptr || value.variation() != nullptr || !same_scalar(scalar, value))) return {};
      if (!scalar.exists()) scalar = value;
    } else if (!kind.exists() || (kind.type_kinds & ~value.type_kinds) != 0) {
      // The kind that says most, where there is one.
      if (kind.exists() && (value.type_kinds & ~kind.type_kinds) != 0) return {};
      kind = value;
    }
  }
  if (!scalar.exists()) return kind;
  return !kind.exists() || (kinds_of(scalar) & kind.type_kinds) != 0 ? scalar : Value{};
}

// Evaluates a field or element of which nobody knows anything but its conjuncts, where these are scalars, kinds of scalars or
// references to data. False: it takes more than that.
bool Evaluator::evaluate_plainly(Node* arc) {
  if (arc->conjuncts.empty() || arc->conjuncts.size() > kMostPlainConjuncts) return false;
  auto is_redeclared = [&](const Conjunct& conjunct) { return redeclared_.contains(conjunct.expression); };
  if (!redeclared_.empty() && std::ranges::any_of(arc->conjuncts, is_redeclared)) return false;
  bool is_closed = false;
  if (Value value = plain_value(*arc, is_closed); value.exists()) {
    arc->base = BaseKind::value;
    arc->value = value;
  } else {
    Node* data = arc->conjuncts.size() == 1 ? known_target(arc->conjuncts[0]) : nullptr;
    if (data == nullptr) return false;
    arc->base = BaseKind::forward;
    arc->forward = data;
    arc->is_shared = true;
  }
  take_place(arc);
  for (const Conjunct& conjunct : arc->conjuncts) is_closed = is_closed || conjunct.provenance.from_definition;
  if (is_closed) arc->closed_recursively = true;
  arc->is_plain = true;
  arc->status = Status::finalized;
  ++progress_;
  return true;
}

}  // namespace opm::cue::eval
