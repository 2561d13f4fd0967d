// The states of nodes: made when a node is looked at, and taken back for the next when its struct is final.
#include "cue/eval/evaluator.h"

namespace opm::cue::eval {

namespace {
template <typename T>
ArenaVector<T> emptied(ArenaVector<T> vector) {
  vector.clear();
  return vector;
}
}  // namespace

State* Evaluator::make_state() {
  if (spare_states_.empty()) return arena_.make<State>();
  State* state = spare_states_.back();
  spare_states_.pop_back();
  // What they hold is written over, their memory serves again.
  auto tasks = emptied(state->tasks);
  auto evidence = emptied(state->evidence);
  auto requirements = emptied(state->requirements);
  auto requirement_sets = emptied(state->requirement_sets);
  auto inserted_targets = emptied(state->inserted_targets);
  auto disjunctions = emptied(state->disjunctions);
  ::new (state) State{.tasks = tasks, .disjunctions = disjunctions, .inserted_targets = inserted_targets, .requirements = requirements,
                      .evidence = evidence, .requirement_sets = requirement_sets};
  return state;
}

// Once a struct is final nobody asks how its fields came about: what was needed for that serves the next. Only where
// nothing but finalize() is under way is it certain that none of it is being worked with.
void Evaluator::release_states(Node* node) {
  if (nesting_ != finalize_frames_) return;
  for (Node* arc : node->arcs) release_state(arc);
}

// The node's, and those of its alternatives and fields that were final before it was safe to say so.
void Evaluator::release_state(Node* node) {
  State* state = node->state;
  if (state == nullptr || node->status != Status::finalized || state->node != node) return;
  if (node->base == BaseKind::error || state->running_tasks > 0 || state->closing_deferred) return;
  if (!state->insertions.empty() || !state->patterns.empty()) {
    node->shape = arena_.make<Shape>(state->insertions, state->patterns);
  }
  if (!state->links.empty()) ++links_epoch_;
  node->state = nullptr;
  spare_states_.push_back(state);
  if (node->base == BaseKind::forward && !node->is_shared) release_state(node->forward);
  for (Node* disjunct : node->disjuncts) release_state(disjunct);
  for (Node* arc : node->arcs) release_state(arc);
}

State& Evaluator::new_state(Node* node) {
  State* state = make_state();
  state->node = node;
  node->state = state;
  take_place(node);
  // Inline values are told of their conjuncts one by one.
  if (!node->is_dynamic && !node->is_let) {
    for (const Conjunct& conjunct : node->conjuncts) mark_non_cyclic(*state, conjunct.provenance);
  }
  return *state;
}

// What follows from where the node is. Once: whether the struct around it was closed then is what counts.
void Evaluator::take_place(Node* node) {
  if (node->depth != 0) return;
  if (node->parent != nullptr) node->depth = node->parent->depth + 1;
  if (node->label.valid() && node->label.is_definition()) node->closed_recursively = true;
  if (node->parent != nullptr && node->parent->closed_recursively) node->closed_recursively = true;
}

}  // namespace opm::cue::eval
