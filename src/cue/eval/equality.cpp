// When two values are the same: as data, for the == operator, and as constraints, to
// drop disjuncts that say what another says.
#include "cue/eval/bounds.h"
#include "cue/eval/evaluator.h"
#include "cue/eval/worlds.h"

namespace opm::cue::eval {

namespace {

bool equal_constraints(Evaluator& evaluator, const Value& a, const Value& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case ValueKind::basic_type: return a.type_kinds == b.type_kinds;
    case ValueKind::bound: return a.bound->op == b.bound->op && evaluator.equal_values(a.bound->operand, b.bound->operand);
    case ValueKind::validator: return same_validator(evaluator, a, b);
    case ValueKind::conjunction:
    case ValueKind::disjunction: {
      if (a.list->values.size() != b.list->values.size()) return false;
      for (const Value& x : a.list->values) {
        bool found = false;
        for (const Value& y : b.list->values) found = found || equal_constraints(evaluator, x, y);
        if (!found) return false;
      }
      return true;
    }
    case ValueKind::builtin: return a.builtin == b.builtin;
    default: return same_scalar(a, b);
  }
}

}  // namespace

bool Evaluator::equal_values(const Value& a, const Value& b) {
  Value x = unwrap(a);
  Value y = unwrap(b);
  if (x.is_node() && y.is_node()) return equal_nodes(x.node, y.node, false);
  if (x.is_node() || y.is_node()) return false;
  if (x.kind == ValueKind::number && y.kind == ValueKind::number) {
    auto same = [&] { return base::Number::compare(*x.number, *y.number) == 0; };
    bool varies = x.variation() != nullptr || y.variation() != nullptr;
    return varies ? worlds_->decide(same) : same();
  }
  return equal_constraints(*this, x, y);
}

// Structural: optional fields, patterns, closedness and constraints count too.
bool Evaluator::equal_nodes(Node* a, Node* b, bool structural) {
  a = value_node(a);
  b = value_node(b);
  if (a == b) return true;
  finalize(a);
  finalize(b);
  a = value_node(a);
  b = value_node(b);
  if (a == b) return true;
  if (!structural) {
    // As data, a disjunction is its default.
    while (a->base == BaseKind::disjunction && a->default_count == 1) a = value_node(a->disjuncts[0]);
    while (b->base == BaseKind::disjunction && b->default_count == 1) b = value_node(b->disjuncts[0]);
  }
  if (a->base != b->base) return false;
  switch (a->base) {
    case BaseKind::value:
      if (!equal_constraints(*this, a->value, b->value)) return false;
      if (!structural) return true;
      break;  // definitions and hidden fields beside it
    case BaseKind::disjunction: {
      if (a->disjuncts.size() != b->disjuncts.size() || a->default_count != b->default_count) return false;
      for (std::uint32_t i = 0; i < a->disjuncts.size(); ++i) {
        if (!equal_nodes(a->disjuncts[i], b->disjuncts[i], structural)) return false;
      }
      return true;
    }
    case BaseKind::list:
      if (structural && a->list_is_open != b->list_is_open) return false;
      break;
    case BaseKind::structure:
      if (structural) {
        if (is_closed_struct(a) != is_closed_struct(b)) return false;
        materialize_optionals(a);
        materialize_optionals(b);
      }
      break;
    case BaseKind::error: return true;  // whatever is wrong, it is the same value
    default: return false;
  }
  auto counts = [&](Node* arc) {
    if (arc->arc == ArcKind::absent) return false;
    if (structural) return true;
    return arc->label.is_regular() && arc->arc == ArcKind::member;
  };
  std::uint32_t count_a = 0;
  std::uint32_t count_b = 0;
  for (Node* arc : a->arcs) count_a += counts(arc);
  for (Node* arc : b->arcs) count_b += counts(arc);
  if (count_a != count_b) return false;
  for (Node* arc : a->arcs) {
    if (!counts(arc)) continue;
    Node* other = find_arc(b, arc->label);
    if (other == nullptr || other->arc != arc->arc) return false;
    if (!equal_nodes(arc, other, structural)) return false;
  }
  return true;
}

}  // namespace opm::cue::eval
