// Disjunctions: the cross product of a node's disjunctions with what else is known of
// it, one disjunction at a time, dropping what fails and what repeats.
//
// A disjunct is a copy of the node's conjuncts-turned-fields with one alternative
// added. Most alternatives are never copied: those whose kind can't match are left out
// first, and when one is left it goes into the node itself.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "cue/compile/same_expression.h"
#include "cue/eval/evaluator.h"
#include "cue/eval/missing_part.h"

namespace opm::cue::eval {

using compile::ExpressionKind;

namespace {

struct Alternative {
  const Expression* expression = nullptr;
  Node* node = nullptr;
  Value value;
  DefaultMode mode = DefaultMode::maybe;
  const Error* error = nullptr;
};

std::vector<Alternative> alternatives_of(const PendingDisjunction& pending) {
  std::vector<Alternative> result;
  if (pending.expression != nullptr) {
    for (const compile::Disjunct& disjunct : pending.expression->disjuncts) {
      Alternative alternative;
      alternative.expression = disjunct.value;
      if (pending.expression->has_defaults) {
        alternative.mode = disjunct.is_default ? DefaultMode::is_default : DefaultMode::not_default;
      }
      result.push_back(alternative);
    }
    return result;
  }
  for (std::size_t i = 0; i < pending.values.size(); ++i) {
    Alternative alternative;
    alternative.value = pending.values[i];
    if (pending.value_defaults > 0) {
      alternative.mode = i < pending.value_defaults ? DefaultMode::is_default : DefaultMode::not_default;
    }
    result.push_back(alternative);
  }
  return result;
}

// What two disjuncts that are the same have in common, to be seen without looking below: most differ in it.
struct Outline {
  std::uint64_t fields = 0;
  std::uint64_t scalars = 0;
  bool is_final = false;
};

std::uint64_t scatter(std::uint64_t number) { return (number ^ (number >> 29)) * 0x9e3779b97f4a7c15ull; }

Outline outline_of(const Node& node) {
  Outline outline{.is_final = node.status == Status::finalized};
  for (Node* arc : node.arcs) {
    if (arc->arc != ArcKind::member) continue;
    std::uint64_t label = scatter(arc->label.bits);
    outline.fields += label;
    const Node* value = value_node(arc);
    if (value->status != Status::finalized || value->base != BaseKind::value || !value->value.is_string()) continue;
    if (value->value.variation() != nullptr) continue;
    outline.scalars += scatter(label ^ std::hash<std::string_view>()(value->value.string()));
  }
  return outline;
}

bool may_be_same(const Outline& a, const Outline& b) {
  return a.fields == b.fields && (a.scalars == b.scalars || !a.is_final || !b.is_final);
}

DefaultMode combine_modes(DefaultMode a, DefaultMode b) {
  if (a == DefaultMode::maybe) return b;
  if (b == DefaultMode::maybe) return a;
  if (a == DefaultMode::is_default && b == DefaultMode::is_default) return DefaultMode::is_default;
  return DefaultMode::not_default;
}

DefaultMode combine_modes(DefaultMode a, DefaultMode b, bool drops_a, bool drops_b) {
  return combine_modes(drops_a ? DefaultMode::maybe : a, drops_b ? DefaultMode::maybe : b);
}

bool same_provenance(const Provenance& a, const Provenance& b) {
  return a.id == b.id && a.embedding == b.embedding && a.outer == b.outer && a.from_embedding == b.from_embedding &&
         a.from_definition == b.from_definition && a.top_definition == b.top_definition && a.opened == b.opened &&
         a.conjunction_opened == b.conjunction_opened && a.cycle == b.cycle && a.steps == b.steps;
}

// What is taken twice says no more than what is taken once. So of a disjunction of scalars that is written more often than it
// has alternatives the others add nothing: there is one for each alternative already.
void leave_out_repeated(ArenaVector<PendingDisjunction>& disjunctions) {
  std::uint32_t kept = 0;
  for (const PendingDisjunction& pending : disjunctions) {
    const compile::Disjunction* expression = pending.expression;
    bool is_repeated = expression != nullptr && kept >= expression->disjuncts.size();
    if (is_repeated) {
      auto same = std::ranges::count_if(disjunctions.span().first(kept), [&](const PendingDisjunction& known) {
        return known.expression != nullptr && same_provenance(known.provenance, pending.provenance) &&
               compile::says_the_same(*known.expression, *expression);
      });
      is_repeated = static_cast<std::size_t>(same) >= expression->disjuncts.size();
    }
    if (!is_repeated) disjunctions[kept++] = pending;
  }
  disjunctions.truncate(kept);
}

// An alternative that brings its own disjunction along again has no end. What is being tried is noted beside what is decided,
// without an alternative that was the only one.
bool is_tried_over_and_over(const State& state, const compile::Disjunction* expression) {
  constexpr std::ptrdiff_t kOften = 4;
  return expression != nullptr && std::ranges::count_if(state.decided.span(), [&](const DecidedDisjunction& one) {
                                    return one.only == nullptr && one.expression == expression;
                                  }) >= kOften;
}

// Of more than two failed alternatives CUE tells those that name a place which none before them named, nowhere being one:
// so one that ended without an alternative of its own is told only if it comes first.
void leave_out_nested(std::vector<const Error*>& errors) {
  if (errors.size() <= 2) return;
  bool nowhere_is_taken = false;
  std::erase_if(errors, [&](const Error* error) {
    bool is_nested = error->is_disjunction && error->positions.empty();
    bool is_taken = std::exchange(nowhere_is_taken, nowhere_is_taken || !error->position.valid());
    return is_nested && !error->position.valid() && is_taken;
  });
}

}  // namespace

// --- kinds without evaluating -----------------------------------------------------------------------

KindSet Evaluator::static_kinds_of_node(Node* node, int depth) {
  node = value_node(node);
  if (node->status == Status::finalized) {
    KindSet kind_set = kinds_of(Value::of_node(node));
    return kind_set == kinds::bottom ? kinds::top : kind_set;
  }
  if (depth > 8) return kinds::top;
  KindSet result = kinds::top;
  for (std::uint32_t i = 0; i < node->conjuncts.size(); ++i) {
    const Conjunct& conjunct = node->conjuncts[i];
    if (conjunct.expression != nullptr) {
      result &= static_kinds(conjunct.expression, conjunct.scope, depth + 1);
    } else if (conjunct.node != nullptr) {
      result &= static_kinds_of_node(conjunct.node, depth + 1);
    } else {
      result &= kinds_of(conjunct.value);
    }
  }
  return result;
}

KindSet Evaluator::static_kinds(const Expression* expression, Scope* scope, int depth) {
  switch (expression->kind) {
    case ExpressionKind::null: return kinds::null;
    case ExpressionKind::boolean: return kinds::boolean;
    case ExpressionKind::number:
      return static_cast<const compile::NumberExpression*>(expression)->value.is_int() ? kinds::integer : kinds::floating;
    case ExpressionKind::string: return kinds::string;
    case ExpressionKind::bytes: return kinds::bytes;
    case ExpressionKind::interpolation:
      return static_cast<const compile::Interpolation*>(expression)->is_bytes ? kinds::bytes : kinds::string;
    case ExpressionKind::basic_type: return static_cast<const compile::BasicTypeExpression*>(expression)->kinds;
    case ExpressionKind::list: return kinds::list;
    case ExpressionKind::structure: {
      const auto* literal = static_cast<const compile::StructExpression*>(expression);
      if (!literal->has_embedding) return kinds::structure;
      for (const compile::Field* field : literal->fields) {
        if (field->label.is_string() && field->field_kind == compile::FieldKind::member) return kinds::structure;
      }
      return kinds::top;
    }
    case ExpressionKind::field:
      if (redeclared_.contains(expression)) return kinds::top;
      return static_kinds(static_cast<const compile::Field*>(expression)->value, scope, depth);
    case ExpressionKind::unify: {
      const auto* unify = static_cast<const compile::Unify*>(expression);
      return static_kinds(unify->left, scope, depth) & static_kinds(unify->right, scope, depth);
    }
    case ExpressionKind::disjunction: {
      KindSet result = 0;
      for (const compile::Disjunct& disjunct : static_cast<const compile::Disjunction*>(expression)->disjuncts) {
        result |= static_kinds(disjunct.value, scope, depth);
      }
      return result;
    }
    case ExpressionKind::bound: {
      const auto* bound = static_cast<const compile::Bound*>(expression);
      KindSet operand = static_kinds(bound->operand, scope, depth);
      if (bound->op == Operator::not_equal || bound->op == Operator::equal) return kinds::top;
      if (bound->op == Operator::match || bound->op == Operator::not_match) return kinds::string | kinds::bytes;
      if (operand == kinds::string || operand == kinds::bytes) return operand;
      if (operand != kinds::bottom && (operand & ~kinds::number) == 0) return kinds::number;
      return kinds::top;
    }
    case ExpressionKind::field_reference:
    case ExpressionKind::selector: {
      if (depth > 8) return kinds::top;
      Node* target = target_at_a_glance(expression, scope);
      return target != nullptr ? static_kinds_of_node(target, depth + 1) : kinds::top;
    }
    case ExpressionKind::clause_reference: {
      const auto* reference = static_cast<const compile::ClauseReference*>(expression);
      if (reference->variable != compile::ClauseVariable::value) return kinds::top;
      for (std::uint32_t up = reference->up; up > 0; --up) scope = scope->up;
      return scope->value != nullptr ? static_kinds_of_node(scope->value, depth + 1) : kinds::top;
    }
    case ExpressionKind::call: {
      // What a function gives is known by its kind before its arguments are.
      const auto* call = static_cast<const compile::Call*>(expression);
      if (call->function->kind != ExpressionKind::builtin) return kinds::top;
      const Builtin& builtin = builtin_of(call->function);
      bool is_plain = builtin.result != kinds::bottom && !builtin.takes_conjuncts && !builtin.is_validator_with(call->arguments.size());
      return is_plain ? builtin.result : kinds::top;
    }
    default: return kinds::top;
  }
}

// --- copies --------------------------------------------------------------------------------------------

// The same scope with copies of the literals in `table`, where what stood for the node
// `from` (an alias of its value, say) stands for `to`.
Scope* Evaluator::remap_scope(Scope* scope, std::vector<std::pair<Scope*, Scope*>>& table, Node* from, Node* to) {
  // Most scopes are those of what is around the node.
  if (scope == nullptr || scope->deepest < from->depth) return scope;
  spend();
  for (const auto& [known, mapped] : table) {
    if (known == scope) return mapped;
  }
  Scope* up = remap_scope(scope->up, table, from, to);
  bool stands_for_it = scope->literal == nullptr && scope->node == from;
  if (up == scope->up && !stands_for_it) return scope;
  Scope* copy = arena_.make<Scope>(*scope);
  if (stands_for_it) copy->node = to;
  copy->up = up;
  copy->lets = nullptr;
  table.emplace_back(scope, copy);
  return copy;
}

// A node with everything that `state` has so far, but fields of its own.
Node* Evaluator::clone_for_disjunct(State& state) {
  Node* node = state.node;
  Node* copy = arena_.make<Node>();
  ++node_count_;
  copy->label = node->label;
  copy->parent = node->parent;
  copy->depth = node->depth;
  copy->first_own_id = static_cast<ClosingId>(closing_.size());
  copy->arc = node->arc;
  copy->closed_recursively = node->closed_recursively;
  copy->closed_once = node->closed_once;
  copy->has_ellipsis = node->has_ellipsis;
  copy->is_dynamic = node->is_dynamic;
  copy->not_rooted = node->not_rooted;
  copy->is_let = node->is_let;
  copy->has_optionals = node->has_optionals;
  copy->is_disjunct = true;
  copy->conjuncts = node->conjuncts.copy(arena_);
  State* made = make_state();
  copy->state = made;
  made->node = copy;
  made->initialized = true;
  made->ancestors_done = true;
  made->has_top = state.has_top;
  made->has_struct = state.has_struct;
  made->is_struct = state.is_struct;
  made->is_definition = state.is_definition;
  made->has_field_value = state.has_field_value;
  made->has_non_cycle = state.has_non_cycle;
  made->has_non_cyclic = state.has_non_cyclic;
  made->has_cyclic_conjunct = state.has_cyclic_conjunct;
  made->has_ancestor_cycle = state.has_ancestor_cycle;
  made->no_sharing = true;
  made->drop_parent_requirements = state.drop_parent_requirements;
  made->kind_set = state.kind_set;
  made->kind_source = state.kind_source;
  made->kind_expression = state.kind_expression;
  made->kind_id = state.kind_id;
  made->scalar = state.scalar;
  made->scalar_id = state.scalar_id;
  made->lower = state.lower;
  made->upper = state.upper;
  made->checks = state.checks.copy(arena_);
  made->inserted_targets = state.inserted_targets.copy(arena_);
  made->requirements = state.requirements.copy(arena_);
  made->evidence = state.evidence.copy(arena_);
  made->newest_evidence = state.newest_evidence;
  made->links = state.links.copy(arena_);
  made->errors = state.errors;
  made->default_mode = state.default_mode;
  made->original_default_mode = state.original_default_mode;
  made->try_skipped = state.try_skipped;
  made->cyclic_conjuncts = state.cyclic_conjuncts.copy(arena_);
  made->decided = state.decided.copy(arena_);

  std::vector<std::pair<Scope*, Scope*>> table;
  for (const Insertion& insertion : state.insertions) {
    if (insertion.kind != Insertion::Kind::structure) continue;
    Scope* inner = make_scope(remap_scope(insertion.scope, table, node, copy), copy);
    inner->literal = static_cast<const compile::StructExpression*>(insertion.expression);
    table.emplace_back(insertion.inner, inner);
  }
  auto remap = [&](Scope* scope) { return remap_scope(scope, table, node, copy); };
  for (const PatternConstraint& pattern : state.patterns) {
    PatternConstraint mapped = pattern;
    mapped.scope = remap(pattern.scope);
    made->patterns.push(arena_, mapped);
  }
  for (const Insertion& insertion : state.insertions) {
    Insertion mapped = insertion;
    mapped.scope = remap(insertion.scope);
    switch (insertion.kind) {
      case Insertion::Kind::structure: {
        mapped.inner = remap(insertion.inner);
        push_insertion(*made, mapped);
        const auto* literal = static_cast<const compile::StructExpression*>(insertion.expression);
        for (const compile::Field* field : literal->fields) {
          if (field->field_kind == compile::FieldKind::optional) continue;
          Conjunct conjunct;
          conjunct.expression = field;
          conjunct.scope = mapped.inner;
          conjunct.provenance = insertion.provenance;
          insert_arc(*made, field->label,
                     field->field_kind == compile::FieldKind::member ? ArcKind::member : ArcKind::required, conjunct);
        }
        if (literal->has_required_or_optional) apply_optionals(*made, mapped);
        break;
      }
      case Insertion::Kind::field: {
        push_insertion(*made, mapped);
        const auto* field = static_cast<const compile::DynamicField*>(insertion.expression);
        Conjunct conjunct;
        conjunct.expression = field;
        conjunct.scope = mapped.scope;
        if (field->label_scope) {
          conjunct.scope = make_scope(mapped.scope, nullptr);
          conjunct.scope->label = insertion.label;
        }
        conjunct.provenance = insertion.provenance;
        Node* arc = insert_arc(*made, insertion.label, insertion.arc, conjunct);
        if (field->label_scope) stand_for(conjunct.scope, arc);
        break;
      }
      case Insertion::Kind::list:
        add_task(*made, TaskKind::list, insertion.expression, mapped.scope, insertion.provenance);
        break;
      case Insertion::Kind::list_node: {
        Task task{.kind = TaskKind::list_node};
        task.node = insertion.node;
        task.provenance = insertion.provenance;
        push_task(*made, task);
        break;
      }
      case Insertion::Kind::data: {
        push_insertion(*made, mapped);
        for (Node* arc : insertion.node->arcs) {
          if (arc->arc != ArcKind::member) continue;
          Conjunct conjunct;
          conjunct.node = arc;
          conjunct.provenance = sub_field(insertion.provenance);
          insert_arc(*made, arc->label, ArcKind::member, conjunct);
        }
        break;
      }
    }
  }
  for (const Task& task : state.tasks) {
    if (task.state == TaskState::done) continue;
    Task mapped = task;
    mapped.state = TaskState::ready;
    mapped.attempt = 0;
    mapped.error = nullptr;
    mapped.scope = remap(task.scope);
    push_task(*made, mapped);
  }
  for (CyclicConjunct& cyclic : made->cyclic_conjuncts) cyclic.conjunct.scope = remap(cyclic.conjunct.scope);
  for (const PendingDisjunction& pending : state.disjunctions) {
    PendingDisjunction mapped = pending;
    mapped.scope = remap(pending.scope);
    made->disjunctions.push(arena_, mapped);
    made->has_disjunction = true;
  }
  // The alternative itself is added by the caller, in the copy's scopes.
  copy->state->post_checks = {};
  for (const PostCheck& check : state.post_checks) {
    PostCheck mapped = check;
    mapped.scope = remap(check.scope);
    made->post_checks.push(arena_, mapped);
  }
  if (state.merged_evidence) {
    merge_evidence(copy, node);
    made->merged_evidence = true;
  }
  scope_tables_.push_back(std::move(table));
  return copy;
}

// --- errors of a disjunct -----------------------------------------------------------------------------

// Anything wrong with the node or its fields, as far as it was evaluated. An alternative
// that is incomplete when all is known is no alternative either.
const Error* Evaluator::error_all(Node* node) {
  node = value_node(node);
  if (node->base == BaseKind::error && !node->error->is_in_progress) return node->error;
  if (node->child_errors != nullptr) return node->child_errors;
  if (node->state != nullptr && node->state->errors != nullptr && !node->state->errors->is_incomplete()) {
    return node->state->errors;
  }
  if (node->status == Status::finalized && node->base != BaseKind::structure && node->base != BaseKind::list) return nullptr;
  for (Node* arc : node->arcs) {
    if (arc->arc > ArcKind::required) continue;
    // What is incomplete further down may be completed by who uses the alternative.
    if (value_node(arc)->status == Status::finalized) continue;
    if (const Error* error = error_all(arc)) return error;
  }
  return nullptr;
}

// As far as it goes without forcing anything.
const Error* Evaluator::attempt(Node* node) {
  if (nested_too_deep()) return too_deep();
  settle(node);
  Node* target = value_node(node);
  if (target->status == Status::finalized) return error_all(target);
  if (target->state == nullptr) return nullptr;
  State& state = *target->state;
  if (state.errors != nullptr && !state.errors->is_incomplete()) return state.errors;
  if (state.running_tasks > 0 || state.finalizing) return nullptr;
  if (state.scalar.exists() && tasks_done(state)) {
    conclude(state);
    if (target->base == BaseKind::error) return target->error;
  }
  ++nesting_;
  ++depth_;
  const Error* error = nullptr;
  for (std::uint32_t i = 0; i < target->arcs.size() && error == nullptr; ++i) {
    if (target->arcs[i]->arc > ArcKind::required) continue;
    error = attempt(target->arcs[i]);
  }
  --depth_;
  --nesting_;
  return error;
}

// --- the cross product -----------------------------------------------------------------------------------

// What to say when no alternative is left. Messages that the author of the configuration
// wrote count more than ours; the places that ours name are kept with them.
const Error* Evaluator::disjunction_error(Error& empty, std::span<const Error* const> users, std::span<const Error* const> all) {
  std::vector<const Error*> shown(users.begin(), users.end());
  std::vector<Position> positions;
  if (shown.empty()) {
    shown.assign(all.begin(), all.end());
  } else {
    const Error* first = all.empty() ? nullptr : all.front();
    while (first != nullptr && !first->parts.empty()) first = first->parts.front();
    if (first != nullptr) positions.assign(first->positions.begin(), first->positions.end());
  }
  if (!reports_all_errors_) leave_out_nested(shown);
  if (shown.size() == 1) {
    Error* only = copy_error(*shown.front());
    if (!users.empty()) {
      only->code = empty.code;
      positions.insert(positions.begin(), only->positions.begin(), only->positions.end());
      only->positions = arena_.copy(positions);
    }
    return only;
  }
  empty.parts = arena_.copy(shown);
  empty.positions = arena_.copy(positions);
  empty.format = "{} errors in empty disjunction:";
  Argument count(static_cast<std::int64_t>(shown.size()));
  empty.arguments = arena_.copy(std::span<const Argument>(&count, 1));
  return &empty;
}

const Error* Evaluator::kind_mismatch(const Argument& known, const Argument& other, KindSet known_kinds,
                                      KindSet other_kinds, ClosingId known_id, ClosingId other_id) {
  // The struct that an alternative is tried with stands behind it.
  bool is_struct = known_kinds == kinds::structure;
  const Error* error = make_error(ErrorCode::evaluation, {}, "conflicting values {} and {} (mismatched types {} and {})",
                                  {is_struct ? other : known, is_struct ? known : other,
                                   Argument::of_kinds(is_struct ? other_kinds : known_kinds),
                                   Argument::of_kinds(is_struct ? known_kinds : other_kinds)});
  std::vector<Position> positions;
  append_closing_positions(positions, known_id);
  append_closing_positions(positions, other_id);
  return with_positions(error, positions);
}

// Nothing came of the one alternative that was possible: then the others failed as well.
void Evaluator::tell_ruled_out(State& state) {
  Node* node = state.node;
  ArenaVector<DecidedDisjunction> decided = state.decided;
  state.decided = {};
  // An alternative that is only tried need not say so well what is wrong with it.
  if (is_within_disjunct(node)) return;
  for (const DecidedDisjunction& disjunction : decided) {
    if (disjunction.only == nullptr) continue;  // it was tried, alternative by alternative
    Argument known = disjunction.kind_expression != nullptr ? Argument(disjunction.kind_expression)
                                                            : Argument(disjunction.kind_source);
    std::vector<const Error*> errors;
    for (const compile::Disjunct& disjunct : disjunction.expression->disjuncts) {
      if (&disjunct == disjunction.only) {
        errors.push_back(node->error);
        continue;
      }
      errors.push_back(kind_mismatch(known, disjunct.value, disjunction.kind_set,
                                     static_kinds(disjunct.value, disjunction.scope, 0), disjunction.kind_id, disjunction.id));
    }
    Error* empty = arena_.make<Error>();
    empty->code = node->error->code;
    empty->node = node;
    empty->is_disjunction = true;
    set_base_error(node, disjunction_error(*empty, {}, errors));
  }
}

void Evaluator::process_disjunctions(State& state) {
  Node* node = state.node;
  // Of a condition that asked for the choice, further alternatives come when it is made: they don't make another.
  bool is_made = node->base == BaseKind::disjunction || (node->base == BaseKind::forward && node->forward->is_disjunct);
  if (is_made || (state.errors != nullptr && !state.errors->is_incomplete())) {
    state.disjunctions.clear();
    return;
  }
  if (choose_scalars(state)) return;
  state.disjunctions_running = true;

  // Alternatives ruled out by kind cost nothing. To a field that a condition asked for nothing can be added any more: then the
  // one that is left goes into a copy.
  bool has_decided = false;
  bool is_asked_for = std::ranges::any_of(node->arcs, [](const Node* arc) { return arc->status == Status::finalized; });
  for (std::uint32_t i = 0; i < state.disjunctions.size();) {
    PendingDisjunction pending = state.disjunctions[i];
    const compile::Disjunct* only = nullptr;
    int possible = 0;
    if (!is_asked_for && pending.expression != nullptr && state.kind_set != kinds::top && state.kind_set != kinds::bottom) {
      for (const compile::Disjunct& disjunct : pending.expression->disjuncts) {
        if ((static_kinds(disjunct.value, pending.scope, 0) & state.kind_set) == 0) continue;
        ++possible;
        only = &disjunct;
      }
    }
    // A message for the case that nothing else fits is no alternative to go on with.
    if (possible != 1 || only->value->kind == ExpressionKind::call) {
      ++i;
      continue;
    }
    for (std::uint32_t j = i + 1; j < state.disjunctions.size(); ++j) state.disjunctions[j - 1] = state.disjunctions[j];
    state.disjunctions.truncate(state.disjunctions.size() - 1);
    has_decided = true;
    state.decided.push(arena_, {pending.expression, only, pending.scope, pending.provenance.id, state.kind_set,
                                state.kind_source, state.kind_expression, state.kind_id});
    Conjunct conjunct;
    conjunct.expression = only->value;
    conjunct.scope = pending.scope;
    conjunct.provenance = pending.provenance;
    schedule(state, conjunct, pending.provenance);
  }
  if (!tasks_done(state) || state.disjunctions.empty()) {
    state.disjunctions_running = false;
    // What waited may go on when only one alternative was possible.
    bool pending = false;
    for (const Task& task : state.tasks) {
      pending = pending || task.state == TaskState::ready || (has_decided && task.state == TaskState::blocked);
    }
    if (pending) {
      run_tasks(state, state.finalizing);
      return;
    }
    if (state.disjunctions.empty()) return;
    state.disjunctions_running = true;
  }

  ArenaVector<PendingDisjunction> all = state.disjunctions;
  state.disjunctions = {};
  if (redeclared_.empty()) leave_out_repeated(all);
  std::int32_t saved_depth = state.active_depth;
  if (saved_depth == 0) state.active_depth = depth_;

  std::vector<State*> cross{&state};
  std::vector<std::vector<std::pair<Scope*, Scope*>>> cross_tables(1);
  const Error* failures = nullptr;
  std::vector<const Error*> user_errors;
  // Alternatives that refuse a field were not tried, in this step or before: what they say of it is told where nothing fits.
  bool refused_now = false;
  bool refused_before = false;

  for (std::uint32_t i = 0; i < all.size(); ++i) {
    refused_before = refused_before || std::exchange(refused_now, false);
    bool last = i + 1 == all.size();
    std::vector<Alternative> alternatives = alternatives_of(all[i]);
    struct Result {
      State* state;
      std::vector<std::pair<Scope*, Scope*>> table;
    };
    std::vector<Result> found;
    bool left_drops = true;
    bool right_drops = true;
    // What was not tried, or not to its end.
    struct RuledOut {
      std::size_t place;
      Alternative* alternative;
      std::optional<GlanceConflict> conflict;
      const Error* error = nullptr;  // otherwise
    };
    std::vector<RuledOut> ruled_out;
    auto try_alternative = [&](std::size_t p, Alternative& alternative) {
      State& base_state = *cross[p];
      spend(1 + base_state.insertions.size() + base_state.tasks.size());
      Node* disjunct = clone_for_disjunct(base_state);
      std::vector<std::pair<Scope*, Scope*>> table = std::move(scope_tables_.back());
      scope_tables_.pop_back();
      // Scopes of the original lead on to this copy's through all earlier copies.
      std::vector<std::pair<Scope*, Scope*>> combined;
      for (const auto& [from, to] : cross_tables[p]) combined.emplace_back(from, remap_scope(to, table, base_state.node, disjunct));
      for (const auto& entry : table) combined.push_back(entry);
      State& made = *disjunct->state;
      made.disjunctions.clear();
      if (all[i].expression != nullptr) {
        DecidedDisjunction tried{};
        tried.expression = all[i].expression;
        made.decided.push(arena_, tried);
      }
      Conjunct conjunct;
      conjunct.expression = alternative.expression;
      conjunct.value = alternative.value.is_node() ? Value{} : alternative.value;
      conjunct.node = alternative.value.is_node() ? alternative.value.node : nullptr;
      conjunct.scope = remap_scope(all[i].scope, combined, node, disjunct);
      conjunct.provenance = all[i].provenance;
      Node* saved_node = std::exchange(current_, disjunct);
      schedule(made, conjunct, conjunct.provenance);
      made.default_mode = base_state.default_mode;
      made.original_default_mode = alternative.mode;
      const Error* error = nullptr;
      // While it is tried, the node stands for this disjunct.
      BaseKind saved_base = node->base;
      Node* saved_forward = node->forward;
      forward_to(node, disjunct);
      if (last) {
        made.may_give_up = telling_all_ == 0;
        finalize(disjunct);
        error = error_all(disjunct);
      } else {
        error = attempt(disjunct);
      }
      node->base = saved_base;
      node->forward = saved_forward;
      current_ = saved_node;
      if (made.gave_up) {
        ruled_out.push_back({p, &alternative, std::nullopt, error});
        return;
      }
      if (error != nullptr) {
        alternative.error = error;
        if (error->code == ErrorCode::user) user_errors.push_back(error);
        return;
      }
      State* result = &made;
      Node* resolved = disjunct_node(disjunct);
      if (resolved != disjunct && resolved->state != nullptr) {
        resolved->state->original_default_mode = alternative.mode;
        resolved->state->default_mode = made.default_mode;
        result = resolved->state;
      }
      found.push_back({result, std::move(combined)});
      if (base_state.default_mode == DefaultMode::is_default || base_state.original_default_mode == DefaultMode::is_default) {
        left_drops = false;
      }
      if (alternative.mode == DefaultMode::is_default) right_drops = false;
    };
    bool leads_back = is_tried_over_and_over(state, all[i].expression);
    for (std::size_t p = 0; p < cross.size(); ++p) {
      State& base_state = *cross[p];
      for (Alternative& alternative : alternatives) {
        if (exhausted_) break;
        if (leads_back) {
          alternative.error = make_error(ErrorCode::structural_cycle, all[i].expression->position, "structural cycle");
          continue;
        }
        // What can't match by kind need not be copied to fail.
        KindSet kind_set = alternative.expression != nullptr ? static_kinds(alternative.expression, all[i].scope, 0)
                                                             : kinds_of(alternative.value);
        if ((kind_set & base_state.kind_set) == 0 && base_state.kind_set != kinds::bottom &&
            (base_state.kind_source.exists() || base_state.kind_expression != nullptr)) {
          Argument known = base_state.kind_expression != nullptr ? Argument(base_state.kind_expression) : Argument(base_state.kind_source);
          Argument other = alternative.expression != nullptr ? Argument(alternative.expression) : Argument(alternative.value);
          Node* saved = std::exchange(current_, node);
          alternative.error = kind_mismatch(known, other, base_state.kind_set, kind_set, base_state.kind_id, all[i].provenance.id);
          current_ = saved;
          continue;
        }
        // Of several combinations that end in the same scalar the last one speaks for all, so each has to be tried.
        bool is_combined = cross.size() > 1 && alternative.expression != nullptr && constant(alternative.expression).exists();
        if (alternative.expression != nullptr && !is_combined) {
          auto conflict = conflict_at_a_glance(base_state, alternative.expression, all[i].scope, 0);
          bool refuses = conflict && !conflict->known.exists();
          if (conflict && (!refuses || telling_all_ == 0)) {
            refused_now = refused_now || refuses;
            ruled_out.push_back({p, &alternative, *conflict});
            continue;
          }
        }
        try_alternative(p, alternative);
      }
    }
    // Where nothing else fits, what is wrong with them is to be told in full; not so of what is only tried itself.
    if (found.empty() && !ruled_out.empty() && !exhausted_) {
      bool is_tried = is_within_disjunct(node);
      ++telling_all_;
      for (const RuledOut& one : std::exchange(ruled_out, {})) {
        if (is_tried) one.alternative->error = one.conflict ? glance_error(*one.conflict) : one.error;
        else try_alternative(one.place, *one.alternative);
      }
      --telling_all_;
    }

    std::vector<State*> results;
    std::vector<std::vector<std::pair<Scope*, Scope*>>> result_tables;
    // Strings are many at times, an enumeration say: those are found by their text.
    std::unordered_map<std::string_view, State*> strings;
    std::vector<std::pair<State*, Outline>> others;
    auto merge_if_same = [&](State* known, State* candidate) {
      if (known == candidate) return true;
      Node* a = value_node(known->node);
      Node* b = value_node(candidate->node);
      if (!spend(1 + a->arcs.size())) return false;
      bool both_final = a->status == Status::finalized && b->status == Status::finalized;
      if (!(both_final ? equal_nodes(a, b, true) : equal_partial(a, b))) return false;
      if (candidate->default_mode == DefaultMode::is_default) known->default_mode = DefaultMode::is_default;
      merge_evidence(a, b);
      if (known->node->state != nullptr) known->node->state->merged_evidence = true;
      return true;
    };
    auto append = [&](State* candidate, const std::vector<std::pair<Scope*, Scope*>>& table) {
      const Node* value = value_node(candidate->node);
      bool is_string = value->status == Status::finalized && value->base == BaseKind::value &&
                       value->value.kind == ValueKind::string && value->value.variation() == nullptr && value->arcs.empty();
      if (is_string) {
        auto [known, is_new] = strings.try_emplace(value->value.string(), candidate);
        if (!is_new && merge_if_same(known->second, candidate)) return;
      }
      Outline outline = outline_of(*value);
      for (const auto& [known, known_outline] : others) {
        if (may_be_same(outline, known_outline) && merge_if_same(known, candidate)) return;
      }
      if (!is_string) {
        for (const auto& [text, known] : strings) {
          if (merge_if_same(known, candidate)) return;
        }
        others.emplace_back(candidate, outline);
      }
      results.push_back(candidate);
      result_tables.push_back(table);
    };
    bool has_non_maybe = false;
    for (Result& result : found) {
      Node* made = result.state->node;
      if (made->base != BaseKind::disjunction) {
        result.state->default_mode =
            combine_modes(result.state->default_mode, result.state->original_default_mode, left_drops, right_drops);
        append(result.state, result.table);
        continue;
      }
      for (std::uint32_t k = 0; k < made->disjuncts.size(); ++k) {
        State* inner = made->disjuncts[k]->state;
        if (inner == nullptr) continue;
        DefaultMode nested = !made->has_defaults                ? DefaultMode::maybe
                             : k < made->default_count          ? DefaultMode::is_default
                                                                : DefaultMode::not_default;
        DefaultMode mode = combine_modes(result.state->original_default_mode, nested);
        inner->default_mode = combine_modes(result.state->default_mode, mode, left_drops, false);
        if (inner->default_mode != DefaultMode::maybe) has_non_maybe = true;
        append(inner, result.table);
      }
    }
    if (has_non_maybe) {
      for (State* result : results) {
        if (result->default_mode == DefaultMode::maybe) result->default_mode = DefaultMode::not_default;
      }
    }
    if (exhausted_) break;
    // An alternative that is computed of the choice can't be told before it, nor the choice, unless a default makes it.
    bool has_default = std::ranges::any_of(results, [](const State* one) { return one->default_mode == DefaultMode::is_default; });
    if (!results.empty() && !state.scalar.exists()) {
      auto open = std::ranges::find_if(alternatives, [&](const Alternative& one) {
        bool is_several = one.expression != nullptr && one.expression->kind == ExpressionKind::disjunction;
        if (has_default && !(is_several && one.mode == DefaultMode::is_default)) return false;
        return one.error != nullptr && one.error->code == ErrorCode::cycle && !one.error->is_child_error && asks_for_own_choice(*one.error);
      });
      if (open != alternatives.end()) {
        failures = open->error;
        break;
      }
    }
    if (results.empty() && i == 0) {
      // Plain values that contradict each other do so whatever the alternative.
      for (Node* arc : node->arcs) {
        if (arc->arc > ArcKind::required || arc->status == Status::finalized) continue;
        initialize(arc);
        const State& plain = *arc->state;
        bool is_plain = plain.open_tasks == 0 && !plain.has_disjunction && !plain.has_struct;
        if (is_plain && plain.errors != nullptr && !plain.errors->is_incomplete()) failures = combine(failures, plain.errors);
      }
      if (failures != nullptr) break;
    }
    if (results.empty()) {
      Error* empty = arena_.make<Error>();
      empty->code = ErrorCode::evaluation;
      empty->node = node;
      empty->is_disjunction = true;
      // Of several combinations that end in the same alternative the last one speaks for all.
      std::vector<const Error*> branch_errors;
      for (const Alternative& alternative : alternatives) {
        if (alternative.error == nullptr || alternative.error->code == ErrorCode::user) continue;
        branch_errors.push_back(alternative.error);
        empty->code = std::max(empty->code, alternative.error->code);
      }
      failures = disjunction_error(*empty, user_errors, branch_errors);
      break;
    }
    cross = std::move(results);
    cross_tables = std::move(result_tables);
  }

  state.active_depth = saved_depth;
  state.disjunctions_running = false;
  ++progress_;
  if (failures != nullptr && refused_before && !is_within_disjunct(node)) {
    state.disjunctions = all;
    ++telling_all_;
    process_disjunctions(state);
    --telling_all_;
    return;
  }
  if (failures != nullptr) {
    // Where the node waits for itself no alternative had a chance: that is what is wrong. And what a conjunct waits for
    // otherwise says more than what became of the alternatives.
    const Error* cycle = nullptr;
    const Error* waiting = nullptr;
    for (const Task& task : state.tasks) {
      if (task.state != TaskState::blocked) continue;
      waiting = combine(waiting, task.error);
      if (task.error->code == ErrorCode::cycle) cycle = combine(cycle, task.error);
    }
    if (!failures->is_incomplete() || waiting == nullptr) {
      add_error(state, failures);
    } else if (cycle == nullptr) {
      add_error(state, combine(waiting, failures));
    } else {
      // First where it was entered, unless the other has alternatives as well.
      Error* turned = copy_error(*cycle);
      std::vector<const Error*> parts(cycle->parts.begin(), cycle->parts.end());
      const Node* other = parts.empty() ? nullptr : parts.front()->node;
      bool is_plain = other != nullptr && other->state != nullptr && !other->state->has_disjunction;
      if (is_plain) std::ranges::reverse(parts);
      turned->parts = arena_.copy(parts);
      add_error(state, turned);
    }
    set_base_error(node, state.errors);
    return;
  }
  if (exhausted_ || cross.empty() || cross.front() == &state) return;
  if (cross.size() == 1) {
    forward_to(node, cross.front()->node);
    node->forward->is_disjunct = true;
    state.default_mode = cross.front()->default_mode;
    return;
  }
  node->base = BaseKind::disjunction;
  node->disjuncts = {};
  node->default_count = 0;
  node->has_defaults = false;
  for (State* result : cross) {
    result->node->is_alternative = true;
    if (result->default_mode == DefaultMode::is_default) {
      node->disjuncts.push(arena_, result->node);
      ++node->default_count;
    }
    if (result->default_mode != DefaultMode::maybe) node->has_defaults = true;
  }
  for (State* result : cross) {
    if (result->default_mode != DefaultMode::is_default) node->disjuncts.push(arena_, result->node);
  }
}

}  // namespace opm::cue::eval
