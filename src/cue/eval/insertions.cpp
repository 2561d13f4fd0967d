// What was inserted into a node: found again by literal and scope, also where there is very much.
#include "cue/eval/evaluator.h"

namespace opm::cue::eval {

void Evaluator::push_insertion(State& state, Insertion insertion) {
  insertion.next_with_optionals = 0;
  std::uint32_t index = state.insertions.size();
  state.insertions.push(arena_, insertion);
  bool has_optionals = insertion.kind == Insertion::Kind::structure &&
                       static_cast<const compile::StructExpression*>(insertion.expression)->has_required_or_optional;
  if (has_optionals && index > 0) {
    state.insertions[state.last_with_optionals].next_with_optionals = index;
    state.last_with_optionals = index;
  }
}

namespace {
[[gnu::noinline]] const Insertion* find_among_many(base::Arena& arena, State& state, const PlaceKey& key) {
  auto key_of = [](const Insertion& insertion) {
    return insertion.kind == Insertion::Kind::structure ? PlaceKey{insertion.expression, insertion.scope} : PlaceKey{};
  };
  std::uint32_t place = place_of(arena, state.indexes, &StateIndexes::insertions, state.insertions, key, key_of);
  return place < state.insertions.size() ? &state.insertions[place] : nullptr;
}
}  // namespace

const Insertion* Evaluator::find_insertion(State& state, const compile::StructExpression* literal, const Scope* scope) {
  if (state.insertions.size() > PlaceIndex::kFew) return find_among_many(arena_, state, {literal, scope});
  for (const Insertion& insertion : state.insertions) {
    if (insertion.kind == Insertion::Kind::structure && insertion.expression == literal && insertion.scope == scope) return &insertion;
  }
  return nullptr;
}

}  // namespace opm::cue::eval
