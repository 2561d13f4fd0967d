// References: from names to nodes, and from nodes to the values that expressions use.
#include <algorithm>

#include "cue/eval/evaluator.h"
#include "cue/eval/missing_part.h"

namespace opm::cue::eval {

using compile::ExpressionKind;

namespace {

constexpr std::string_view kCycleWithField = "cycle with field: {}";

Scope* scope_up(Scope* scope, std::uint32_t up) {
  for (; up > 0 && scope != nullptr; --up) scope = scope->up;
  return scope;
}

bool is_reference(const Expression* expression) {
  switch (expression->kind) {
    case ExpressionKind::field_reference:
    case ExpressionKind::value_reference:
    case ExpressionKind::dynamic_reference:
    case ExpressionKind::let_reference:
    case ExpressionKind::import_reference:
    case ExpressionKind::selector:
    case ExpressionKind::index:
      return true;
    case ExpressionKind::clause_reference:
      return static_cast<const compile::ClauseReference*>(expression)->variable == compile::ClauseVariable::value;
    default:
      return false;
  }
}

// An element of a list of which it is known where it stands as soon as its conditions are.
bool is_one_at_most(const Expression* element) {
  if (element->kind == ExpressionKind::ellipsis) return false;
  if (element->kind != ExpressionKind::comprehension) return true;
  const auto& comprehension = *static_cast<const compile::Comprehension*>(element);
  return comprehension.fallback == nullptr && std::ranges::all_of(comprehension.clauses, [](const compile::Clause& clause) {
    return clause.kind == compile::ClauseKind::if_;
  });
}

// No alternative is left because of a circle. Who asks and is part of it tells how he enters it and where it closes, not what
// became of the alternatives; null where he is not.
const Error* own_part_of_cycle(Evaluator& evaluator, const Error* empty) {
  std::vector<const Error*> leaves{empty};
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    leaves.insert(leaves.end(), leaves[i]->parts.begin(), leaves[i]->parts.end());
  }
  const Error* own = nullptr;
  const Error* closing = nullptr;
  for (const Error* leaf : leaves) {
    if (!leaf->parts.empty()) continue;
    if (leaf->node == evaluator.current_node()) own = evaluator.combine(own, leaf);
    else if (leaf->format == kCycleWithField) closing = evaluator.combine(closing, leaf);
  }
  return own != nullptr ? evaluator.combine(own, closing) : nullptr;
}

// Whether the node is what a let stands for, or a field of that, and not evaluated further than who asked needed.
bool is_open_let(const Node* node) {
  if (node->status == Status::finalized) return false;
  while (node != nullptr && !node->is_let && !node->is_dynamic) node = node->parent;
  return node != nullptr && node->is_let;
}

}  // namespace

Node* Evaluator::let_node(Scope* scope, std::uint32_t slot) {
  std::size_t count = scope->literal != nullptr ? scope->literal->lets.size() : 1;
  if (scope->lets == nullptr) scope->lets = arena_.make_array<Node*>(count).data();
  Node*& node = scope->lets[slot];
  if (node == nullptr) {
    node = arena_.make<Node>();
    ++node_count_;
    node->is_let = true;
    node->not_rooted = true;
    Conjunct conjunct;
    if (scope->literal != nullptr) {
      node->parent = scope->node;
      if (node->parent != nullptr) node->first_own_id = node->parent->first_own_id;
      node->label = string_label(names_, scope->literal->let_names[slot]);
      conjunct.expression = scope->literal->lets[slot];
      conjunct.scope = scope;
    } else {
      conjunct.expression = scope->clause_let;
      conjunct.scope = scope->up;
    }
    node->conjuncts.push(arena_, conjunct);
    bare_state(node).ancestors_done = true;
    node->state->drop_parent_requirements = true;
    node->closed_recursively = false;
  }
  return node;
}

Node* Evaluator::package_root(std::uint32_t package) {
  // Packages that have nothing but functions share the last root, which is empty.
  std::size_t count = program_.packages->size();
  if (roots_.empty()) roots_.resize(count + 1, nullptr);
  Node*& root = roots_[std::min<std::size_t>(package, count)];
  if (root != nullptr) return root;
  root = make_root();
  if (package >= count) return root;
  const compile::Package* compiled = program_.packages->package(package);
  bool lazy = true;
  for (const compile::StructExpression* file : compiled->files) {
    Conjunct conjunct;
    conjunct.expression = file;
    root->conjuncts.push(arena_, conjunct);
    lazy = lazy && file->only_fields;
  }
  root->lazy_root = lazy;
  return root;
}

std::optional<std::uint32_t> Evaluator::package_of(const Node* root) const {
  for (std::uint32_t i = 0; i < program_.packages->size() && i < roots_.size(); ++i) {
    if (roots_[i] == root) return i;
  }
  return std::nullopt;
}

// A package's fields are made one by one when they are asked for: importing fifteen
// thousand lines of schema costs what is used of them.
Node* Evaluator::lazy_lookup(Node* node, Label label) {
  if (Node* arc = find_arc(node, label)) return arc;
  Node* arc = nullptr;
  State& state = bare_state(node);
  for (std::uint32_t i = 0; i < node->conjuncts.size(); ++i) {
    const auto* literal = static_cast<const compile::StructExpression*>(node->conjuncts[i].expression);
    const compile::Field* field = literal->find(label);
    if (field == nullptr) continue;
    Scope* inner = nullptr;
    for (const Insertion& insertion : state.insertions) {
      if (insertion.expression == literal) inner = insertion.inner;
    }
    if (inner == nullptr) {
      inner = make_scope(nullptr, node);
      inner->literal = literal;
      Insertion insertion{.kind = Insertion::Kind::structure};
      insertion.expression = literal;
      insertion.inner = inner;
      push_insertion(state, insertion);
    }
    for (; field != nullptr; field = field->next_same == 0 ? nullptr : literal->fields[field->next_same]) {
      ArcKind kind = field->field_kind == compile::FieldKind::member     ? ArcKind::member
                     : field->field_kind == compile::FieldKind::required ? ArcKind::required
                                                                         : ArcKind::optional;
      arc = get_arc(node, label, kind);
      Conjunct conjunct;
      conjunct.expression = field;
      conjunct.scope = inner;
      add_conjunct(arc, conjunct, kind);
      bare_state(arc).ancestors_done = true;
    }
  }
  return arc;
}

const compile::Field* Evaluator::find_optional(Node* node, Label label) {
  for (const Insertion& insertion : insertions_of(*node)) {
    if (insertion.kind != Insertion::Kind::structure) continue;
    if (const compile::Field* field = static_cast<const compile::StructExpression*>(insertion.expression)->find(label)) return field;
  }
  return nullptr;
}

bool Evaluator::may_still_yield(Node* node, Label label) {
  if (node->status == Status::finalized || node->state == nullptr) return false;
  State& state = *node->state;
  for (std::uint32_t i = next_candidate(state, label, 0); i < state.tasks.size(); i = next_candidate(state, label, i + 1)) {
    const Task& task = state.tasks[i];
    if (task.state != TaskState::done && may_contribute(task, std::span(&label, 1))) return true;
  }
  return !node->state->disjunctions.empty() || node->state->disjunctions_running;
}

Node* Evaluator::lookup(Node* node, Label label, Position position, const Error** error) {
  node = value_node(node);
  if (node->lazy_root) {
    Node* arc = lazy_lookup(node, label);
    if (arc != nullptr && arc->arc == ArcKind::member) return arc;
    if (arc == nullptr) {
      *error = undefined_field(node, label, position);
      return nullptr;
    }
  }
  if (node->status != Status::finalized) {
    initialize(node);
    if (node->base == BaseKind::forward) return lookup(node, label, position, error);
    State& state = *node->state;
    Node* arc = find_arc(node, label);
    bool known = arc != nullptr && arc->arc == ArcKind::member && state.disjunctions.empty();
    if (!known) {
      Node* saved = std::exchange(current_, node);
      std::int32_t saved_depth = state.active_depth;
      if (saved_depth == 0) state.active_depth = depth_;
      settle_ancestors(node);
      for (std::uint32_t i = next_candidate(state, label, 0); i < state.tasks.size() && node->base != BaseKind::forward;
           i = next_candidate(state, label, i + 1)) {
        const Task& task = state.tasks[i];
        if (task.state == TaskState::done || task.state == TaskState::running) continue;
        if (task.state == TaskState::blocked && task.attempt == progress_) continue;
        if (!may_contribute(task, std::span(&label, 1))) continue;
        if (task.kind == TaskKind::comprehension && state.running_comprehensions > 0 &&
            !(arc == nullptr || arc->arc != ArcKind::member)) {
          continue;
        }
        run_task(state, i);
      }
      if (!state.disjunctions.empty() && state.running_tasks == 0 && node->base != BaseKind::forward) run_tasks(state, false);
      state.active_depth = saved_depth;
      current_ = saved;
    }
  }
  if (node->base == BaseKind::forward) return lookup(node, label, position, error);
  // That it is one of several things, of which one is the default, may only have been found out just now.
  if (node->base == BaseKind::disjunction && node->default_count == 1) return lookup(node->disjuncts[0], label, position, error);
  Node* arc = find_arc(node, label);
  if (arc != nullptr && arc->arc == ArcKind::member) return arc;
  if (arc != nullptr && arc->arc == ArcKind::required) {
    *error = make_error(ErrorCode::incomplete, position, "required field missing: {}", {label});
    return arc;
  }
  // What is a list or a scalar has no fields, whatever else will be said of it.
  bool is_never_there = label.is_string() && node->status != Status::finalized && node->state != nullptr &&
                        (node->state->kind_set & kinds::structure) == 0;
  if (is_never_there && node->state->kind_set != kinds::bottom) {
    *error = make_error(ErrorCode::evaluation, position, "undefined field: {}", {Argument::looked_up(label, node)});
    return nullptr;
  }
  if (may_still_yield(node, label)) {
    bool running = false;
    bool waits_for_itself = false;  // what may add the field depends on whether it does
    const Error* blocked = nullptr;
    State& state = *node->state;
    for (std::uint32_t i = next_candidate(state, label, 0); i < state.tasks.size(); i = next_candidate(state, label, i + 1)) {
      const Task& task = state.tasks[i];
      if (task.state == TaskState::done || !may_contribute(task, std::span(&label, 1))) continue;
      // A reference to a field of what it stands for itself finds nothing there.
      bool is_alone = task.kind == TaskKind::resolve && node->state->tasks.size() == 1 && !node->state->has_struct;
      // Conditions that ask for a field take it that they make others of the names that they compute, and find out at the end.
      bool makes_others = task.kind == TaskKind::comprehension && makes_other_fields(task, label) &&
                          std::ranges::all_of(static_cast<const compile::Comprehension*>(task.expression)->clauses,
                                              [](const compile::Clause& clause) { return clause.kind == compile::ClauseKind::if_; });
      running = running || (task.state == TaskState::running && !is_alone && !makes_others);
      if (task.state != TaskState::blocked) continue;
      blocked = task.error;
      bool decides = task.kind == TaskKind::comprehension || in_validator_ > 0;
      waits_for_itself = waits_for_itself || (decides && blocked->code == ErrorCode::cycle &&
                                              node->state->running_comprehensions == 0);
    }
    // A condition that asks for an optional field which it adds itself takes it for absent, and
    // finds out at the end that it was wrong.
    if (running && node->state->running_comprehensions == 1 && find_optional(node, label) != nullptr) {
      *error = make_error(ErrorCode::incomplete, position, "cannot reference optional field: {}", {label});
      return nullptr;
    }
    if (running || blocked == nullptr || blocked->code == ErrorCode::cycle) {
      bool is_cycle = running || waits_for_itself;
      *error = make_error(is_cycle ? ErrorCode::cycle : ErrorCode::incomplete, position,
                          is_cycle ? "cyclic reference to field {}" : "undefined field: {}", {label});
    } else {
      *error = make_error(ErrorCode::incomplete, position, "undefined field: {}", {label});
    }
    return nullptr;
  }
  if (find_optional(node, label) != nullptr) {
    *error = make_error(ErrorCode::incomplete, position, "cannot reference optional field: {}", {label});
    return nullptr;
  }
  // The field may still come of a condition further out, which has to know the answer itself.
  auto waits_for_condition = [&] {
    if (node->status == Status::finalized || node->state == nullptr || node->state->ancestors_done) return false;
    std::vector<Label> path{label};
    for (Node* holder = node; holder->parent != nullptr && !holder->is_dynamic && !holder->is_let;) {
      path.insert(path.begin(), holder->label);
      holder = holder->parent;
      if (holder->state == nullptr || holder->status == Status::finalized) return false;
      State& state = *holder->state;
      for (std::uint32_t i = next_candidate(state, path.front(), 0); i < state.tasks.size();
           i = next_candidate(state, path.front(), i + 1)) {
        const Task& task = state.tasks[i];
        if (task.kind != TaskKind::comprehension || !may_contribute(task, path)) continue;
        // The one that was begun last is who asks, and would know.
        if (task.state == TaskState::running && task.attempt < holder->state->running_comprehensions) return true;
        if (task.state == TaskState::blocked && task.error->code == ErrorCode::cycle) return true;
      }
    }
    return false;
  };
  if (waits_for_condition()) {
    *error = make_error(ErrorCode::cycle, position, "cyclic reference to field {}", {label});
    return nullptr;
  }
  *error = undefined_field(node, label, position);
  return nullptr;
}

const Error* Evaluator::undefined_field(Node* node, Label label, Position position) {
  ErrorCode code = ErrorCode::incomplete;
  if (node->status != Status::finalized && node->state != nullptr && tasks_done(*node->state) &&
      node->state->running_tasks == 0) {
    conclude(*node->state);
  }
  // While what is around it may still add to it, nothing is ruled out.
  bool is_open = node->status != Status::finalized && node->state != nullptr && !node->state->ancestors_done;
  if (node->base == BaseKind::error) {
    code = node->error->code;
  } else if (is_open || (label.is_string() && is_open_let(node))) {
    code = ErrorCode::incomplete;
  } else if (!node->lazy_root && !accepts(node, label)) {
    code = ErrorCode::evaluation;
  }
  if (label.is_integer()) {
    std::int64_t length = 0;
    for (Node* arc : node->arcs) length += arc->label.is_integer();
    return make_error(code, position, "index out of range [{}] with length {}", {static_cast<std::int64_t>(label.index()), length});
  }
  return make_error(code, position, "undefined field: {}", {Argument::looked_up(label, node)});
}

void Evaluator::mark_skip_try() {
  for (Node* node = current_; node != nullptr; node = node->parent) {
    if (node->state != nullptr && node->state->try_skipped != nullptr) {
      *node->state->try_skipped = true;
      return;
    }
  }
}

Node* Evaluator::resolve(const Expression* reference, Scope* scope, const Error** error) {
  Node* found = nullptr;
  switch (reference->kind) {
    case ExpressionKind::field_reference: {
      const auto* field = static_cast<const compile::FieldReference*>(reference);
      Scope* target = scope_up(scope, field->up);
      found = lookup(target->node, field->label, reference->position, error);
      break;
    }
    case ExpressionKind::value_reference: {
      Scope* target = scope_up(scope, static_cast<const compile::ValueReference*>(reference)->up);
      return target->node;
    }
    case ExpressionKind::clause_reference: {
      Scope* target = scope_up(scope, static_cast<const compile::ClauseReference*>(reference)->up);
      return target->value;
    }
    case ExpressionKind::let_reference: {
      const auto* let = static_cast<const compile::LetReference*>(reference);
      return let_node(scope_up(scope, let->up), let->slot);
    }
    case ExpressionKind::import_reference:
      return package_root(static_cast<const compile::ImportReference*>(reference)->package);
    case ExpressionKind::dynamic_reference: {
      const auto* dynamic = static_cast<const compile::DynamicReference*>(reference);
      Scope* target = scope_up(scope, dynamic->up);
      Value key = evaluate_value(dynamic->label, target);
      if (key.is_error()) {
        *error = key.error;
        return nullptr;
      }
      Label label = value_label(dynamic->label, key, error);
      if (*error != nullptr) return nullptr;
      found = lookup(target->node, label, reference->position, error);
      break;
    }
    case ExpressionKind::selector: {
      const auto* selector = static_cast<const compile::Selector*>(reference);
      Node* operand = node_of(reference, selector->operand, scope, selector->label.is_regular(), error);
      if (operand == nullptr) break;
      found = lookup(operand, selector->label, selector->label_position, error);
      break;
    }
    case ExpressionKind::index: {
      const auto* index = static_cast<const compile::Index*>(reference);
      if (Node* element = written_element(*index, scope)) return element;
      Node* operand = node_of(reference, index->operand, scope, true, error);
      Value key = evaluate_value(index->index, scope);
      if (operand == nullptr) break;
      if (key.is_error()) {
        *error = key.error;
        return nullptr;
      }
      Label label = value_label(index->index, key, error);
      if (*error != nullptr) return nullptr;
      found = lookup(operand, label, index->index->position, error);
      break;
    }
    default:
      return nullptr;
  }
  if (found == nullptr && *error != nullptr && reference->optional_reference && (*error)->is_incomplete()) mark_skip_try();
  return found;
}

// An element of a list that is written out where it is asked for by its number, as in `[if c {x}, y][0]`: it is found without making
// the list, of which nobody sees more. Null where that does not tell: the list then says what is missing or wrong.
Node* Evaluator::written_element(const compile::Index& index, Scope* scope) {
  if (index.operand->kind != ExpressionKind::list || index.index->kind != ExpressionKind::number) return nullptr;
  const auto& list = *static_cast<const compile::ListExpression*>(index.operand);
  if (!std::ranges::all_of(list.elements, is_one_at_most) || nested_too_deep()) return nullptr;
  std::optional<std::int64_t> wanted = static_cast<const compile::NumberExpression*>(index.index)->value.to_int64();
  Provenance provenance;
  provenance.steps = provenance_.steps;
  if (provenance_.cycle == CycleKind::maybe) provenance.cycle = CycleKind::maybe;
  // Conditions are asked from within what they decide on.
  Node* node = make_inline(nullptr, nullptr, nullptr, provenance);
  Node* saved_node = std::exchange(current_, node);
  Provenance saved_provenance = std::exchange(provenance_, provenance);
  Position saved_source = source_;
  ++nesting_;
  Conjunct found;
  bool is_known = true;
  std::int64_t place = 0;
  std::vector<Scope*> scopes;
  for (const Expression* element : list.elements) {
    if (element->kind == ExpressionKind::comprehension) {
      const auto& comprehension = *static_cast<const compile::Comprehension*>(element);
      scopes.clear();
      is_known = run_clauses(comprehension, 0, scope, scopes) == nullptr;
      if (!is_known) break;
      if (scopes.empty()) continue;
      element = comprehension.body;
    }
    if (place++ == wanted) found.expression = element;
  }
  --nesting_;
  source_ = saved_source;
  provenance_ = saved_provenance;
  current_ = saved_node;
  if (!is_known || found.expression == nullptr) return nullptr;
  found.scope = scope;
  found.provenance = provenance;
  node->conjuncts.push(arena_, found);
  return node;
}

// The node of a possibly partially evaluated expression.
Value Evaluator::unify_node(const Expression* expression, Scope* scope) {
  if (!is_reference(expression)) return evaluate_raw(expression, scope);
  const Error* error = nullptr;
  Node* node = resolve(expression, scope, &error);
  if (error != nullptr) return Value::of_error(error);
  if (node == nullptr) return {};
  node = value_node(node);
  if (node->status != Status::finalized && !node->lazy_root) {
    initialize(node);
    if (provenance_.cycle != CycleKind::cyclic && node->base != BaseKind::forward) note_non_cycle(*node->state);
    // Literal fields alone need no evaluation to look something up in.
    node = value_node(node);
    if (node->status != Status::finalized) {
      const State* state = node->state;
      if (state == nullptr || !state->disjunctions.empty() || !state->is_struct) settle(node);
    }
  }
  node = value_node(node);
  if (node->base == BaseKind::error && !node->error->is_incomplete()) return Value::of_error(node->error);
  // What contradicts itself is nothing to look something up in, evaluated or not.
  bool is_wrong = node->status != Status::finalized && node->state != nullptr && node->state->errors != nullptr &&
                  !node->state->errors->is_incomplete();
  return is_wrong ? Value::of_error(node->state->errors) : Value::of_node(node);
}

Node* Evaluator::node_of(const Expression* whole, const Expression* operand, Scope* scope, bool scalar, const Error** error) {
  if (operand->kind == ExpressionKind::import_reference) {
    return package_root(static_cast<const compile::ImportReference*>(operand)->package);
  }
  bool saved_definition = provenance_.from_definition;
  if (!is_reference(operand)) provenance_.from_definition = false;
  // Of a list that is written out only the element that is asked for is evaluated.
  Value value = operand->kind == ExpressionKind::list ? list_of_conjuncts(operand, scope) : Value{};
  if (!value.exists()) value = unify_node(operand, scope);
  provenance_.from_definition = saved_definition;
  if (value.is_error()) {
    *error = value.error;
    return nullptr;
  }
  value = take_default(value);
  if (value.is_error()) {
    *error = value.error;
    return nullptr;
  }
  if (!value.exists()) {
    *error = make_error(ErrorCode::incomplete, operand->position, "{} undefined ({} is incomplete)", {whole, operand});
    return nullptr;
  }
  if (value.is_node()) {
    Node* node = value_node(value.node);
    bool is_open = node->status != Status::finalized && node->state != nullptr;
    if (!is_reference(operand)) {
      // What is written out here is nothing to select from before all of it is there.
      if (const Error* waiting = awaited_by(*node)) {
        *error = waiting;
        return nullptr;
      }
    }
    // It was concluded before more became known of it.
    if (is_open && node->base == BaseKind::value && !node->state->concluded && !node->state->scalar.exists()) {
      node->base = BaseKind::unknown;
    }
    if (node->base == BaseKind::value && scalar) {
      value = node->value;
    } else if (node->base == BaseKind::error) {
      // Fields of a struct with an incomplete error elsewhere can still be looked up.
      if (!node->error->is_incomplete() || !(node->state != nullptr && node->state->has_struct)) {
        *error = node->error;
        return nullptr;
      }
      return node;
    } else if (node->base == BaseKind::unknown && node->state != nullptr && scalar) {
      State& state = *node->state;
      if (state.is_struct || !node->arcs.empty() || state.has_struct) return node;
      if (state.scalar.exists()) {
        value = state.scalar;
      } else if (settled(node) && state.running_tasks == 0) {
        conclude(state);
        if (node->base == BaseKind::value) value = node->value;
        else return node;
      } else {
        return node;
      }
    } else {
      return node;
    }
  }
  if (value.is_error()) {
    *error = value.error;
    return nullptr;
  }
  KindSet kind_set = kinds_of(value);
  if (kind_set & kinds::structure) {
    *error = make_error(ErrorCode::incomplete, operand->position, "{} undefined as {} is incomplete (type {})",
                        {whole, operand, Argument::of_kinds(kind_set)});
  } else {
    *error = make_error(ErrorCode::evaluation, operand->position, "invalid operand {} (found {}, want list or struct)",
                        {operand, Argument::of_kinds(kind_set)});
  }
  return nullptr;
}

// Where the parts were written of what a reference leads to.
std::vector<Position> Evaluator::operand_positions(const Expression* operand, Scope* scope) {
  std::vector<Position> positions;
  if (!is_reference(operand)) return positions;
  const Error* error = nullptr;
  Node* node = resolve(operand, scope, &error);
  if (node == nullptr) return positions;
  append_value_positions(positions, Value::of_node(value_node(node)));
  // A comprehension that waits, perhaps for this very value, may be what would give it.
  const State* around = node->parent != nullptr ? node->parent->state : nullptr;
  if (around == nullptr) return positions;
  for (const Task& task : around->tasks) {
    if (task.kind != TaskKind::comprehension || task.state == TaskState::done) continue;
    const compile::StructExpression* body = static_cast<const compile::Comprehension*>(task.expression)->body;
    bool gives_it = std::ranges::any_of(body->fields, [&](const compile::Field* field) {
      return field->label == node->label && field->field_kind == compile::FieldKind::member;
    });
    if (gives_it) positions.push_back(task.expression->position);
  }
  return positions;
}

// --- values of nodes in expressions ------------------------------------------------------------

Value Evaluator::evaluate_reference(const Expression* reference, Scope* scope, bool scalar_suffices) {
  const Error* error = nullptr;
  Node* target = resolve(reference, scope, &error);
  if (error != nullptr) return Value::of_error(error);
  if (target == nullptr) return {};
  if (const Error* waiting = awaited_around(target)) return Value::of_error(waiting);
  Node* node = value_node(target);
  // The value of a node that is still trying its alternatives is none of them.
  if (node->is_disjunct && node->status != Status::finalized) {
    for (Node* holder = target; holder->base == BaseKind::forward; holder = holder->forward) {
      if (holder->state == nullptr || !holder->state->disjunctions_running) continue;
      if (scalar_suffices && holder->state->scalar.exists()) return holder->state->scalar;
      Argument asked(reference);
      asked.value = Value::of_node(holder);
      return error_value(ErrorCode::cycle, reference->position, kOwnChoice, {asked});
    }
  }
  if (node->status != Status::finalized && !node->lazy_root) {
    initialize(node);
    if (node->base != BaseKind::forward) detect_cycle(*node->state, node, nullptr, reference, provenance_);
  }
  Value value = node_value(target);
  if (value.is_error() && value.error->code == ErrorCode::cycle && value_node(target)->status != Status::finalized) {
    // Each field of a cycle tells where it enters it.
    for (const Error* part : value.error->parts) {
      if (part->node == current_ && part->position == reference->position) return value;
    }
    const Error* enters = make_error(ErrorCode::cycle, reference->position, kCycleWithField.data(), {reference});
    return Value::of_error(value.error->is_in_progress ? enters : combine(value.error, enters));
  }
  if (value.is_error() && value.error->is_disjunction && value.error->code == ErrorCode::cycle) {
    if (const Error* own = own_part_of_cycle(*this, value.error)) return Value::of_error(own);
  }
  if (value.is_error() && value.error->is_disjunction && target->not_rooted && !value.error->position.valid()) {
    // That no alternative is left has no place of its own, and what is written out in an expression none that could be named.
    Error* located = copy_error(*value.error);
    located->position = reference->position;
    return Value::of_error(located);
  }
  return value;
}

// What a condition waits for that would say more of a field which is a scalar already; or null.
const Error* Evaluator::awaited_around(Node* target) {
  const Node* holder = target->parent;
  if (holder == nullptr || holder->state == nullptr || holder->state->open_tasks == 0) return nullptr;
  State& state = *holder->state;
  Label label = target->label;
  for (std::uint32_t i = next_candidate(state, label, 0); i < state.tasks.size(); i = next_candidate(state, label, i + 1)) {
    if (state.tasks[i].state == TaskState::done || !names_field(state.tasks[i], label)) continue;
    if (!scalar_at_a_glance(target).exists()) return nullptr;
    settle_ancestors(target);
    const Task& task = state.tasks[i];
    if (waits(task) && task.error->code == ErrorCode::incomplete) return task.error;
  }
  return nullptr;
}

// A scalar is wrong as soon as a constraint rules it out, whatever else may still be said of it.
Value Evaluator::scalar_so_far(const State& state) {
  for (const BoundValue* bound : {state.lower, state.upper}) {
    if (bound == nullptr) continue;
    Value check;
    check.kind = ValueKind::bound;
    check.bound = bound;
    if (const Error* error = validate_check(check, state.scalar)) return Value::of_error(error);
  }
  for (const Check& check : state.checks) {
    const Error* error = check.value.kind == ValueKind::bound ? validate_check(check.value, state.scalar) : nullptr;
    if (error != nullptr) return Value::of_error(error);
  }
  return state.scalar;
}

Value Evaluator::node_value(Node* node) {
  node = value_node(node);
  for (;;) {
    if (node->status == Status::finalized) break;
    initialize(node);
    if (node->base == BaseKind::forward) {
      node = value_node(node);
      continue;
    }
    State& state = *node->state;
    if (!(state.scalar.exists() && (state.finalizing || state.running_tasks > 0))) settle(node);
    if (node->base == BaseKind::forward) {
      node = value_node(node);
      continue;
    }
    if (node->base == BaseKind::disjunction) break;
    if (settled(node) && state.running_tasks == 0) {
      if (state.finalizing) {
        conclude(state);
      } else if (node->arcs.empty() && !state.is_struct && !state.has_struct) {
        // Nothing below: may as well be checked whole.
        finalize(node);
        if (node->base == BaseKind::forward) {
          node = value_node(node);
          continue;
        }
      } else {
        conclude(state);
      }
      break;
    }
    if (state.errors != nullptr && !state.errors->is_incomplete()) return Value::of_error(state.errors);
    bool active = state.finalizing || state.running_tasks > 0 || state.disjunctions_running;
    if (state.scalar.exists()) {
      const Error* lacking = active ? nullptr : missing_part_of(state);
      return lacking != nullptr ? Value::of_error(lacking) : scalar_so_far(state);
    }
    if (state.is_struct || node->base == BaseKind::list) return Value::of_node(node);
    if (state.has_struct && (!node->arcs.empty() || has_all_fields(state))) return Value::of_node(node);
    const Error* blocked = nullptr;
    bool waits_for_elements = false;  // a list that has some, but it is not known which
    for (const Task& task : state.tasks) {
      if (task.state != TaskState::blocked || task.error == nullptr) continue;
      blocked = combine(blocked, task.error);
      waits_for_elements = waits_for_elements || task.kind == TaskKind::list;
    }
    // Conjuncts that wait for who asks can't rule out alternatives now: the default is what they are tried with. Unless
    // who asks has a default as well: it can't be known which of the two gives way.
    bool asker_decides = current_ != nullptr && !current_->is_disjunct && current_->state != nullptr &&
                         !current_->state->has_disjunction;
    bool waits_for_asker = blocked != nullptr && blocked->code == ErrorCode::cycle;
    bool waits_for_ancestors = blocked == nullptr && state.open_tasks == 0 && !state.ancestors_done;
    if (!active && asker_decides && (waits_for_asker || waits_for_ancestors) && !state.disjunctions.empty() && !state.has_struct) {
      Node* alone = clone_for_disjunct(state);
      scope_tables_.pop_back();
      alone->state->tasks.clear();
      alone->state->task_index = nullptr;
      alone->state->first_open_task = 0;
      alone->state->open_tasks = 0;
      finalize(alone);
      Node* chosen = value_node(alone);
      bool is_known = chosen->base == BaseKind::disjunction && (chosen->default_count == 1 || waits_for_ancestors);
      bool is_only = waits_for_ancestors && chosen->base != BaseKind::error && is_concrete(Value::of_node(chosen));
      if (is_known || is_only) return Value::of_node(chosen);
    }
    if (!active && waits_for_elements) return Value::of_error(blocked);
    if (state.has_field_value && state.kind_set != kinds::top && !state.has_disjunction) return constraint_value(state);
    if (!active && blocked != nullptr) return Value::of_error(blocked);
    Error* in_progress = copy_error(*make_error(ErrorCode::cycle, {}, "cycle error"));
    in_progress->is_in_progress = true;
    return Value::of_error(in_progress);
  }
  switch (node->base) {
    case BaseKind::value: return node->value;
    case BaseKind::error: return Value::of_error(node->error);
    default: return Value::of_node(node);
  }
}

Value Evaluator::take_default(const Value& value) {
  if (value.kind == ValueKind::disjunction) {
    return error_value(ErrorCode::incomplete, here(), "unresolved disjunction {} (type {})", {Argument::silent(value), Argument::of_kinds(kinds_of(value))});
  }
  if (!value.is_node()) return value;
  Node* node = value_node(value.node);
  if (node->base != BaseKind::disjunction) return Value::of_node(node);
  if (node->default_count != 1) {
    return error_value(ErrorCode::incomplete, here(), "unresolved disjunction {} (type {})",
                       {Argument::silent(Value::of_node(node)), Argument::of_kinds(kinds_of(Value::of_node(node)))});
  }
  return take_default(Value::of_node(node->disjuncts[0]));
}

Value Evaluator::unwrap(const Value& value) {
  if (!value.is_node()) return value;
  Node* node = value_node(value.node);
  if (node->base == BaseKind::value) return node->value;
  if (node->base == BaseKind::error) return Value::of_error(node->error);
  if (node->base == BaseKind::unknown && node->state != nullptr && node->state->scalar.exists()) return node->state->scalar;
  return Value::of_node(node);
}

}  // namespace opm::cue::eval
