// Which disjuncts are the same though not all is known of them yet, and what becomes of what either of two such allows.
#include <algorithm>
#include <vector>

#include "cue/eval/evaluator.h"

namespace opm::cue::eval {

// Of two disjuncts that are the same only one is kept, but what either allows stays allowed.
void Evaluator::merge_evidence(Node* kept, Node* dropped) {
  if (kept->state == nullptr || kept == dropped) return;
  auto add = [&](State& state, const Evidence& found) {
    bool known = std::ranges::any_of(state.evidence, [&](const Evidence& other) { return other.id == found.id; });
    if (!known) add_evidence(state, found);
  };
  if (dropped->state == nullptr) {
    PlainEvidence plain = plain_evidence(*dropped);
    for (const Evidence& found : plain.span()) add(*kept->state, found);
    return;
  }
  for (const Evidence& found : dropped->state->evidence) add(*kept->state, found);
  for (const ClosingLink& link : dropped->state->links) {
    bool known = false;
    for (const ClosingLink& other : kept->state->links) known = known || (other.from == link.from && other.to == link.to);
    if (known) continue;
    kept->state->links.push(arena_, link);
    ++links_epoch_;
  }
  for (Node* arc : dropped->arcs) {
    Node* other = find_arc(kept, arc->label);
    if (other == nullptr) continue;
    // What was evaluated without a state gets one, for what it has evidence of besides.
    if (PlainEvidence plain = plain_evidence(*other); plain.count > 0) {
      for (const Evidence& found : plain.span()) add(bare_state(other), found);
    }
    // Conjuncts that were not looked at yet count through their provenance.
    if (other->status != Status::finalized && (other->state == nullptr || !other->state->initialized)) {
      State& state = bare_state(other);
      for (const Conjunct& conjunct : arc->conjuncts) add(state, {conjunct.provenance.id, conjunct.provenance.embedding, 0});
    }
    merge_evidence(other, arc);
  }
}

namespace {

std::vector<Label> optional_labels(const Node& node) {
  std::vector<Label> labels;
  if (!node.has_optionals) return labels;
  for (const Insertion& insertion : insertions_of(node)) {
    if (insertion.kind != Insertion::Kind::structure) continue;
    for (const compile::Field* field : static_cast<const compile::StructExpression*>(insertion.expression)->fields) {
      bool known = field->field_kind != compile::FieldKind::optional || std::ranges::find(labels, field->label) != labels.end();
      if (!known) labels.push_back(field->label);
    }
  }
  return labels;
}

}  // namespace

// Disjuncts that are not complete are the same if the same is known and the same is left
// to do.
bool Evaluator::equal_partial(Node* a, Node* b) {
  State* x = a->state;
  State* y = b->state;
  if (x == nullptr || y == nullptr) return false;
  if (x->kind_set != y->kind_set || x->has_top != y->has_top) return false;
  // One of which nothing came so far is not what the other one is.
  if ((x->errors == nullptr) != (y->errors == nullptr)) return false;
  if (x->scalar.exists() != y->scalar.exists()) return false;
  if (x->scalar.exists() && !equal_values(x->scalar, y->scalar)) return false;
  if (x->checks.size() != y->checks.size() || x->patterns.size() != y->patterns.size()) return false;
  if ((x->lower == nullptr) != (y->lower == nullptr) || (x->upper == nullptr) != (y->upper == nullptr)) return false;
  auto same_bound = [&](const BoundValue* p, const BoundValue* q) {
    return p == q || (p != nullptr && q != nullptr && p->op == q->op && equal_values(p->operand, q->operand));
  };
  if (!same_bound(x->lower, y->lower) || !same_bound(x->upper, y->upper)) return false;
  for (std::uint32_t i = 0; i < x->checks.size(); ++i) {
    const Value& p = x->checks[i].value;
    const Value& q = y->checks[i].value;
    if (p.pointer != q.pointer && !equal_values(p, q)) return false;
  }
  for (std::uint32_t i = 0; i < x->patterns.size(); ++i) {
    if (x->patterns[i].declaration != y->patterns[i].declaration || x->patterns[i].value != y->patterns[i].value) return false;
  }
  auto pending = [](State* s) {
    std::vector<const Expression*> list;
    for (const Task& task : s->tasks) {
      if (task.state != TaskState::done) list.push_back(task.expression);
    }
    for (const PendingDisjunction& d : s->disjunctions) list.push_back(d.expression);
    std::sort(list.begin(), list.end());
    return list;
  };
  if (pending(x) != pending(y)) return false;
  if (a->arcs.size() != b->arcs.size() || optional_labels(*a) != optional_labels(*b)) return false;
  for (Node* arc : a->arcs) {
    Node* other = find_arc(b, arc->label);
    if (other == nullptr || other->arc != arc->arc) return false;
    Node* p = value_node(arc);
    Node* q = value_node(other);
    if (p == q) continue;
    if (p->status == Status::finalized && q->status == Status::finalized) {
      if (!equal_nodes(p, q, true)) return false;
      continue;
    }
    if (p->base == BaseKind::disjunction || q->base == BaseKind::disjunction) {
      if (p->base != q->base || p->disjuncts.size() != q->disjuncts.size()) return false;
      for (std::uint32_t i = 0; i < p->disjuncts.size(); ++i) {
        if (!equal_partial(value_node(p->disjuncts[i]), value_node(q->disjuncts[i]))) return false;
      }
      continue;
    }
    if (!equal_partial(p, q)) return false;
  }
  // Which closing references hold decides which fields will be allowed.
  auto closings = [](State* s) {
    std::vector<Node*> list;
    for (const Requirement& requirement : s->requirements) {
      if (!requirement.ignored) list.push_back(requirement.target);
    }
    return list;
  };
  return closings(x) == closings(y);
}

}  // namespace opm::cue::eval
