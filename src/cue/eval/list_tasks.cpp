// What lists add to a node: their elements, and how many there may be.
#include <utility>
#include <vector>

#include "cue/eval/evaluator.h"

namespace opm::cue::eval {

using compile::ExpressionKind;

void Evaluator::list_length_error(State& state, std::uint32_t a, std::uint32_t b) {
  Node* saved = std::exchange(current_, state.node);
  add_error(state, make_error(ErrorCode::evaluation, here(), "incompatible list lengths ({} and {})",
                              {static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)}));
  current_ = saved;
}

// Unites the length of one more list with what is known; false if they can't agree.
bool Evaluator::update_list(State& state, std::uint32_t length, bool is_closed, bool has_comprehension, bool from_node) {
  if (length < state.list_length) {
    if (is_closed) {
      list_length_error(state, length, state.list_length);
      return false;
    }
  } else if (length > state.list_length) {
    if (state.list_is_closed) {
      list_length_error(state, state.list_length, length);
      return false;
    }
    state.list_length = length;
    state.list_is_closed = is_closed;
  } else if (from_node ? is_closed : ((is_closed && !state.list_is_closed) || (is_closed == state.list_is_closed && !has_comprehension))) {
    state.list_is_closed = is_closed;
  }
  Node* node = state.node;
  if (node->base != BaseKind::list) {
    node->base = BaseKind::list;
    node->list_is_open = true;
  }
  node->list_is_open = node->list_is_open && !is_closed;
  ++progress_;
  return true;
}

const Error* Evaluator::run_list(State& state, std::uint32_t index) {
  Task task = state.tasks[index];
  const auto* list = static_cast<const compile::ListExpression*>(task.expression);
  update_cyclic_status(state, task.provenance);
  Provenance provenance = sub_field(task.provenance);
  std::uint32_t length = 0;
  bool is_closed = true;
  bool has_comprehension = false;
  struct Element {
    const Expression* expression;
    Scope* scope;
  };
  std::vector<Element> elements;
  const compile::EllipsisExpression* ellipsis = nullptr;
  for (const Expression* element : list->elements) {
    if (element->kind == ExpressionKind::comprehension) {
      const auto& comprehension = *static_cast<const compile::Comprehension*>(element);
      has_comprehension = true;
      std::vector<Scope*> scopes;
      if (const Error* error = run_clauses(comprehension, 0, task.scope, scopes)) return error;
      if (scopes.empty() && comprehension.fallback != nullptr) elements.push_back({comprehension.fallback, task.scope});
      for (Scope* scope : scopes) elements.push_back({comprehension.body, scope});
    } else if (element->kind == ExpressionKind::ellipsis) {
      is_closed = false;
      ellipsis = static_cast<const compile::EllipsisExpression*>(element);
    } else {
      elements.push_back({element, task.scope});
    }
  }
  Insertion insertion{.kind = Insertion::Kind::list};
  insertion.expression = list;
  insertion.scope = task.scope;
  insertion.provenance = task.provenance;
  push_insertion(state, insertion);
  state.node->arcs.reserve(arena_, static_cast<std::uint32_t>(elements.size()));
  for (const Element& element : elements) {
    Conjunct conjunct;
    conjunct.expression = element.expression;
    conjunct.scope = element.scope;
    conjunct.provenance = provenance;
    insert_arc(state, Label::integer(length++), ArcKind::member, conjunct);
  }
  if (ellipsis != nullptr) {
    Provenance optional = provenance;
    if (optional.cycle == CycleKind::none) optional.cycle = CycleKind::optional;
    BoundValue* bound = arena_.make<BoundValue>();
    bound->op = Operator::greater_equal;
    bound->operand = make_int(length);
    PatternConstraint pattern{};
    pattern.pattern.kind = ValueKind::bound;
    pattern.pattern.bound = bound;
    pattern.value = ellipsis->type;
    pattern.scope = task.scope;
    pattern.provenance = optional;
    insert_pattern(state, pattern);
  }
  if (state.kind_set == kinds::bottom) return nullptr;
  source_ = list->position;
  update_list(state, length, is_closed, has_comprehension, false);
  return nullptr;
}

const Error* Evaluator::run_list_node(State& state, std::uint32_t index) {
  Task task = state.tasks[index];
  Node* list = task.node;
  std::uint32_t length = 0;
  for (Node* arc : list->arcs) length += arc->label.is_integer();
  Insertion insertion{.kind = Insertion::Kind::list_node};
  insertion.node = list;
  insertion.provenance = task.provenance;
  push_insertion(state, insertion);
  if (state.kind_set == kinds::bottom) return nullptr;
  if (!update_list(state, length, !list->list_is_open, false, true)) return nullptr;
  for (Node* arc : list->arcs) {
    if (!arc->label.is_integer()) continue;
    Conjunct conjunct;
    conjunct.node = arc;
    conjunct.provenance = sub_field(task.provenance);
    insert_arc(state, arc->label, ArcKind::member, conjunct);
  }
  return nullptr;
}

}  // namespace opm::cue::eval
