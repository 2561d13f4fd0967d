// Alternatives that are scalars or kinds of them, as in `*1 | int` or an enumeration: which of them are left, and what they are,
// is known without a copy of the node for each of them.
#include <algorithm>

#include "cue/eval/evaluator.h"

namespace opm::cue::eval {

namespace {

constexpr std::size_t kMostAlternatives = 32;  // each is held against all others

// Nothing but kinds is known of the node, and nothing else will be.
bool has_kinds_only(const State& state) {
  const Node& node = *state.node;
  bool has_value = state.scalar.exists() || state.lower != nullptr || state.upper != nullptr || !state.checks.empty() || state.has_struct;
  bool has_fields = !node.arcs.empty() || !state.insertions.empty() || !state.patterns.empty();
  bool is_waiting = state.open_tasks != 0 || state.running_tasks != 0 || !state.post_checks.empty() || !state.cyclic_conjuncts.empty();
  bool is_alternative = node.is_disjunct || state.default_mode != DefaultMode::maybe || state.original_default_mode != DefaultMode::maybe;
  return !has_value && !has_fields && !is_waiting && !is_alternative && !state.has_ancestor_cycle && state.errors == nullptr;
}

// As far as it shows without trying: then one of them stands for both.
bool may_be_same(const Value& a, const Value& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case ValueKind::boolean: return a.boolean_value == b.boolean_value;
    case ValueKind::number: return base::Number::compare(*a.number, *b.number) == 0;
    case ValueKind::string:
    case ValueKind::bytes: return a.string() == b.string();
    case ValueKind::basic_type: return a.type_kinds == b.type_kinds;
    default: return true;
  }
}

}  // namespace

// Whether it could tell, and two or more are left: one goes into the node itself, and none is an error to be explained.
bool Evaluator::choose_scalars(State& state) {
  if (state.disjunctions.size() != 1 || worlds_ != nullptr || !has_kinds_only(state)) return false;
  const PendingDisjunction& pending = state.disjunctions[0];
  const compile::Disjunction* expression = pending.expression;
  if (expression == nullptr || expression->disjuncts.size() > kMostAlternatives) return false;
  if (pending.provenance.cycle > CycleKind::optional) return false;
  struct Left {
    Value value;
    bool is_default;
  };
  std::array<Left, kMostAlternatives> left;
  std::size_t count = 0;
  for (const compile::Disjunct& disjunct : expression->disjuncts) {
    if (!is_plain_scalar(*disjunct.value)) return false;
    Value value = constant(disjunct.value);
    KindSet kind_set = kinds_of(value);
    if ((kind_set & state.kind_set) == 0) continue;
    // Of a kind that is narrowed by what else is known it counts where that is written.
    if (value.kind == ValueKind::basic_type && state.kind_set != kinds::top) return false;
    for (std::size_t i = 0; i < count; ++i) {
      if (may_be_same(left[i].value, value)) return false;
    }
    left[count++] = {value, expression->has_defaults && disjunct.is_default};
  }
  if (count < 2 || !spend(count)) return false;

  Node* node = state.node;
  state.disjunctions.clear();
  node->base = BaseKind::disjunction;
  node->disjuncts = {};
  node->disjuncts.reserve(arena_, static_cast<std::uint32_t>(count));
  std::stable_partition(left.begin(), left.begin() + count, [](const Left& one) { return one.is_default; });
  node->default_count = static_cast<std::uint32_t>(std::count_if(left.begin(), left.begin() + count, [](const Left& one) { return one.is_default; }));
  node->has_defaults = node->default_count > 0;
  for (std::size_t i = 0; i < count; ++i) {
    Node* made = arena_.make<Node>();
    ++node_count_;
    made->label = node->label;
    made->parent = node->parent;
    made->depth = node->depth;
    made->first_own_id = static_cast<ClosingId>(closing_.size());
    made->arc = node->arc;
    made->closed_recursively = node->closed_recursively;
    made->closed_once = node->closed_once;
    made->is_dynamic = node->is_dynamic;
    made->not_rooted = node->not_rooted;
    made->is_let = node->is_let;
    made->is_disjunct = true;
    made->is_alternative = true;
    made->conjuncts = node->conjuncts;
    made->base = BaseKind::value;
    made->value = left[i].value;
    made->status = Status::finalized;
    node->disjuncts.push(arena_, made);
  }
  ++progress_;
  return true;
}

}  // namespace opm::cue::eval
