// Conjuncts into nodes: literals become fields and values at once, everything that
// needs other nodes becomes a task.
#include <algorithm>

#include "cue/eval/evaluator.h"
#include "cue/eval/predeclared_range.h"
#include "cue/eval/worlds.h"

namespace opm::cue::eval {

using compile::ExpressionKind;

namespace {

// Whether the value of the expression depends on anything but itself, as far as one can see.
bool may_refer(const Expression* expression) {
  if (expression->kind != ExpressionKind::list) return expression->kind > ExpressionKind::bottom;
  for (const Expression* element : static_cast<const compile::ListExpression*>(expression)->elements) {
    if (may_refer(element)) return true;
  }
  return false;
}

}  // namespace

void Evaluator::initialize_now(Node* node) {
  State& state = bare_state(node);
  Worlds::Evaluating evaluating(worlds_);
  state.initialized = true;
  Node* saved = std::exchange(current_, node);
  for (std::uint32_t i = 0; i < node->conjuncts.size(); ++i) {
    Conjunct conjunct = node->conjuncts[i];
    Provenance provenance = conjunct.provenance;
    if (provenance_.cycle == CycleKind::cyclic) {
      provenance.cycle = provenance_.cycle;
      provenance.steps = provenance_.steps;
    }
    schedule(state, conjunct, provenance);
  }
  current_ = saved;
}

Provenance Evaluator::sub_field(Provenance provenance) const {
  provenance.from_embedding = false;
  return provenance;
}

void Evaluator::add_task(State& state, TaskKind kind, const Expression* expression, Scope* scope,
                         const Provenance& provenance) {
  Task task{.kind = kind};
  task.expression = expression;
  task.scope = scope;
  task.provenance = provenance;
  push_task(state, task);
  state.concluded = false;
  ++progress_;
}

void Evaluator::push_task(State& state, const Task& task) {
  state.tasks.push(arena_, task);
  ++state.open_tasks;
}

void Evaluator::add_error(State& state, const Error* error) {
  bool is_of_child = error->is_child_error && error->code != ErrorCode::structural_cycle;
  if (is_of_child || error->from_close_check) {
    // It is wrong within what this node refers to, not within the node, and what may not be there is elsewhere. A struct that
    // holds itself tells that where it is.
    Error* own = copy_error(*error);
    own->is_child_error = error->is_child_error && !is_of_child;
    own->from_close_check = false;
    error = own;
  }
  state.errors = combine(state.errors, error);
  ++progress_;
}

void Evaluator::schedule(State& state, const Conjunct& conjunct, Provenance provenance) {
  if (!spend()) return;
  Node* node = state.node;
  if (conjunct.provenance.from_definition) node->closed_recursively = true;
  mark_non_cyclic(state, provenance);

  if (conjunct.expression == nullptr) {
    if (conjunct.node == nullptr) {
      insert_value(state, conjunct.value, conjunct.scope, provenance);
      return;
    }
    Node* other = conjunct.node;
    if (has_only_value(other)) {
      unshare(state);
      insert_value(state, Value::of_node(other), conjunct.scope, provenance);
      return;
    }
    if (other->closed_once) {
      node->closed_once = true;
      provenance = add_reference_requirement(state, {}, other, provenance, false);
    }
    schedule_target(state, conjunct, other, provenance);
    return;
  }

  const Expression* expression = conjunct.expression;
  Scope* scope = conjunct.scope;
  for (;;) {
    switch (expression->kind) {
      case ExpressionKind::field:
        if (!redeclared_.empty()) {
          if (auto found = redeclared_.find(expression); found != redeclared_.end()) {
            Conjunct other;
            other.node = found->second;
            if (other.node == nullptr) other.value = Value::type(kinds::top, expression->position);
            schedule(state, other, provenance);
            return;
          }
        }
        expression = static_cast<const compile::Field*>(expression)->value;
        continue;
      case ExpressionKind::pattern:
        expression = static_cast<const compile::Pattern*>(expression)->value;
        continue;
      case ExpressionKind::dynamic_field:
        expression = static_cast<const compile::DynamicField*>(expression)->value;
        continue;
      case ExpressionKind::alias:
        scope = make_scope(scope, node);
        expression = static_cast<const compile::AliasExpression*>(expression)->value;
        continue;
      case ExpressionKind::open:
        provenance.opened = true;
        expression = static_cast<const compile::Open*>(expression)->operand;
        continue;
      case ExpressionKind::unify: {
        const auto* unify = static_cast<const compile::Unify*>(expression);
        // What contradicts it does so as a whole.
        if (is_predeclared_range(*unify) && !narrow_kinds(state, static_kinds(unify, scope, 0), unify, provenance)) return;
        if (provenance.opened) {
          provenance.opened = false;
          provenance.conjunction_opened = true;
          provenance.from_embedding = true;
          provenance = new_requirement(state, expression->position, provenance, RequirementKind::embedding);
        }
        Conjunct left;
        left.expression = unify->left;
        left.scope = scope;
        left.provenance = provenance;
        schedule(state, left, provenance);
        expression = unify->right;
        mark_non_cyclic(state, provenance);
        continue;
      }
      case ExpressionKind::structure:
        unshare(state);
        schedule_struct(state, static_cast<const compile::StructExpression*>(expression), scope, provenance);
        return;
      case ExpressionKind::list:
        unshare(state);
        update_cyclic_status(state, provenance);
        narrow_kinds(state, kinds::list, expression, provenance);
        add_task(state, TaskKind::list, expression, scope, provenance);
        return;
      case ExpressionKind::disjunction: {
        unshare(state);
        if (provenance.cycle == CycleKind::none) provenance.cycle = CycleKind::optional;
        PendingDisjunction pending;
        pending.expression = static_cast<const compile::Disjunction*>(expression);
        pending.scope = scope;
        pending.provenance = provenance;
        state.disjunctions.push(arena_, pending);
        state.has_disjunction = true;
        state.concluded = false;
        ++progress_;
        update_evidence(state, provenance, 0);
        return;
      }
      case ExpressionKind::comprehension:
        add_task(state, TaskKind::comprehension, expression, scope, provenance);
        return;
      case ExpressionKind::field_reference:
      case ExpressionKind::value_reference:
      case ExpressionKind::dynamic_reference:
      case ExpressionKind::let_reference:
      case ExpressionKind::import_reference:
      case ExpressionKind::selector:
      case ExpressionKind::index:
        add_task(state, TaskKind::resolve, expression, scope, provenance);
        return;
      case ExpressionKind::clause_reference:
        if (static_cast<const compile::ClauseReference*>(expression)->variable == compile::ClauseVariable::value) {
          add_task(state, TaskKind::resolve, expression, scope, provenance);
          return;
        }
        [[fallthrough]];
      case ExpressionKind::label_reference: {
        unshare(state);
        Value label = evaluate_raw(expression, scope);
        // Names of fields are written nowhere as values but here.
        if (!label.position.valid() && expression->kind == ExpressionKind::clause_reference) label.position = expression->position;
        insert_value(state, label, scope, provenance);
        return;
      }
      case ExpressionKind::call: {
        unshare(state);
        // A call on a path that may be a cycle waits until something else shows that the
        // node ends.
        if (provenance.cycle == CycleKind::cyclic && !state.has_non_cycle && !state.has_non_cyclic) {
          bool refers = false;
          for (const Expression* argument : static_cast<const compile::Call*>(expression)->arguments) {
            refers = refers || may_refer(argument);
          }
          if (refers) {
            state.has_ancestor_cycle = true;
            Conjunct waiting = conjunct;
            waiting.expression = expression;
            waiting.scope = scope;
            waiting.provenance = provenance;
            state.cyclic_conjuncts.push(arena_, {waiting, nullptr});
            return;
          }
        }
        add_task(state, TaskKind::evaluate, expression, scope, provenance);
        return;
      }
      case ExpressionKind::slice:
      case ExpressionKind::interpolation:
      case ExpressionKind::bound:
      case ExpressionKind::unary:
      case ExpressionKind::binary:
        unshare(state);
        add_task(state, TaskKind::evaluate, expression, scope, provenance);
        return;
      case ExpressionKind::bottom:
        unshare(state);
        add_error(state, make_error(ErrorCode::user, expression->position, "explicit error (_|_ literal) in source"));
        return;
      case ExpressionKind::ellipsis: {
        const auto* ellipsis = static_cast<const compile::EllipsisExpression*>(expression);
        if (ellipsis->type == nullptr) return;
        expression = ellipsis->type;
        continue;
      }
      case ExpressionKind::null:
      case ExpressionKind::boolean:
      case ExpressionKind::number:
      case ExpressionKind::string:
      case ExpressionKind::bytes:
      case ExpressionKind::basic_type:
      case ExpressionKind::top:
      case ExpressionKind::builtin:
        insert_value(state, constant(expression), scope, provenance);
        return;
    }
    return;
  }
}

void Evaluator::schedule_struct(State& state, const compile::StructExpression* literal, Scope* scope,
                                Provenance provenance, bool is_new_scope) {
  Node* node = state.node;
  update_cyclic_status(state, provenance);
  update_evidence(state, provenance, evidence::structure);
  // The same literal in the same scope is there already: only who brought it in is new.
  if (!is_new_scope) {
    if (const Insertion* known = find_insertion(state, literal, scope)) {
      add_link(state, provenance.id, known->provenance.id);
      return;
    }
  }
  Scope* inner = make_scope(scope, node);
  inner->literal = literal;
  state.has_struct = true;
  if (literal->has_embedding) provenance = split_struct(state, literal, provenance);
  Provenance field_provenance = sub_field(provenance);

  Insertion insertion{.kind = Insertion::Kind::structure};
  insertion.expression = literal;
  insertion.scope = scope;
  insertion.inner = inner;
  insertion.provenance = field_provenance;
  push_insertion(state, insertion);
  state.concluded = false;
  ++progress_;

  node->arcs.reserve(arena_, node->arcs.size() + static_cast<std::uint32_t>(literal->has_required_or_optional ? 0 : literal->fields.size()));
  Conjunct of_field;
  of_field.scope = inner;
  of_field.provenance = field_provenance;
  bool is_known_struct = false;
  auto note_struct = [&] {
    if (std::exchange(is_known_struct, true)) return;
    state.is_struct = true;
    narrow_kinds(state, kinds::structure, literal, provenance);
  };
  for (const compile::Declaration& declaration : literal->declarations) {
    switch (declaration.kind) {
      case compile::DeclarationKind::field: {
        const auto* field = static_cast<const compile::Field*>(declaration.expression);
        if (field->field_kind == compile::FieldKind::optional) break;
        if (field->label.is_string() && field->field_kind == compile::FieldKind::member) note_struct();
        of_field.expression = field;
        insert_arc(state, field->label,
                   field->field_kind == compile::FieldKind::member ? ArcKind::member : ArcKind::required, of_field);
        break;
      }
      case compile::DeclarationKind::let:
        break;
      case compile::DeclarationKind::comprehension:
        add_task(state, TaskKind::comprehension, declaration.expression, inner,
                 inject_embedding(state, declaration.expression, provenance));
        break;
      case compile::DeclarationKind::ellipsis:
        node->has_ellipsis = true;
        update_evidence(state, provenance, evidence::ellipsis);
        break;
      case compile::DeclarationKind::dynamic:
        if (static_cast<const compile::DynamicField*>(declaration.expression)->field_kind == compile::FieldKind::member) note_struct();
        add_task(state, TaskKind::dynamic_field, declaration.expression, inner, field_provenance);
        break;
      case compile::DeclarationKind::pattern: {
        Provenance optional = field_provenance;
        if (optional.cycle == CycleKind::none) optional.cycle = CycleKind::optional;
        add_task(state, TaskKind::pattern, declaration.expression, inner, optional);
        break;
      }
      case compile::DeclarationKind::embedding: {
        Provenance embedded = inject_embedding(state, declaration.expression, provenance);
        Conjunct conjunct;
        conjunct.expression = declaration.expression;
        conjunct.scope = inner;
        conjunct.provenance = embedded;
        schedule(state, conjunct, embedded);
        is_known_struct = false;  // what is embedded may be something else
        break;
      }
    }
  }
  if (literal->has_required_or_optional) {
    node->has_optionals = true;
    apply_optionals(state, insertion);
  }
  if (!literal->has_embedding) {
    state.is_struct = true;
    narrow_kinds(state, kinds::structure, literal, provenance);
  }
}

// Optional fields say something only of fields that are there.
void Evaluator::apply_optionals(State& state, const Insertion& insertion) {
  const auto* literal = static_cast<const compile::StructExpression*>(insertion.expression);
  Node* node = state.node;
  Conjunct conjunct;
  conjunct.scope = insertion.inner;
  conjunct.provenance = insertion.provenance;
  if (conjunct.provenance.cycle == CycleKind::none) conjunct.provenance.cycle = CycleKind::optional;
  for (std::uint32_t i = 0; i < node->arcs.size(); ++i) {
    Node* arc = node->arcs[i];
    const compile::Field* field = literal->find(arc->label);
    while (field != nullptr) {
      if (field->field_kind == compile::FieldKind::optional) {
        conjunct.expression = field;
        add_conjunct(arc, conjunct, ArcKind::optional);
      }
      field = field->next_same == 0 ? nullptr : literal->fields[field->next_same];
    }
  }
}

// What the literals and patterns of the node say of a field that is there.
void Evaluator::apply_constraints(Node* node, Node* arc) {
  each_with_optionals(*node, [&](const Insertion& insertion, const compile::StructExpression* literal) {
    Conjunct conjunct;
    conjunct.scope = insertion.inner;
    conjunct.provenance = insertion.provenance;
    if (conjunct.provenance.cycle == CycleKind::none) conjunct.provenance.cycle = CycleKind::optional;
    const compile::Field* field = literal->find(arc->label);
    while (field != nullptr) {
      if (field->field_kind == compile::FieldKind::optional) {
        conjunct.expression = field;
        add_conjunct(arc, conjunct, ArcKind::optional);
      }
      field = field->next_same == 0 ? nullptr : literal->fields[field->next_same];
    }
  });
  for (const PatternConstraint& pattern : patterns_of(*node)) {
    if (matches_pattern(pattern.pattern, arc->label)) add_pattern_conjunct(arc, pattern);
  }
}

void Evaluator::materialize_optionals(Node* node) {
  each_with_optionals(*node, [&](const Insertion&, const compile::StructExpression* literal) {
    for (const compile::Field* field : literal->fields) {
      if (field->field_kind != compile::FieldKind::optional || find_arc(node, field->label) != nullptr) continue;
      apply_constraints(node, get_arc(node, field->label, ArcKind::optional));
    }
  });
}

// --- arcs ---------------------------------------------------------------------------

namespace {

void index_arc(Node* node, std::uint32_t index) {
  std::uint32_t mask = node->arc_table_size - 1;
  std::uint32_t slot = static_cast<std::uint32_t>(std::hash<Label>{}(node->arcs[index]->label) >> 3) & mask;
  while (node->arc_table[slot] != 0) slot = (slot + 1) & mask;
  node->arc_table[slot] = index + 1;
}

}  // namespace

void index_arcs(base::Arena& arena, Node* node) {
  constexpr std::uint32_t kLinear = 12;
  if (node->arcs.size() <= kLinear) return;
  node->arc_table_size = 64;
  while (node->arc_table_size < node->arcs.size() * 4) node->arc_table_size *= 2;
  node->arc_table = arena.make_array<std::uint32_t>(node->arc_table_size).data();
  for (std::uint32_t i = 0; i < node->arcs.size(); ++i) index_arc(node, i);
}

Node* Evaluator::find_arc(Node* node, Label label) const {
  if (node->arc_table != nullptr) {
    std::uint32_t mask = node->arc_table_size - 1;
    std::uint32_t slot = static_cast<std::uint32_t>(std::hash<Label>{}(label) >> 3) & mask;
    for (;; slot = (slot + 1) & mask) {
      std::uint32_t entry = node->arc_table[slot];
      if (entry == 0) return nullptr;
      if (node->arcs[entry - 1]->label == label) return node->arcs[entry - 1];
    }
  }
  for (Node* arc : node->arcs) {
    if (arc->label == label) return arc;
  }
  return nullptr;
}

Node* Evaluator::get_arc(Node* node, Label label, ArcKind arc_kind, bool* is_new) {
  if (is_new != nullptr) *is_new = false;
  if (Node* arc = find_arc(node, label)) {
    arc->arc = std::min(arc->arc, arc_kind);
    return arc;
  }
  if (is_new != nullptr) *is_new = true;
  Node* arc = arena_.make<Node>();
  ++node_count_;
  arc->label = label;
  arc->arc = arc_kind;
  arc->parent = node;
  arc->first_own_id = node->first_own_id;
  arc->not_rooted = node->is_dynamic || node->not_rooted;
  if (node->state != nullptr && node->state->fields_frozen && label.is_regular() && arc_kind <= ArcKind::required) {
    add_error(*node->state, make_error(ErrorCode::evaluation, here(),
                                       "adding field {} not allowed as field set was already referenced", {label}));
    arc->arc = ArcKind::absent;
  }
  node->arcs.push(arena_, arc);
  ++progress_;
  if (node->arc_table != nullptr && node->arcs.size() * 2 <= node->arc_table_size) {
    index_arc(node, node->arcs.size() - 1);
  } else {
    index_arcs(arena_, node);
  }
  return arc;
}

namespace {
bool same_scope(const Scope* a, const Scope* b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr) return false;
  // Scopes of a label are made anew each time a pattern matches.
  return a->label.valid() && a->label == b->label && a->up == b->up && a->node == b->node;
}

PlaceKey key_of(const Conjunct& conjunct) {
  const Scope* scope = conjunct.scope;
  if (scope == nullptr || !scope->label.valid()) return {conjunct.expression, scope};
  return {conjunct.expression, scope->up, scope->node, scope->label.bits};
}

[[gnu::noinline]] const Conjunct* find_among_many(base::Arena& arena, Node* node, const Conjunct& conjunct) {
  if (node->conjunct_index == nullptr) node->conjunct_index = arena.make<PlaceIndex>();
  std::uint32_t place = node->conjunct_index->find(arena, node->conjuncts, key_of(conjunct), key_of);
  return place < node->conjuncts.size() ? &node->conjuncts[place] : nullptr;
}
}  // namespace

// What the node has already of that expression, in that scope.
const Conjunct* Evaluator::find_conjunct(Node* node, const Conjunct& conjunct) {
  if (node->conjuncts.size() > PlaceIndex::kFew) return find_among_many(arena_, node, conjunct);
  for (const Conjunct& known : node->conjuncts) {
    if (known.expression == conjunct.expression && same_scope(known.scope, conjunct.scope)) return &known;
  }
  return nullptr;
}

void Evaluator::add_conjunct(Node* node, const Conjunct& conjunct, ArcKind arc) {
  if (node->status == Status::finalized) {
    // A condition that asked for the field had it evaluated, and now adds to it.
    State* holder = node->parent != nullptr ? node->parent->state : nullptr;
    if (holder == nullptr || holder->running_comprehensions == 0 || node->is_disjunct) return;
    // Only what is written out is sure to be something new.
    bool is_field = conjunct.expression != nullptr && conjunct.expression->kind == ExpressionKind::field;
    if (!is_field || static_cast<const compile::Field*>(conjunct.expression)->value->kind != ExpressionKind::structure) return;
    const auto& literal = *static_cast<const compile::StructExpression*>(static_cast<const compile::Field*>(conjunct.expression)->value);
    if (literal.declarations.empty() && value_node(node)->base == BaseKind::structure) return;
    if (find_conjunct(node, conjunct) != nullptr) return;
    add_error(*holder, make_error(ErrorCode::cycle, written_position(conjunct), "cyclic reference to field {}", {node->label}));
    return;
  }
  if (node->arc != ArcKind::absent) node->arc = std::min(node->arc, arc);
  State* state = node->state;
  bool may_be_known = conjunct.expression != nullptr && !node->conjuncts.empty();
  if (const Conjunct* known = may_be_known ? find_conjunct(node, conjunct) : nullptr) {
    if (known->provenance.id != 0) add_link(bare_state(node), conjunct.provenance.id, known->provenance.id);
    return;
  }
  // Many fields are never looked at: what it takes to evaluate one is made when it is.
  if (state == nullptr) take_place(node);
  node->conjuncts.push(arena_, conjunct);
  ++progress_;
  if (state == nullptr) return;
  mark_non_cyclic(*state, conjunct.provenance);
  if (state->initialized) {
    Node* saved = std::exchange(current_, node);
    schedule(*state, conjunct, conjunct.provenance);
    current_ = saved;
  }
  for (std::uint32_t i = 0; i < state->subscribers.size(); ++i) {
    Subscriber subscriber = state->subscribers[i];
    if (subscriber.node->state == nullptr || subscriber.node->status == Status::finalized) continue;
    schedule(*subscriber.node->state, conjunct, subscriber.provenance);
  }
}

Node* Evaluator::insert_arc(State& state, Label label, ArcKind arc_kind, const Conjunct& conjunct) {
  bool is_new = false;
  Position saved = source_;
  if (state.fields_frozen) {
    // A field with a name comes with the struct that is written around it.
    bool is_named = conjunct.expression != nullptr && conjunct.expression->kind == ExpressionKind::field;
    bool is_in_struct = is_named && conjunct.scope != nullptr && conjunct.scope->literal != nullptr;
    source_ = is_in_struct ? conjunct.scope->literal->position : written_position(conjunct);
  }
  Node* arc = get_arc(state.node, label, arc_kind, &is_new);
  source_ = saved;
  std::uint32_t before = arc->conjuncts.size();
  add_conjunct(arc, conjunct, arc_kind);
  if (is_new || arc->conjuncts.size() != before) {
    apply_constraints(state.node, arc);
    // What a comprehension adds comes after what is said of the field anyway: so it is told.
    bool is_late = is_new && arc->state == nullptr && arc->conjuncts.size() > 1 && conjunct.scope != nullptr &&
                   conjunct.scope->up != nullptr && conjunct.scope->up->node == state.node;
    if (is_late) {
      std::rotate(arc->conjuncts.begin(), arc->conjuncts.begin() + 1, arc->conjuncts.end());
      arc->conjunct_index = nullptr;
    }
  }
  return arc;
}

void Evaluator::insert_pattern(State& state, const PatternConstraint& pattern) {
  auto key_of = [](const PatternConstraint& one) {
    const Expression* written = one.declaration != nullptr ? one.declaration : one.value;
    return PlaceKey{written, one.scope, one.value};
  };
  if (PlaceKey key = key_of(pattern); key.what != nullptr) {
    std::uint32_t known = place_of(arena_, state.indexes, &StateIndexes::patterns, state.patterns, key, key_of);
    if (known < state.patterns.size()) {
      add_link(state, pattern.provenance.id, state.patterns[known].provenance.id);
      return;
    }
  }
  state.patterns.push(arena_, pattern);
  state.concluded = false;
  ++progress_;
  for (std::uint32_t i = 0; i < state.node->arcs.size(); ++i) {
    Node* arc = state.node->arcs[i];
    if (matches_pattern(pattern.pattern, arc->label)) add_pattern_conjunct(arc, pattern);
  }
}

void Evaluator::add_pattern_conjunct(Node* arc, const PatternConstraint& pattern) {
  Conjunct conjunct;
  conjunct.provenance = pattern.provenance;
  conjunct.scope = pattern.scope;
  if (pattern.declaration != nullptr) {
    conjunct.expression = pattern.declaration;
    if (pattern.declaration->label_scope) {
      conjunct.scope = make_scope(pattern.scope, arc);
      conjunct.scope->label = arc->label;
    }
  } else if (pattern.value != nullptr) {
    conjunct.expression = pattern.value;
  } else {
    conjunct.value = Value::type(kinds::top);
  }
  add_conjunct(arc, conjunct, arc->arc);
}

// --- references -----------------------------------------------------------------------

bool Evaluator::share_if_possible(State& state, const Conjunct& conjunct, Node* target, const Provenance& provenance) {
  Node* node = state.node;
  if (!node->arcs.empty()) return false;
  if (!target->is_frozen && (target->not_rooted || target->is_dynamic || target->is_let || target->lazy_root)) return false;
  if (provenance.cycle == CycleKind::cyclic && (node->not_rooted || node->is_dynamic)) return false;
  if (state.no_sharing || node->is_shared || state.errors != nullptr) return false;
  if (node->closed_recursively && !target->closed_recursively && !target->is_frozen) {
    // That it is within a definition shows when its conjuncts are looked at.
    initialize(target);
    if (!target->closed_recursively || node->is_shared) return false;
  }
  // Forward chains must stay free of loops.
  for (Node* n = target; n->base == BaseKind::forward; n = n->forward) {
    if (n->forward == node) return false;
  }
  forward_to(node, target);
  node->is_shared = true;
  node->opened_shared = provenance.opened || provenance.conjunction_opened;
  state.shared_conjunct = conjunct;
  state.shared_provenances.clear();
  state.shared_provenances.push(arena_, provenance);
  state.shared_cycle = provenance.cycle;
  ++progress_;
  return true;
}

void Evaluator::unshare_now(State& state) {
  Node* node = state.node;
  Node* target = node->forward;
  node->is_shared = false;
  node->opened_shared = false;
  node->base = BaseKind::unknown;
  node->forward = nullptr;
  ArenaVector<Provenance> provenances = state.shared_provenances;
  state.shared_provenances = {};
  ArenaVector<AbsorbedReference> absorbed = state.absorbed;
  state.absorbed = {};
  for (const Provenance& provenance : provenances) schedule_target(state, state.shared_conjunct, target, provenance);
  for (const AbsorbedReference& other : absorbed) schedule_target(state, other.conjunct, other.target, other.provenance);
}

bool Evaluator::holds_reference_to(const Expression* expression, Scope* scope, const Node* part, int depth) {
  switch (expression->kind) {
    case ExpressionKind::field: return holds_reference_to(static_cast<const compile::Field*>(expression)->value, scope, part, depth);
    case ExpressionKind::pattern: return holds_reference_to(static_cast<const compile::Pattern*>(expression)->value, scope, part, depth);
    case ExpressionKind::unify: {
      const auto* unify = static_cast<const compile::Unify*>(expression);
      return holds_reference_to(unify->left, scope, part, depth) || holds_reference_to(unify->right, scope, part, depth);
    }
    case ExpressionKind::field_reference:
    case ExpressionKind::selector: {
      if (!expression->refers_to_definition) return false;
      const Error* error = nullptr;
      Node* target = resolve(expression, scope, &error);
      if (target == nullptr || error != nullptr) return false;
      target = shared_node(target);
      return target == part || (depth > 0 && is_made_of(target, part, depth - 1));
    }
    default: return false;
  }
}

// Whether it is written as `part & …`, so that it holds all that `part` does.
bool Evaluator::is_made_of(const Node* target, const Node* part, int depth) {
  for (std::uint32_t i = 0; i < target->conjuncts.size(); ++i) {
    Conjunct conjunct = target->conjuncts[i];
    const Provenance& provenance = conjunct.provenance;
    if (conjunct.expression == nullptr || provenance.from_embedding || provenance.opened || provenance.conjunction_opened) continue;
    if (holds_reference_to(conjunct.expression, conjunct.scope, part, depth)) return true;
  }
  return false;
}

// Of two values that a node refers to, one may be made of the other: `#Scaling & #Trait` is #Scaling, where that is
// `#Trait & {...}`, and need not be evaluated again.
bool Evaluator::absorb(State& state, const Conjunct& reference, Node* target, const Provenance& provenance) {
  constexpr int kDepth = 3;
  auto is_plain = [](const Provenance& one) {
    return !one.from_embedding && !one.opened && !one.conjunction_opened && one.cycle != CycleKind::cyclic;
  };
  Node* node = state.node;
  Node* shared = node->forward;
  if (state.no_sharing || shared->is_frozen || target->is_frozen || !is_plain(provenance)) return false;
  if (!std::ranges::all_of(state.shared_provenances, is_plain)) return false;
  if (is_made_of(shared, target, kDepth)) {
    state.absorbed.push(arena_, {reference, target, provenance});
    return true;
  }
  if (!is_made_of(target, shared, kDepth)) return false;
  Conjunct known = state.shared_conjunct;
  ArenaVector<Provenance> provenances = state.shared_provenances;
  node->is_shared = false;
  node->base = BaseKind::unknown;
  node->forward = nullptr;
  state.shared_provenances = {};
  bool is_shared = share_if_possible(state, reference, target, provenance);
  for (const Provenance& one : provenances) {
    if (is_shared) state.absorbed.push(arena_, {known, shared, one});
    else schedule_target(state, known, shared, one);
  }
  return is_shared;
}

// Adds the conjuncts of what a reference leads to.
void Evaluator::schedule_target(State& state, const Conjunct& reference, Node* target, Provenance provenance) {
  Node* node = state.node;
  if (has_only_value(target)) {
    // What a function returned has a value, and no conjuncts that it came from.
    if (target->is_frozen) {
      if (node->is_shared && node->forward == target) return;
      if (share_if_possible(state, reference, target, provenance)) return;
    }
    unshare(state);
    insert_value(state, Value::of_node(target), reference.scope, provenance);
    return;
  }
  if (!target->closed_recursively && !target->closed_once && provenance.embedding != 0) provenance.from_definition = false;

  if (reference.provenance.opened || reference.provenance.conjunction_opened) {
    bool is_definition = (reference.expression != nullptr && reference.expression->refers_to_definition) ||
                         (target->label.valid() && target->label.is_definition());
    if (target->closed_recursively || is_definition) state.embeds_recursively_closed = true;
    else if (target->closed_once) state.embeds_closed = true;
  }

  if (value_node(node) == value_node(target) && (node->is_shared || node == target)) {
    if (node->is_shared) {
      state.shared_provenances.push(arena_, provenance);
      state.shared_cycle = std::max(state.shared_cycle, provenance.cycle);
    }
    return;
  }
  if (node->is_shared && absorb(state, reference, target, provenance)) return;
  if (share_if_possible(state, reference, target, provenance)) return;
  if (node->is_shared) unshare(state);

  Position position = reference.expression != nullptr ? reference.expression->position : Position{};
  bool is_definition = reference.expression != nullptr && reference.expression->refers_to_definition;
  if (is_definition || (target->label.valid() && target->label.is_definition()) || provenance.top_definition) {
    state.is_definition = true;
    provenance.from_definition = true;
    provenance.top_definition = false;
    provenance = add_reference_requirement(state, position, target, provenance, false);
  } else {
    provenance = add_reference_requirement(state, position, target, provenance, true);
  }

  std::uint32_t known = place_of(arena_, state.indexes, &StateIndexes::targets, state.inserted_targets, {target},
                                 [](const Node* one) { return PlaceKey{one}; });
  if (known < state.inserted_targets.size()) return;
  state.inserted_targets.push(arena_, target);

  settle_ancestors(target);
  if (target->parent != nullptr && target->status != Status::finalized) {
    State& target_state = bare_state(target);
    if (!target_state.ancestors_done) {
      ArenaVector<Subscriber>& subscribers = target_state.subscribers;
      std::uint32_t subscribed = place_of(arena_, target_state.indexes, &StateIndexes::subscribers, subscribers, {node},
                                          [](const Subscriber& one) { return PlaceKey{one.node}; });
      if (subscribed == subscribers.size()) subscribers.push(arena_, {node, provenance});
    }
  }
  for (std::uint32_t i = 0; i < target->conjuncts.size(); ++i) {
    Conjunct conjunct = target->conjuncts[i];
    schedule(state, conjunct, provenance);
  }
}

}  // namespace opm::cue::eval
