// Structural cycles. A conjunct remembers the references it came through; one that
// leads to an ancestor, or to a node that it came through before, repeats structure.
// That is an error unless some other conjunct of the node brings structure of its own.
// Conjuncts of optional fields, patterns and disjuncts may go round once more, since
// nothing may ever ask for what they would repeat.
#include <algorithm>

#include "cue/eval/evaluator.h"

namespace opm::cue::eval {

namespace {

// Nodes are compared by what they stand for.
Node* identity(Node* node) {
  if (node == nullptr) return nullptr;
  return value_node(node);
}

bool same(Node* a, Node* b) { return a == b || identity(a) == identity(b); }

constexpr int kLongestChain = 50;

const ReferenceStep* first_rooted(const ReferenceStep* step) {
  return step != nullptr && step->target->not_rooted ? step->next_rooted : step;
}

// The first that was not made after the one of that number.
const ReferenceStep* not_after(const ReferenceStep* step, std::uint32_t number) {
  while (step != nullptr && step->number > number) {
    step = step->further != nullptr && step->further->number > number ? step->further : step->next;
  }
  return step;
}

// Where one that goes before `next` leads besides: twice as far as that one does if two such stretches follow each other.
const ReferenceStep* further_than(const ReferenceStep* next) {
  auto length = [](const ReferenceStep* step) { return step != nullptr ? step->length : 0; };
  if (next == nullptr || next->further == nullptr) return next;
  const ReferenceStep* beyond = next->further->further;
  return next->length - next->further->length == next->further->length - length(beyond) ? beyond : next;
}

bool has_disjunction_conjunct(const Node* node) {
  for (const Conjunct& conjunct : node->conjuncts) {
    const Expression* expression = conjunct.expression;
    if (expression == nullptr) continue;
    if (expression->kind == compile::ExpressionKind::field) {
      expression = static_cast<const compile::Field*>(expression)->value;
    }
    if (expression->kind == compile::ExpressionKind::disjunction) return true;
  }
  return false;
}

}  // namespace

bool Evaluator::has_depth_cycle(Node* node) const {
  if (node->state == nullptr || node->status == Status::finalized) return false;
  return node->state->active_depth > 0 && node->state->active_depth < depth_;
}

bool Evaluator::has_ancestor(State& state, Node* node) const {
  if (has_depth_cycle(node)) return true;
  Node* target = identity(node);
  for (Node* parent = state.node->parent; parent != nullptr; parent = parent->parent) {
    if (parent == node || value_node(parent) == target) return true;
  }
  return false;
}

// True: the reference adds nothing, or must wait for a conjunct that is not cyclic.
bool Evaluator::detect_cycle(State& state, Node* target, Scope* scope, const Expression* reference,
                             Provenance& provenance) {
  // Data refer to nothing, and so lead nowhere.
  if (value_node(target)->is_frozen) return false;
  if (has_ancestor(state, target)) return mark_cyclic(state, target, scope, reference, provenance, false);
  if (state.has_non_cyclic && provenance.cycle == CycleKind::maybe) return false;

  bool chain_step = false;
  int repeats = 0;
  // Steps within inline values lead nowhere else: where functions call themselves there is no end of them.
  const Node* reached_now = value_node(target);
  bool only_rooted = !target->not_rooted && !reached_now->not_rooted && !reached_now->is_step_root;
  StepRange range = possible_repeats(state, target);
  const ReferenceStep* newest = not_after(provenance.steps, range.last);
  for (const ReferenceStep* step = only_rooted ? first_rooted(newest) : newest; step != nullptr && step->number >= range.first;
       step = only_rooted ? step->next_rooted : step->next) {
    spend();
    if (same(step->target, target)) {
      if (same(step->node, state.node)) return true;  // a reference cycle: says nothing new
      if (provenance.cycle == CycleKind::optional && state.has_non_cyclic) {
        provenance.cycle = CycleKind::maybe;
        if (step->depth == state.node->depth) return true;  // a pattern that matches itself
        provenance.steps = nullptr;
        return false;
      }
      // Another reference that reaches a node with structure of its own is a definition
      // used again elsewhere, not one that feeds itself.
      bool feeds_itself = state.node->is_dynamic && target->status != Status::finalized && has_disjunction_conjunct(target);
      if (step->reference != reference && state.has_non_cycle && state.has_non_cyclic && !feeds_itself) continue;
      return mark_cyclic(state, target, scope, reference, provenance, true);
    }
    if (step->reference == reference && target->not_rooted) {
      if (same(step->node, state.node)) {
        // A chain of bindings is finite; one this long makes its links itself.
        if (++repeats > kLongestChain) return true;
        if (chain_step) continue;
        Node* from = scope != nullptr ? scope->node : nullptr;
        if (from != nullptr &&
            (same(from, state.node) || (step->target->parent != nullptr && same(from, step->target->parent)))) {
          chain_step = true;
          continue;
        }
        return mark_cyclic(state, target, scope, reference, provenance, true);
      }
      Node* parent = target->parent;
      if (step->target->not_rooted && parent != nullptr && parent->is_dynamic && parent->parent == nullptr &&
          parent->state != nullptr && parent->state->has_ancestor_cycle) {
        return mark_cyclic(state, target, scope, reference, provenance, false);
      }
    }
  }
  Node* reached = identity(target);
  Node* from = identity(state.node);
  std::uint32_t number = ++reference_steps_;
  reached->steps_to.include({number, number});
  if (!from->is_frozen) from->steps_from.include({number, number});
  const ReferenceStep* next = provenance.steps;
  provenance.steps = arena_.make<ReferenceStep>(reference, reached, from, next, first_rooted(next), further_than(next),
                                                state.node->depth, number, next != nullptr ? next->length + 1 : 1);
  return false;
}

// Which steps may have been to the same target, or from the same node: none of the others that led here can have. Where functions
// call themselves, or each of many values is made of the one before it, there are many steps, mostly between nodes that are new.
StepRange Evaluator::possible_repeats(const State& state, Node* target) {
  constexpr StepRange kAny{0, ~std::uint32_t{0}};
  StepRange range = value_node(target)->steps_to;
  if (target->not_rooted) {
    const Node* from = value_node(state.node);
    const Node* parent = target->parent;
    bool may_be_any = from->is_frozen || (parent != nullptr && parent->is_dynamic && parent->parent == nullptr &&
                                          parent->state != nullptr && parent->state->has_ancestor_cycle);
    if (may_be_any) return kAny;
    range.include(from->steps_from);
  }
  return range;
}

// From now on the node stands for the target.
void Evaluator::forward_to(Node* node, Node* target) {
  node->base = BaseKind::forward;
  node->forward = target;
  if (node->steps_to.last == 0 && node->steps_from.last == 0) return;
  for (Node* next = target;; next = next->forward) {
    if (next->is_frozen) return;
    next->steps_to.include(node->steps_to);
    next->steps_from.include(node->steps_from);
    next->is_step_root = next->is_step_root || node->is_step_root || (node->steps_to.last != 0 && node->not_rooted);
    if (next->base != BaseKind::forward) return;
  }
}

bool Evaluator::mark_cyclic(State& state, Node* target, Scope* scope, const Expression* reference, Provenance& provenance,
                            bool path_only) {
  provenance.cycle = CycleKind::cyclic;
  state.has_cyclic_conjunct = true;
  if (!path_only) state.has_ancestor_cycle = true;
  bool has_other = path_only ? (state.has_non_cyclic || state.has_non_cycle) : state.has_non_cycle;
  if (has_other || scope == nullptr) return false;
  Conjunct conjunct;
  conjunct.expression = reference;
  conjunct.scope = scope;
  conjunct.provenance = provenance;
  state.cyclic_conjuncts.push(arena_, {conjunct, target});
  return true;
}

// A conjunct that brings a value or structure: if it is not part of a cycle itself,
// the cyclic ones that waited for it may go on.
void Evaluator::update_cyclic_status(State& state, const Provenance& provenance) {
  state.has_field_value = true;
  if (provenance.cycle != CycleKind::cyclic) note_non_cycle(state);
}

void Evaluator::note_non_cycle(State& state) {
  state.has_non_cycle = true;
  if (state.cyclic_conjuncts.empty()) return;
  ArenaVector<CyclicConjunct> waiting = state.cyclic_conjuncts;
  state.cyclic_conjuncts = {};
  for (const CyclicConjunct& cyclic : waiting) {
    if (cyclic.target != nullptr) {
      schedule_target(state, cyclic.conjunct, cyclic.target, cyclic.conjunct.provenance);
    } else {
      schedule(state, cyclic.conjunct, cyclic.conjunct.provenance);
    }
  }
}

bool Evaluator::only_cyclic_conjuncts(const State& state) const {
  return (state.has_ancestor_cycle && !state.has_non_cycle) || (state.has_cyclic_conjunct && !state.has_non_cyclic);
}

namespace {

// The call of `or` that the field is written in, if it is: what that gives is told where it is called.
Position choice_around(const Node* node) {
  auto is_written_in = [&](const Expression* call) {
    return std::ranges::any_of(node->conjuncts, [&](const Conjunct& conjunct) {
      const Expression* field = conjunct.expression;
      return field != nullptr && call->position < field->position && field->position < call->end_position;
    });
  };
  for (const Node* around = node->parent; around != nullptr; around = around->parent) {
    for (const Conjunct& conjunct : around->conjuncts) {
      const Expression* written = conjunct.expression;
      if (written == nullptr) continue;
      if (written->kind == compile::ExpressionKind::field) written = static_cast<const compile::Field*>(written)->value;
      if (written->kind != compile::ExpressionKind::call) continue;
      const Expression* function = static_cast<const compile::Call*>(written)->function;
      bool is_choice = function->kind == compile::ExpressionKind::builtin &&
                       static_cast<const compile::BuiltinExpression*>(function)->builtin->name == "or";
      if (is_choice && is_written_in(written)) return written->position;
    }
  }
  return {};
}

}  // namespace

void Evaluator::report_cycle(State& state) {
  Node* saved = std::exchange(current_, state.node);
  Position position = here().valid() ? here() : choice_around(state.node);
  add_error(state, make_error(ErrorCode::structural_cycle, position, "structural cycle"));
  current_ = saved;
  state.node->arcs.clear();
  state.node->arc_table = nullptr;
  state.node->arc_table_size = 0;
}

}  // namespace opm::cue::eval
