// Values into nodes: scalars, kinds, bounds and validators are united with what the node has, at once.
#include <algorithm>

#include "cue/eval/bounds.h"
#include "cue/eval/evaluator.h"

namespace opm::cue::eval {

using compile::ExpressionKind;

bool Evaluator::narrow_kinds(State& state, KindSet kind_set, Argument source, const Provenance& provenance) {
  update_evidence(state, provenance, 0);
  if (state.kind_set == kinds::bottom || kind_set == kinds::bottom) return false;
  KindSet both = state.kind_set & kind_set;
  if (both == kinds::bottom) {
    if (state.kind_source.exists() || state.kind_expression != nullptr) {
      Argument known = state.kind_expression != nullptr ? Argument(state.kind_expression) : Argument(state.kind_source);
      report_conflict(state, known, source, state.kind_set, kind_set, state.kind_id, provenance.id);
    } else {
      add_error(state, make_error(ErrorCode::evaluation, here(), "conflicting value {} (mismatched types {} and {})",
                                  {source, Argument::of_kinds(state.kind_set), Argument::of_kinds(kind_set)}));
    }
  }
  if (state.kind_set != both || (!state.kind_source.exists() && state.kind_expression == nullptr)) {
    if (source.kind == Argument::Kind::expression) {
      state.kind_expression = source.expression;
      state.kind_source = {};
    } else {
      state.kind_source = source.value;
      state.kind_expression = nullptr;
    }
  }
  if (state.kind_set != both) {
    state.kind_set = both;
    state.concluded = false;
    ++progress_;
  }
  state.kind_id = provenance.id;
  return both != kinds::bottom;
}

void Evaluator::append_closing_positions(std::vector<Position>& positions, ClosingId id) const {
  for (; id != 0; id = closing_[id].parent) {
    Position position = closing_[id].position;
    if (position.valid() && std::find(positions.begin(), positions.end(), position) == positions.end()) {
      positions.push_back(position);
    }
  }
}

Position Evaluator::written_position(const Conjunct& conjunct) {
  const Expression* expression = conjunct.expression;
  if (expression == nullptr) return conjunct.value.position;
  if (expression->kind == ExpressionKind::field) expression = static_cast<const compile::Field*>(expression)->value;
  if (expression->kind == ExpressionKind::pattern) expression = static_cast<const compile::Pattern*>(expression)->value;
  if (expression->kind == ExpressionKind::dynamic_field) {
    expression = static_cast<const compile::DynamicField*>(expression)->value;
  }
  while (expression->kind == ExpressionKind::alias) {
    expression = static_cast<const compile::AliasExpression*>(expression)->value;
  }
  return expression->position;
}

void Evaluator::append_value_positions(std::vector<Position>& positions, const Value& value) {
  if (value.kind == ValueKind::node) {
    for (const Conjunct& conjunct : value.node->conjuncts) {
      Position position = written_position(conjunct);
      if (position.valid()) positions.push_back(position);
    }
    return;
  }
  if (value.kind == ValueKind::bound && value.bound->position.valid()) {
    positions.push_back(value.bound->position);
    return;
  }
  // Constraints that were joined stand in several places, none of which is that of the whole.
  if (value.position.valid() && value.kind != ValueKind::conjunction) positions.push_back(value.position);
}

void Evaluator::report_conflict(State& state, Argument a, Argument b, KindSet ka, KindSet kb, ClosingId ida, ClosingId idb) {
  // That fields are there is what the other value runs into.
  if (ka == kinds::structure && kb != kinds::structure) {
    std::swap(a, b);
    std::swap(ka, kb);
  }
  Node* saved = std::exchange(current_, state.node);
  const Error* made = ka == kb ? make_error(ErrorCode::evaluation, {}, "conflicting values {} and {}", {a, b})
                               : make_error(ErrorCode::evaluation, {}, "conflicting values {} and {} (mismatched types {} and {})",
                                            {a, b, Argument::of_kinds(ka), Argument::of_kinds(kb)});
  current_ = saved;
  Error* error = copy_error(*made);
  std::vector<Position> positions(made->positions.begin(), made->positions.end());
  append_closing_positions(positions, ida);
  append_closing_positions(positions, idb);
  error->positions = arena_.copy(positions);
  add_error(state, error);
}

void Evaluator::insert_value(State& state, const Value& value, Scope* scope, Provenance provenance) {
  Node* node = state.node;
  switch (value.kind) {
    case ValueKind::none:
      return;
    case ValueKind::node: {
      Node* other = value.node;
      if (other->closed_once) {
        node->closed_once = true;
        if (!other->is_disjunct) provenance = add_reference_requirement(state, {}, other, provenance, false);
      } else if (other->closed_recursively) {
        node->closed_recursively = true;
        if (!other->is_disjunct) provenance = add_reference_requirement(state, {}, other, provenance, false);
      }
      if (other->base == BaseKind::structure) {
        state.is_struct = true;
        narrow_kinds(state, kinds::structure, value, provenance);
      }
      if (!has_only_value(other)) {
        update_cyclic_status(state, provenance);
        Conjunct conjunct;
        conjunct.node = other;
        conjunct.scope = scope;
        conjunct.provenance = provenance;
        schedule_target(state, conjunct, other, provenance);
        return;
      }
      unshare(state);
      switch (other->base) {
        case BaseKind::list: {
          update_cyclic_status(state, provenance);
          narrow_kinds(state, kinds::list, value, provenance);
          Task task{.kind = TaskKind::list_node};
          task.node = other;
          task.scope = scope;
          task.provenance = provenance;
          push_task(state, task);
          state.concluded = false;
          ++progress_;
          return;
        }
        case BaseKind::structure: {
          update_cyclic_status(state, provenance);
          update_evidence(state, provenance, evidence::structure);
          state.has_struct = true;
          Insertion insertion{.kind = Insertion::Kind::data};
          insertion.node = other;
          insertion.provenance = provenance;
          push_insertion(state, insertion);
          for (Node* arc : other->arcs) {
            if (arc->arc != ArcKind::member) continue;
            Conjunct conjunct;
            conjunct.node = arc;
            conjunct.provenance = sub_field(provenance);
            insert_arc(state, arc->label, ArcKind::member, conjunct);
          }
          return;
        }
        case BaseKind::error:
          add_error(state, other->error);
          return;
        case BaseKind::value:
          insert_value(state, other->value, scope, provenance);
          return;
        default:
          return;
      }
    }
    case ValueKind::error:
      unshare(state);
      add_error(state, value.error);
      return;
    case ValueKind::builtin:
      unshare(state);
      if (value.builtin->name == "__no_sharing") return;
      // A bare validator: strings.MinRunes without a call checks its one argument.
      if (value.builtin->parameters.size() == 1 && (value.builtin->result & ~kinds::boolean) == 0) {
        Value validator;
        validator.kind = ValueKind::validator;
        validator.position = value.position;
        validator.validator = arena_.make<Validator>(value.builtin, std::span<const Value>{}, value.position, nullptr);
        insert_value(state, validator, scope, provenance);
        return;
      }
      break;
    default:
      break;
  }

  if (!narrow_kinds(state, kinds_of(value), value, provenance)) {
    if (value.kind != ValueKind::conjunction) return;
  }
  switch (value.kind) {
    case ValueKind::conjunction:
      for (const Value& part : value.list->values) insert_value(state, part, scope, provenance);
      return;
    case ValueKind::disjunction: {
      update_cyclic_status(state, provenance);
      unshare(state);
      if (provenance.cycle == CycleKind::none) provenance.cycle = CycleKind::optional;
      PendingDisjunction pending;
      pending.values = value.list->values;
      pending.scope = scope;
      pending.provenance = provenance;
      state.disjunctions.push(arena_, pending);
      state.has_disjunction = true;
      state.concluded = false;
      ++progress_;
      return;
    }
    case ValueKind::basic_type:
      update_cyclic_status(state, provenance);
      if (value.type_kinds == kinds::top) {
        state.has_top = true;
        update_evidence(state, provenance, evidence::top);
      } else {
        unshare(state);
        update_evidence(state, provenance, evidence::top);
      }
      return;
    case ValueKind::bound:
      insert_bound(state, value, scope, provenance);
      return;
    case ValueKind::validator: {
      unshare(state);
      KindSet kind_set = kinds_of(value);
      if (kind_set & kinds::composite) {
        update_evidence(state, provenance,
                        value.validator->builtin->non_concrete ? evidence::open_validator | evidence::top : evidence::top);
      }
      for (Check& check : state.checks) {
        if (!same_validator(*this, check.value, value)) continue;
        check.value = value;
        return;
      }
      state.checks.push(arena_, {value, scope, provenance});
      if (kind_set == kinds::top) state.has_top = true;
      ++progress_;
      return;
    }
    default:
      break;
  }

  // A concrete scalar, or a function.
  unshare(state);
  update_cyclic_status(state, provenance);
  if (state.scalar.exists()) {
    if (!same_scalar(value, state.scalar)) {
      report_conflict(state, value, state.scalar, kinds_of(value), kinds_of(state.scalar), state.scalar_id, provenance.id);
    }
  } else {
    state.scalar = value;
    state.scalar_id = provenance.id;
    state.concluded = false;
    ++progress_;
  }
}

void Evaluator::insert_bound(State& state, const Value& value, Scope* scope, const Provenance& provenance) {
  unshare(state);
  update_cyclic_status(state, provenance);
  state.concluded = false;
  ++progress_;
  const BoundValue* bound = value.bound;
  switch (bound->op) {
    case Operator::less:
    case Operator::less_equal:
    case Operator::greater:
    case Operator::greater_equal: {
      bool is_lower = bound->op == Operator::greater || bound->op == Operator::greater_equal;
      const BoundValue*& slot = is_lower ? state.lower : state.upper;
      if (slot != nullptr) {
        BoundsResult result = simplify_bounds(*this, state.kind_set, *bound, *slot);
        if (result.keep == BoundsResult::Keep::second) break;
      }
      slot = bound;
      // What the new bound excludes anyway need not be excluded twice.
      std::uint32_t kept = 0;
      for (std::uint32_t i = 0; i < state.checks.size(); ++i) {
        Check check = state.checks[i];
        if (check.value.kind == ValueKind::bound &&
            simplify_bounds(*this, state.kind_set, *bound, *check.value.bound).keep == BoundsResult::Keep::first) {
          continue;
        }
        state.checks[kept++] = check;
      }
      state.checks.truncate(kept);
      break;
    }
    case Operator::equal:
    case Operator::not_equal:
      update_evidence(state, provenance, evidence::open_validator | evidence::top);
      if (kinds_of(value) & kinds::composite) state.has_top = true;
      [[fallthrough]];
    default: {
      std::uint32_t kept = 0;
      bool implied = false;
      for (const BoundValue* other : {state.lower, state.upper}) {
        if (other == nullptr || implied) continue;
        implied = simplify_bounds(*this, state.kind_set, *bound, *other).keep == BoundsResult::Keep::second;
      }
      for (std::uint32_t i = 0; i < state.checks.size(); ++i) {
        Check check = state.checks[i];
        if (check.value.kind == ValueKind::bound) {
          BoundsResult result = simplify_bounds(*this, state.kind_set, *bound, *check.value.bound);
          if (result.keep == BoundsResult::Keep::second) implied = true;
          if (result.keep == BoundsResult::Keep::first) continue;
        }
        state.checks[kept++] = check;
      }
      state.checks.truncate(kept);
      if (!implied) state.checks.push(arena_, {value, scope, provenance});
      return;
    }
  }
  if (state.lower != nullptr && state.upper != nullptr) {
    BoundsResult result = simplify_bounds(*this, state.kind_set, *state.lower, *state.upper);
    if (result.error != nullptr) {
      state.lower = nullptr;
      state.upper = nullptr;
      add_error(state, result.error);
    }
  }
}

}  // namespace opm::cue::eval
