// What was inserted into a node: found again by literal and scope, also where there is very much.
#include <bit>

#include "cue/eval/evaluator.h"

namespace opm::cue::eval {

namespace {

constexpr std::uint32_t kLinear = 12;

std::size_t slot_of(const void* literal, const void* scope, std::size_t mask) {
  auto key = reinterpret_cast<std::uintptr_t>(literal) * 31 + reinterpret_cast<std::uintptr_t>(scope);
  return (key * 0x9E3779B97F4A7C15u >> 32) & mask;
}

void index_insertion(State& state, std::uint32_t index) {
  const Insertion& insertion = state.insertions[index];
  if (insertion.kind != Insertion::Kind::structure) return;
  std::size_t mask = state.insertion_table.size() - 1;
  std::size_t slot = slot_of(insertion.expression, insertion.scope, mask);
  while (state.insertion_table[slot] != 0) slot = (slot + 1) & mask;
  state.insertion_table[slot] = index + 1;
}

}  // namespace

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
  if (state.insertions.size() <= kLinear) return;
  if (state.insertions.size() * 2 <= state.insertion_table.size()) {
    index_insertion(state, index);
    return;
  }
  state.insertion_table = arena_.make_array<std::uint32_t>(std::bit_ceil<std::size_t>(state.insertions.size() * 4));
  for (std::uint32_t i = 0; i <= index; ++i) index_insertion(state, i);
}

const Insertion* Evaluator::find_insertion(State& state, const compile::StructExpression* literal, const Scope* scope) const {
  auto is_it = [&](const Insertion& insertion) {
    return insertion.kind == Insertion::Kind::structure && insertion.expression == literal && insertion.scope == scope;
  };
  if (state.insertions.size() <= kLinear) {
    for (const Insertion& insertion : state.insertions) {
      if (is_it(insertion)) return &insertion;
    }
    return nullptr;
  }
  std::size_t mask = state.insertion_table.size() - 1;
  for (std::size_t slot = slot_of(literal, scope, mask); state.insertion_table[slot] != 0; slot = (slot + 1) & mask) {
    const Insertion& insertion = state.insertions[state.insertion_table[slot] - 1];
    if (is_it(insertion)) return &insertion;
  }
  return nullptr;
}

}  // namespace opm::cue::eval
