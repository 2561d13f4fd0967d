// Running what a node has still to do, and making its value of the outcome.
#include <algorithm>

#include "cue/eval/bounds.h"
#include "cue/eval/evaluator.h"
#include "cue/eval/missing_part.h"
#include "cue/eval/worlds.h"

namespace opm::cue::eval {

using compile::ExpressionKind;

namespace {

bool is_permanent(const Error* error) { return error != nullptr && !error->is_incomplete(); }

// What may have fields is a struct also without them, unless it turned out to be something else.
bool may_make_named_field(const Task& task) {
  if (task.kind != TaskKind::comprehension) return false;
  const compile::StructExpression& body = *static_cast<const compile::Comprehension*>(task.expression)->body;
  return std::ranges::any_of(body.fields, [](const compile::Field* field) { return field->label.is_string(); });
}

// A condition that asks whether something is there which it decides itself, and adds nothing either way.
bool is_idle_question(const Task& task) {
  if (task.kind != TaskKind::comprehension || task.error->code != ErrorCode::cycle) return false;
  const auto& comprehension = *static_cast<const compile::Comprehension*>(task.expression);
  if (comprehension.fallback != nullptr || !comprehension.body->declarations.empty()) return false;
  return std::ranges::all_of(comprehension.clauses, [](const compile::Clause& clause) {
    if (clause.kind != compile::ClauseKind::if_ || clause.expression->kind != ExpressionKind::binary) return false;
    const auto& question = *static_cast<const compile::Binary*>(clause.expression);
    bool is_comparison = question.op == Operator::equal || question.op == Operator::not_equal;
    return is_comparison && (question.left->kind == ExpressionKind::bottom || question.right->kind == ExpressionKind::bottom);
  });
}

}  // namespace

// --- the budget --------------------------------------------------------------------------

void Evaluator::check_budget() {
  constexpr std::uint64_t kStepsBetweenChecks = 1024;
  next_check_ = std::min(steps_ + kStepsBetweenChecks, std::max(steps_, limits_.steps) + 1);
  if (exhausted_) return;
  out_of_memory_ = arena_.bytes_used() > limits_.bytes;
  exhausted_ = out_of_memory_ || steps_ > limits_.steps;
}

bool Evaluator::text_fits(std::size_t size) {
  if (size <= limits_.bytes / 8 && arena_.bytes_used() + size <= limits_.bytes) return true;
  exhausted_ = out_of_memory_ = true;
  return false;
}

const Error* Evaluator::exhausted_error() {
  if (out_of_memory_) {
    return make_error(ErrorCode::evaluation, {},
                      "evaluation stopped: it needs more than {} MiB of memory; look for strings, lists or loops that "
                      "grow without bound",
                      {static_cast<std::int64_t>(limits_.bytes >> 20)});
  }
  return make_error(ErrorCode::evaluation, {},
                    "evaluation stopped after {} steps; look for loops, disjunctions or references that multiply, or "
                    "raise the budget with --max-steps",
                    {static_cast<std::int64_t>(limits_.steps)});
}

void Evaluator::set_stack(const void* lowest, std::size_t size) {
  // What is left serves whatever is called from here and does not count levels itself.
  std::size_t reserve = std::min<std::size_t>(size / 4, 8u << 20);
  stack_lowest_ = reinterpret_cast<std::uintptr_t>(lowest);
  stack_end_ = stack_lowest_ + reserve;
}

bool Evaluator::nested_too_deep() const {
  if (nesting_ >= limits_.depth) return true;
  auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return here < stack_end_ && here >= stack_lowest_;
}

const Error* Evaluator::too_deep() {
  return make_error(ErrorCode::evaluation, here(),
                    "evaluation stopped: it is nested more than {} levels deep; look for a reference that leads on "
                    "and on",
                    {static_cast<std::int64_t>(std::min(nesting_, limits_.depth))});
}

// Everything that ancestors have to say about the node is said, as far as that can be
// known now.
void Evaluator::settle_ancestors_now(Node* node) {
  State& state = bare_state(node);
  Node* parent = node->parent;
  if (parent == nullptr || node->is_dynamic || node->is_let || parent->lazy_root || parent->state == nullptr ||
      parent->status == Status::finalized) {
    state.ancestors_done = true;
    return;
  }
  settle_ancestors(parent);
  // Most ancestors have nothing left to do; then there is no need to look closer.
  bool idle = true;
  for (Node* holder = parent; holder != nullptr && holder->state != nullptr && holder->status != Status::finalized;
       holder = holder->parent) {
    const State& holder_state = *holder->state;
    idle = idle && holder_state.initialized;
    idle = idle && holder_state.open_tasks == 0;
    if (!idle || holder->is_dynamic || holder->is_let || holder_state.ancestors_done) break;
  }
  if (idle) {
    state.ancestors_done = true;
    return;
  }
  std::vector<Label> path{node->label};
  bool done = true;
  Node* holder = parent;
  for (std::size_t level = 0; holder != nullptr && holder->state != nullptr && holder->status != Status::finalized; ++level) {
    State& holder_state = *holder->state;
    if (!holder_state.initialized) {
      done = false;
      break;
    }
    Label label = path.front();
    for (std::uint32_t i = next_candidate(holder_state, label, 0); i < holder_state.tasks.size();
         i = next_candidate(holder_state, label, i + 1)) {
      const Task& task = holder_state.tasks[i];
      if (task.state == TaskState::done) continue;
      if (!may_contribute(task, path)) continue;
      if (task.state == TaskState::running) {
        // Of a dynamic field that asks for this one's default, or whether there is anything, it is taken that it is another.
        bool is_another = task.kind == TaskKind::dynamic_field || makes_other_fields(task, label);
        bool is_open = !state.disjunctions.empty() || (state.kind_set == kinds::top && state.open_tasks == 0 && state.has_top);
        done = done && is_another && is_open;
        continue;
      }
      if (task.state == TaskState::blocked && task.attempt == progress_) {
        done = false;
        continue;
      }
      run_task(holder_state, i);
      if (holder_state.tasks[i].state != TaskState::done) done = false;
    }
    if (holder->is_dynamic || holder->is_let || holder_state.ancestors_done) break;
    path.insert(path.begin(), holder->label);
    holder = holder->parent;
  }
  if (done) state.ancestors_done = true;
}

// --- running ----------------------------------------------------------------------------

bool Evaluator::tasks_done(const State& state) const {
  return state.open_tasks == 0 && state.disjunctions.empty() && !state.disjunctions_running;
}

bool Evaluator::settled(Node* node) {
  if (node->status == Status::finalized) return true;
  State& state = bare_state(node);
  return state.initialized && state.ancestors_done && tasks_done(state);
}

void Evaluator::settle_now(Node* node) {
  Worlds::Evaluating evaluating(worlds_);
  initialize(node);
  if (nested_too_deep()) {
    add_error(*node->state, too_deep());
    return;
  }
  ++nesting_;
  State& state = *node->state;
  Node* saved_node = std::exchange(current_, node);
  // What ancestors have to say of the node is said outside of it: there it may be referred to from any depth.
  settle_ancestors(node);
  std::int32_t saved_depth = state.active_depth;
  if (saved_depth == 0) state.active_depth = depth_;
  run_tasks(state, false);
  state.active_depth = saved_depth;
  // What a reference leads to may be alternatives, of which who asks for the choice is taken to add none.
  if (!state.disjunctions.empty() && !state.ancestors_done && state.open_tasks == 0 && state.running_tasks == 0) {
    settle_ancestors(node);
    if (saved_depth == 0) state.active_depth = depth_;
    if (state.ancestors_done) run_tasks(state, false);
    state.active_depth = saved_depth;
  }
  current_ = saved_node;
  --nesting_;
}

Node* Evaluator::settled_struct(Node* node) {
  for (Node* next = value_node(node); next != nullptr; next = value_node(node) == node ? nullptr : value_node(node)) {
    node = next;
    settle(node);
  }
  if (node->base == BaseKind::structure) return node;
  // Only what is a struct for sure, with nothing left to do, shows all of its fields before it is evaluated.
  const State* state = node->state;
  bool is_settled = node->base == BaseKind::unknown && state != nullptr && state->has_struct && state->open_tasks == 0 &&
                    state->disjunctions.empty() && state->errors == nullptr;
  return is_settled ? node : nullptr;
}

void Evaluator::run_tasks(State& state, bool final) {
  for (;;) {
    bool changed = false;
    std::uint32_t& first = state.first_open_task;
    while (first < state.tasks.size() && state.tasks[first].state == TaskState::done) ++first;
    for (std::uint32_t i = first; i < state.tasks.size(); ++i) {
      const Task& task = state.tasks[i];
      if (task.state == TaskState::done || task.state == TaskState::running) continue;
      if (task.state == TaskState::blocked && task.attempt == progress_) continue;
      if (task.kind == TaskKind::comprehension && state.running_comprehensions > 0) continue;
      run_task(state, i);
      if (state.tasks[i].state == TaskState::done) changed = true;
    }
    if (state.node->is_shared) return;
    if (!changed) break;
  }
  // A disjunction is resolved when everything else is there, and not from within one of
  // the node's own conjuncts.
  if (!state.disjunctions.empty() && !state.disjunctions_running && state.running_tasks == 0) {
    bool only_choice_is_left = state.open_tasks == 0 || std::ranges::all_of(state.tasks, [](const Task& task) {
                                 return task.state == TaskState::done || waits_for_choice(task);
                               });
    if (final || (only_choice_is_left && state.ancestors_done)) process_disjunctions(state);
  }
}

namespace {
bool speaks_of(const Error* error, const Node* node) {
  return error->node == node || std::ranges::any_of(error->parts, [&](const Error* part) { return part->node == node; });
}
}  // namespace

void Evaluator::run_task(State& state, std::uint32_t index) {
  if (exhausted_) {
    state.tasks[index].state = TaskState::done;
    --state.open_tasks;
    return;
  }
  Task& task = state.tasks[index];
  task.state = TaskState::running;
  ++state.running_tasks;
  TaskKind kind = task.kind;
  if (kind == TaskKind::comprehension) task.attempt = ++state.running_comprehensions;
  Node* saved_node = std::exchange(current_, state.node);
  Provenance saved = std::exchange(provenance_, task.provenance);
  Position saved_source = std::exchange(source_, task.expression != nullptr ? task.expression->position : Position{});
  // How deep who asks for a field wants to know an operand is nothing to what the field is made of.
  bool is_own = !state.node->is_dynamic && !state.node->not_rooted;
  int saved_validator = std::exchange(in_validator_, is_own ? 0 : in_validator_);
  const Error* error = nullptr;
  bool is_too_deep = nested_too_deep();
  ++nesting_;
  if (is_too_deep) {
    error = too_deep();
  } else {
    switch (kind) {
      case TaskKind::resolve: error = run_resolve(state, index); break;
      case TaskKind::evaluate: error = run_evaluate(state, index); break;
      case TaskKind::dynamic_field: error = run_dynamic_field(state, index); break;
      case TaskKind::pattern: error = run_pattern(state, index); break;
      case TaskKind::comprehension: error = run_comprehension(state, index); break;
      case TaskKind::list: error = run_list(state, index); break;
      case TaskKind::list_node: error = run_list_node(state, index); break;
    }
  }
  --nesting_;
  in_validator_ = saved_validator;
  source_ = saved_source;
  provenance_ = saved;
  current_ = saved_node;
  --state.running_tasks;
  if (kind == TaskKind::comprehension) --state.running_comprehensions;
  Task& after = state.tasks[index];
  if (error != nullptr && error->is_incomplete()) {
    after.state = TaskState::blocked;
    // What it failed of first says most: later it may be what others made of that. But where it lacked a value of its own to
    // go on with, and another turned out to have none for good, that one says why.
    bool is_others = error->code == ErrorCode::incomplete && error->node != nullptr && error->node->status == Status::finalized &&
                     !speaks_of(error, state.node);
    bool gives_way = after.error == nullptr || after.error->code == ErrorCode::cycle ||
                     (is_others && speaks_of(after.error, state.node));
    if (gives_way) after.error = error;
    after.attempt = progress_;
    return;
  }
  after.state = TaskState::done;
  --state.open_tasks;
  after.error = nullptr;
  ++progress_;
  state.concluded = false;
  if (error != nullptr) add_error(state, error);
}

const Error* Evaluator::run_resolve(State& state, std::uint32_t index) {
  Task task = state.tasks[index];
  const Error* error = nullptr;
  Node* target = resolve(task.expression, task.scope, &error);
  if (target == nullptr || error != nullptr) return error;
  if (const Error* waiting = awaited_around(target)) return waiting;
  Provenance provenance = provenance_;
  if (target->opened_shared || task.provenance.opened) provenance.opened = true;
  if (task.provenance.conjunction_opened) provenance.conjunction_opened = true;
  target = shared_node(target);
  if (is_alternative_of(state.node, target, provenance.steps)) {
    unshare(state);
    return nullptr;
  }
  Node* disjunct = disjunct_node(target);
  if (detect_cycle(state, disjunct, task.scope, task.expression, provenance)) {
    unshare(state);
    return nullptr;
  }
  if (disjunct->base == BaseKind::error && disjunct->error->code == ErrorCode::structural_cycle) {
    // One field that has it from below passes it on, as it is.
    int failed = 0;
    for (Node* arc : disjunct->arcs) failed += value_node(arc)->base == BaseKind::error;
    const Error* below = disjunct->child_errors;
    if (below != nullptr && below->code == ErrorCode::structural_cycle && failed == 1) return below;
    Error* whole = copy_error(below != nullptr && below->code == ErrorCode::structural_cycle ? *below : *disjunct->error);
    whole->is_child_error = false;
    return whole;
  }
  Conjunct conjunct;
  conjunct.expression = task.expression;
  conjunct.scope = task.scope;
  conjunct.provenance = provenance;
  schedule_target(state, conjunct, target, provenance);
  return nullptr;
}

// What close({...}) adds to a node that is a struct anyway: the literal, closed. To find out first that it is a struct, too, would
// be to evaluate it twice, here and as part of the node.
Node* Evaluator::closed_literal(const State& state, const Task& task) {
  if (!state.is_struct || task.expression->kind != ExpressionKind::call) return nullptr;
  const auto* call = static_cast<const compile::Call*>(task.expression);
  if (call->function->kind != ExpressionKind::builtin || call->arguments.size() != 1) return nullptr;
  const Expression* argument = call->arguments.front();
  if (argument->kind != ExpressionKind::structure || !builtin_of(call->function).closes_argument) return nullptr;
  Provenance provenance;
  provenance.steps = provenance_.steps;
  Node* node = make_inline(nullptr, argument, task.scope, provenance);
  node->closed_once = true;
  return node;
}

const Error* Evaluator::run_evaluate(State& state, std::uint32_t index) {
  Task task = state.tasks[index];
  Node* closed = closed_literal(state, task);
  Value value = closed != nullptr ? Value::of_node(closed) : evaluate(task.expression, task.scope);
  if (value.is_error() && value.error->is_incomplete()) return value.error;
  Provenance provenance = task.provenance;
  if (provenance_.cycle == CycleKind::cyclic) {
    provenance.cycle = provenance_.cycle;
    provenance.steps = provenance_.steps;
  }
  if (value.is_node() && value.node->is_dynamic && value.node->conjuncts.size() == 1) {
    // What or() and and() give becomes part of this node, not of a node beside it.
    const Conjunct& only = value.node->conjuncts[0];
    ValueKind kind = only.expression == nullptr && only.node == nullptr ? only.value.kind : ValueKind::none;
    if (kind == ValueKind::disjunction || kind == ValueKind::conjunction) value = only.value;
  }
  insert_value(state, value, task.scope, provenance);
  return nullptr;
}

const Error* Evaluator::run_dynamic_field(State& state, std::uint32_t index) {
  Task task = state.tasks[index];
  const auto* field = static_cast<const compile::DynamicField*>(task.expression);
  Value key = evaluate_value(field->label, task.scope);
  if (key.is_error() && key.error->code == ErrorCode::cycle) {
    return make_error(ErrorCode::incomplete, field->label->position, "key value of dynamic field not yet known");
  }
  if (key.is_error() && key.error->code != ErrorCode::incomplete) return key.error;
  if (key.is_error() || !key.exists() || !is_concrete(key)) {
    const Error* unknown = make_error(ErrorCode::incomplete, field->label->position,
                                      "key value of dynamic field must be concrete, found {}", {key});
    return combine(unknown, key.is_error() ? key.error : nullptr);
  }
  const Error* error = nullptr;
  Label label = value_label(field->label, key, &error);
  if (error != nullptr) return error;
  if (const Node* known = find_arc(state.node, label); known != nullptr && known->status == Status::finalized) {
    return make_error(ErrorCode::evaluation, field->label->position, "dynamic field {} depends on itself", {label});
  }
  if (label.is_integer()) return make_error(ErrorCode::evaluation, field->label->position, "integer fields not supported");
  Scope* scope = task.scope;
  if (field->label_scope) {
    scope = make_scope(task.scope, nullptr);
    scope->label = label;
  }
  ArcKind arc = field->field_kind == compile::FieldKind::member     ? ArcKind::member
                : field->field_kind == compile::FieldKind::required ? ArcKind::required
                                                                    : ArcKind::optional;
  Insertion insertion{.kind = Insertion::Kind::field};
  insertion.label = label;
  insertion.arc = arc;
  insertion.expression = field;
  insertion.scope = task.scope;
  insertion.provenance = task.provenance;
  push_insertion(state, insertion);
  Conjunct conjunct;
  conjunct.expression = field;
  conjunct.scope = scope;
  conjunct.provenance = task.provenance;
  Node* node = insert_arc(state, label, arc, conjunct);
  if (field->label_scope) stand_for(scope, node);
  return nullptr;
}

const Error* Evaluator::run_pattern(State& state, std::uint32_t index) {
  Task task = state.tasks[index];
  const auto* declaration = static_cast<const compile::Pattern*>(task.expression);
  // The pattern keeps its alternatives: no default is taken.
  Value pattern = evaluate(declaration->pattern, task.scope);
  if (pattern.is_error() && declaration->pattern->kind == ExpressionKind::unify && !pattern.error->is_incomplete()) {
    // Several bounds are known to be wrong when it is asked what they are for.
    Error* error = copy_error(*pattern.error);
    error->position = declaration->value->position;
    error->positions = {};
    error->node = state.node;
    return error;
  }
  if (pattern.is_error() && std::string_view(pattern.error->format) == kOwnChoice) {
    // Whichever of its alternatives it will be, what is no text names no field.
    KindSet possible = static_kinds_of_node(pattern.error->arguments.front().value.node, 0);
    if ((possible & kinds::string) == 0) return nullptr;
  }
  if (pattern.is_error()) return pattern.error;
  if (pattern.is_node()) {
    finalize(pattern.node);
    Node* node = value_node(pattern.node);
    if (node->base == BaseKind::error && !node->error->is_incomplete()) return node->error;
  }
  insert_pattern(state, {pattern, declaration, declaration->value, task.scope, task.provenance});
  return nullptr;
}

const Error* Evaluator::run_comprehension(State& state, std::uint32_t index) {
  Task task = state.tasks[index];
  const auto& comprehension = *static_cast<const compile::Comprehension*>(task.expression);
  std::vector<Scope*> scopes;
  const Error* error = run_clauses(comprehension, 0, task.scope, scopes);
  if (error != nullptr) return error;
  Conjunct conjunct;
  conjunct.provenance = task.provenance;
  if (scopes.empty() && comprehension.fallback != nullptr) {
    conjunct.expression = comprehension.fallback;
    conjunct.scope = task.scope;
    schedule(state, conjunct, task.provenance);
    return nullptr;
  }
  for (Scope* scope : scopes) {
    // Clauses that bind something make a scope for each time round.
    if (!spend()) return exhausted_error();
    mark_non_cyclic(state, task.provenance);
    unshare(state);
    schedule_struct(state, comprehension.body, scope, task.provenance, scope != task.scope);
  }
  return nullptr;
}

// --- values of nodes --------------------------------------------------------------------------

// What is left of a node that has no concrete value: its bounds, validators and kinds.
Value Evaluator::constraint_value(State& state) {
  std::vector<Value> parts;
  KindSet kind_set = kinds::top;
  auto bound_part = [&](const BoundValue* bound) {
    Value value;
    value.kind = ValueKind::bound;
    value.bound = bound;
    value.position = bound->position;
    parts.push_back(value);
    kind_set &= kinds_of(value);
  };
  if (state.lower != nullptr) bound_part(state.lower);
  if (state.upper != nullptr) bound_part(state.upper);
  for (const Check& check : state.checks) {
    parts.push_back(check.value);
    kind_set &= kinds_of(check.value);
  }
  Position position = state.kind_expression != nullptr ? state.kind_expression->position : state.kind_source.position;
  if (kind_set & ~state.kind_set) parts.push_back(Value::type(state.kind_set, position));
  if (parts.empty()) return Value::type(state.kind_set, state.kind_set & kinds::composite ? Position{} : position);
  if (parts.size() == 1) return parts.front();
  Value value;
  value.kind = ValueKind::conjunction;
  value.list = arena_.make<ValueList>(std::span<const Value>(arena_.copy(parts)));
  value.position = parts.front().position;
  return value;
}

void Evaluator::set_base_error(Node* node, const Error* error) {
  node->base = BaseKind::error;
  node->error = error;
}

void Evaluator::add_child_error(State& state, const Error* error) {
  Node* node = state.node;
  node->child_errors = combine(node->child_errors, error);
  if (error->is_incomplete()) return;
  if (node->base != BaseKind::error || node->error->from_close_check) {
    Error* wrapped = copy_error(*error);
    wrapped->is_child_error = true;
    set_base_error(node, wrapped);
    return;
  }
  if (node->error->code > error->code) {
    Error* worse = copy_error(*node->error);
    worse->code = error->code;
    node->error = worse;
  }
}

// Makes the node's own value of what its conjuncts gave.
void Evaluator::conclude(State& state) {
  Node* node = state.node;
  if (state.concluded || node->status == Status::finalized) return;
  if (node->base == BaseKind::forward || node->base == BaseKind::disjunction) return;
  state.concluded = true;
  Node* saved = std::exchange(current_, node);
  if (state.scalar.exists() && node->base != BaseKind::error) {
    node->base = BaseKind::value;
    node->value = state.scalar;
  }
  bool mark_struct = state.is_struct;
  if (!mark_struct && state.has_struct) {
    mark_struct = (state.kind_set & kinds::structure) != 0 && (!state.has_top || std::ranges::any_of(state.tasks, may_make_named_field));
    for (Node* arc : node->arcs) {
      if (arc->label.is_regular() && arc->arc <= ArcKind::required) mark_struct = true;
    }
  }
  if (node->base == BaseKind::value && !state.scalar.exists()) node->base = BaseKind::unknown;  // as concluded before
  if (node->base == BaseKind::unknown && mark_struct) node->base = BaseKind::structure;
  bool concrete = node->base == BaseKind::structure || node->base == BaseKind::list || state.scalar.exists();
  if (concrete) {
    for (const BoundValue* bound : {state.lower, state.upper}) {
      if (bound == nullptr || node->base == BaseKind::error) continue;
      Value check;
      check.kind = ValueKind::bound;
      check.bound = bound;
      Value subject = node->base == BaseKind::value ? node->value : Value::of_node(node);
      if (const Error* error = validate_check(check, subject)) {
        std::vector<Position> positions{bound->position};
        append_value_positions(positions, subject);
        add_error(state, with_positions(error, positions));
      }
    }
  } else if (node->base == BaseKind::unknown) {
    if (state.lower != nullptr && state.upper != nullptr) {
      // That it is to be an integer may be known later than the bounds.
      BoundsResult result = simplify_bounds(*this, state.kind_set, *state.lower, *state.upper);
      if (result.error != nullptr) add_error(state, result.error);
    }
    if (state.kind_set != kinds::bottom) {
      node->base = BaseKind::value;
      node->value = constraint_value(state);
    }
  }
  if (is_permanent(state.errors)) set_base_error(node, node->base == BaseKind::error ? combine(node->error, state.errors) : state.errors);
  current_ = saved;
}

void Evaluator::run_checks(State& state) {
  Node* node = state.node;
  if (state.checks.empty() || node->base == BaseKind::error) return;
  bool concrete = node->base == BaseKind::structure || node->base == BaseKind::list ||
                  (node->base == BaseKind::value && state.scalar.exists());
  if (!concrete) return;
  ArenaVector<Check> checks = state.checks;
  state.checks = {};
  Value subject = node->base == BaseKind::value ? node->value : Value::of_node(node);
  for (const Check& check : checks) {
    Provenance saved = std::exchange(provenance_, check.provenance);
    if (const Error* error = validate_check(check.value, subject)) {
      std::vector<Position> positions;
      append_value_positions(positions, Value::of_node(node));
      if (error->parts.empty() || error->is_disjunction) {
        add_error(state, with_positions(error, positions));
      } else {
        // The first is that of the validator, the others are of what it compared with.
        add_error(state, with_positions(error->parts.front(), positions));
        for (const Error* part : error->parts.subspan(1)) add_error(state, part);
      }
    }
    provenance_ = saved;
  }
  state.checks = checks;
}

// A condition that asked whether a value is an error must still find the same answer
// when all is known.
void Evaluator::run_post_checks(State& state) {
  for (std::uint32_t i = 0; i < state.post_checks.size(); ++i) {
    PostCheck check = state.post_checks[i];
    Value value = unwrap(evaluate(check.expression, check.scope));  // alternatives without a default are there as well
    bool is_error = !value.exists() || value.is_error();
    if (is_error == check.expect_error) continue;
    add_error(state, make_error(ErrorCode::cycle, check.expression->position,
                                "circular dependency in evaluation of conditionals: {} changed after evaluation",
                                {check.expression}));
  }
}

void Evaluator::finalize_arcs(State& state) {
  Node* node = state.node;
  ++depth_;
  // Where nothing is left to be said of the fields.
  bool is_done = state.open_tasks == 0 && !state.closing_deferred &&
                 (node->base == BaseKind::structure || node->base == BaseKind::list);
  for (std::uint32_t i = 0; i < node->arcs.size(); ++i) {
    Node* arc = node->arcs[i];
    if (arc->arc == ArcKind::absent) continue;
    bool is_untouched = is_done && arc->state == nullptr && arc->status == Status::fresh;
    if (is_untouched && spend() && evaluate_plainly(arc)) continue;
    finalize(arc);
    if (arc->arc <= ArcKind::required && arc->label.is_string() && !(state.kind_set & kinds::structure) &&
        node->base != BaseKind::error && value_node(arc)->base != BaseKind::error) {
      std::vector<Position> positions;
      append_value_positions(positions, Value::of_node(arc));
      Value subject = node->base == BaseKind::value ? node->value : Value::of_node(node);
      add_error(state, make_error(ErrorCode::evaluation, positions.empty() ? Position{} : positions.front(),
                                  "cannot combine regular field {} with {}", {Argument::quoted(arc->label), subject}));
    }
    if (state.may_give_up && arc->arc <= ArcKind::required && value_node(arc)->base == BaseKind::error &&
        is_permanent(value_node(arc)->error)) {
      state.gave_up = true;
      add_child_error(state, value_node(arc)->error);
      --depth_;
      return;
    }
  }
  --depth_;
  if (!state.closing_deferred) {
    for (Node* arc : node->arcs) check_deferred(arc);
  }
  for (Node* arc : node->arcs) {
    if (arc->arc > ArcKind::required) continue;
    Node* target = value_node(arc);
    if (target->base == BaseKind::error) add_child_error(state, target->error);
  }
}

// Looks after fields that were finalized before it was known what they may hold.
void Evaluator::check_deferred(Node* arc) {
  Node* node = disjunct_node(arc);
  if (node->status != Status::finalized || node->state == nullptr || !node->state->closing_deferred) return;
  State& state = *node->state;
  state.closing_deferred = false;
  if (node->base == BaseKind::forward) return;
  if (node->base == BaseKind::disjunction) {
    for (Node* disjunct : node->disjuncts) check_deferred(disjunct);
    return;
  }
  for (Node* child : node->arcs) {
    check_deferred(child);
    Node* target = value_node(child);
    if (child->arc <= ArcKind::required && target->base == BaseKind::error && target->error->from_close_check) {
      add_child_error(state, target->error);
    }
  }
  state.requirements_computed = false;
  state.closing = Closing::unknown;
  check_closedness(state);
}

void Evaluator::finalize_forward(Node* node) {
  Node* target = node->forward;
  State* state = node->state;
  if (node->is_shared && state != nullptr) {
    for (const Provenance& provenance : state->shared_provenances) update_evidence(*state, provenance, 0);
    for (const AbsorbedReference& other : state->absorbed) update_evidence(*state, other.provenance, 0);
    if (state->shared_cycle == CycleKind::none && has_depth_cycle(value_node(target))) {
      node->is_shared = false;
      node->base = BaseKind::unknown;
      report_cycle(*state);
      set_base_error(node, state->errors);
      node->status = Status::finalized;
      return;
    }
    if (has_ancestor(*state, value_node(target))) {
      node->is_shared = false;
      node->base = BaseKind::unknown;
      report_cycle(*state);
      set_base_error(node, state->errors);
      node->status = Status::finalized;
      return;
    }
  }
  if (!target->is_checked) finalize(target);
  if (target->closed_recursively) node->closed_recursively = true;
  if (target->has_ellipsis) node->has_ellipsis = true;
  node->child_errors = nullptr;
  node->status = Status::finalized;
}

namespace {
bool is_only_frozen(const Node* node) {
  if (node->conjuncts.size() != 1 || (node->state != nullptr && node->state->initialized)) return false;
  const Conjunct& only = node->conjuncts[0];
  return only.expression == nullptr && only.node != nullptr && only.node->is_frozen && only.node->base != BaseKind::value;
}
}  // namespace

void Evaluator::finalize_now(Node* node) {
  if (exhausted_) return;
  if (nested_too_deep()) {
    set_base_error(node, too_deep());
    node->status = Status::finalized;
    return;
  }
  Worlds::Evaluating evaluating(worlds_);
  if (is_only_frozen(node)) {
    // Taken as it is rather than made again, unless what is around the node has something to say of it, too.
    State& early = bare_state(node);
    settle_ancestors(node);
    Conjunct only = node->conjuncts[0];
    if (early.ancestors_done && is_only_frozen(node) && share_if_possible(early, only, only.node, only.provenance)) {
      if (only.provenance.from_definition) node->closed_recursively = true;
      early.initialized = true;
    }
  }
  initialize(node);
  State& state = *node->state;
  if (state.finalizing) return;
  state.finalizing = true;
  ++nesting_;
  ++finalize_frames_;
  Node* saved_node = std::exchange(current_, node);
  Provenance saved_provenance = provenance_;
  // What is wrong with a value that has no place of its own is wrong where it is used.
  Position saved_source = source_;
  if (!node->is_dynamic) source_ = call_;
  provenance_ = {};
  node->status = Status::active;
  std::int32_t saved_depth = state.active_depth;
  state.active_depth = depth_;

  auto leave = [&] {
    state.active_depth = saved_depth;
    provenance_ = saved_provenance;
    source_ = saved_source;
    current_ = saved_node;
    --nesting_;
    --finalize_frames_;
    state.finalizing = false;
  };

  settle_ancestors(node);
  // Asked for early, by a condition say, while ancestors still have something to add: which
  // fields are allowed is not known before they are done.
  state.closing_deferred = !state.ancestors_done || (node->parent != nullptr && node->parent->state != nullptr &&
                                                     node->parent->status != Status::finalized &&
                                                     node->parent->state->closing_deferred && !node->is_dynamic);
  state.ancestors_done = true;
  run_tasks(state, true);
  if (node->is_shared &&
      (is_permanent(state.errors) ||
       std::ranges::any_of(state.tasks, [](const Task& task) { return task.state == TaskState::blocked; }))) {
    // It is more than the value that it shares.
    unshare(state);
    run_tasks(state, true);
  }
  if (node->base != BaseKind::forward && node->base != BaseKind::disjunction) {
    for (const Task& task : state.tasks) {
      if (waits(task) && !is_idle_question(task)) state.errors = combine(state.errors, task.error);
    }
  }
  if (node->base == BaseKind::forward) {
    leave();
    state.active_depth = 0;
    finalize_forward(node);
    return;
  }
  if (node->base == BaseKind::disjunction) {
    if (state.is_definition && !(state.has_top && !state.has_struct)) node->closed_recursively = true;
    node->status = Status::finalized;
    leave();
    return;
  }
  conclude(state);
  state.cyclic_conjuncts.clear();
  if (only_cyclic_conjuncts(state)) {
    report_cycle(state);
  } else if (state.kind_set != kinds::bottom) {
    finalize_arcs(state);
  }
  run_checks(state);
  run_post_checks(state);
  if (state.errors != nullptr) {
    const Error* error = state.errors;
    if (node->base == BaseKind::error) error = combine(node->error, error);
    set_base_error(node, error);
  }
  if (state.is_definition && !(state.has_top && !state.has_struct)) node->closed_recursively = true;
  if (!state.closing_deferred) {
    check_closedness(state);
    release_states(node);
  }
  if (!state.decided.empty() && node->base == BaseKind::error && !node->error->is_incomplete()) tell_ruled_out(state);
  if (exhausted_) set_base_error(node, exhausted_error());
  node->status = Status::finalized;
  ++progress_;
  leave();
}

}  // namespace opm::cue::eval
