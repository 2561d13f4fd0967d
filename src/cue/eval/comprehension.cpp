// Comprehensions: clauses that yield the scopes in which the body is inserted.
#include <algorithm>

#include "cue/eval/evaluator.h"
#include "cue/eval/missing_part.h"

namespace opm::cue::eval {

namespace {
bool adds_no_field(const compile::StructExpression& body) {
  if (!body.fields.empty() || body.has_dynamic) return false;
  for (const compile::Declaration& declaration : body.declarations) {
    if (declaration.kind == compile::DeclarationKind::comprehension) return false;
    if (declaration.kind != compile::DeclarationKind::embedding) continue;
    const Expression* embedded = declaration.expression;
    if (embedded->kind != compile::ExpressionKind::structure) return false;
    if (!adds_no_field(*static_cast<const compile::StructExpression*>(embedded))) return false;
  }
  return true;
}
}  // namespace

bool has_all_fields(const State& state) {
  if (!state.has_struct || !state.disjunctions.empty()) return false;
  for (const Task& task : state.tasks) {
    if (task.state == TaskState::done) continue;
    if (task.kind != TaskKind::comprehension) return false;
    const auto& comprehension = *static_cast<const compile::Comprehension*>(task.expression);
    if (comprehension.fallback != nullptr || !adds_no_field(*comprehension.body)) return false;
  }
  return true;
}

namespace {
// What a struct adds that is written out is told to be a circle; what is embedded in one may be anything.
bool is_only_embedding(const compile::StructExpression& literal) {
  return !literal.declarations.empty() && std::ranges::all_of(literal.declarations, [](const compile::Declaration& declaration) {
    return declaration.kind == compile::DeclarationKind::embedding && declaration.expression->kind != compile::ExpressionKind::structure;
  });
}

bool brings_along(const compile::StructExpression& body, std::span<const Label> path) {
  const compile::Field* field = body.find(path.front());
  if (field == nullptr || field->next_same != 0) return false;
  if (field->value->kind != compile::ExpressionKind::structure) return true;
  const auto& literal = *static_cast<const compile::StructExpression*>(field->value);
  return path.size() > 1 ? brings_along(literal, path.subspan(1)) : is_only_embedding(literal);
}
}  // namespace

bool asker_may_add(const Node& node) {
  if (node.status == Status::finalized || node.state == nullptr || node.state->ancestors_done) return false;
  std::vector<Label> path{node.label};
  for (const Node* holder = node.parent; holder != nullptr && holder->state != nullptr; holder = holder->parent) {
    bool is_asked_here = holder->state->running_comprehensions > 0;
    for (std::uint32_t i = 0; is_asked_here && i < holder->state->tasks.size(); ++i) {
      const Task& task = holder->state->tasks[i];
      if (task.state != TaskState::running || task.kind != TaskKind::comprehension) continue;
      if (brings_along(*static_cast<const compile::Comprehension*>(task.expression)->body, path)) return true;
    }
    if (holder->is_dynamic || holder->is_let) return false;
    path.insert(path.begin(), holder->label);
  }
  return false;
}

Node* Evaluator::for_source(const Expression* source, Scope* scope, const Error** error) {
  ++in_detached_;
  Value value = unify_node(source, scope);
  --in_detached_;
  if (value.is_error()) {
    *error = value.error;
    return nullptr;
  }
  if (value.is_node()) {
    Node* node = value_node(value.node);
    if (node->status != Status::finalized) {
      initialize(node);
      if (node->base != BaseKind::forward) {
        State& state = *node->state;
        // All fields must be there, though not their values.
        settle(node);
        if (value_node(node) == node && node->base != BaseKind::disjunction) {
          bool own = state.running_tasks > 0;
          if (!own && (!tasks_done(state))) {
            for (const Task& task : state.tasks) {
              if (task.state == TaskState::blocked && task.error != nullptr) {
                *error = task.error;
                return nullptr;
              }
            }
          }
          if (!own) conclude(state);
        }
      }
      value = Value::of_node(value_node(node));
    }
  }
  value = take_default(value);
  if (value.is_error()) {
    *error = value.error;
    return nullptr;
  }
  if (!value.exists()) {
    *error = make_error(ErrorCode::incomplete, source->position, "cannot range over {} (incomplete)", {source});
    return nullptr;
  }
  if (value.is_node()) {
    Node* node = value_node(value.node);
    if (node->base == BaseKind::error) {
      *error = node->error;
      return nullptr;
    }
    if (node->base == BaseKind::structure || node->base == BaseKind::list) return node;
    if (node->base == BaseKind::unknown && node->state != nullptr) {
      // What has a list embedded is none yet.
      bool may_be_list = std::ranges::any_of(node->state->tasks, [](const Task& task) {
        return task.state != TaskState::done && (task.kind == TaskKind::list || task.kind == TaskKind::list_node);
      });
      // Nor is what a constraint beside it makes something else.
      KindSet possible = node->state->kind_set;
      bool is_other = (possible & kinds::composite) == 0 && possible != kinds::bottom;
      if (node->state->is_struct || (node->state->has_struct && !may_be_list && !is_other)) return node;
      if (node->state->errors != nullptr) {
        *error = node->state->errors;
        return nullptr;
      }
    }
    bool is_constrained = node->base == BaseKind::unknown && node->state != nullptr && !node->state->scalar.exists();
    value = is_constrained ? Value::type(node->state->kind_set) : unwrap(value);
  }
  KindSet kind_set = kinds_of(value);
  if (kind_set & kinds::composite) {
    *error = make_error(ErrorCode::incomplete, source->position, "cannot range over {} (incomplete type {})",
                        {source, Argument::of_kinds(kind_set)});
  } else {
    *error = make_error(ErrorCode::evaluation, source->position, "cannot range over {} (found {}, want list or struct)",
                        {source, Argument::of_kinds(kind_set)});
  }
  return nullptr;
}

const Error* Evaluator::run_clauses(const compile::Comprehension& comprehension, std::size_t index, Scope* scope,
                                    std::vector<Scope*>& out) {
  if (!spend()) return exhausted_error();
  if (index == comprehension.clauses.size()) {
    out.push_back(scope);
    return nullptr;
  }
  const compile::Clause& clause = comprehension.clauses[index];
  source_ = clause.position;
  switch (clause.kind) {
    case compile::ClauseKind::if_: {
      Value condition = evaluate_value(clause.expression, scope);
      if (condition.is_error()) return condition.error;
      if (condition.kind != ValueKind::boolean) {
        KindSet kind_set = kinds_of(condition);
        if (!condition.exists() || (!is_concrete(condition) && (kind_set & kinds::boolean))) {
          return make_error(ErrorCode::incomplete, condition.position, "incomplete {}: {}",
                            {Argument::of_kinds(kinds::boolean), condition});
        }
        return make_error(ErrorCode::evaluation, clause.position, "cannot use {} (type {}) as type {}",
                          {condition, Argument::of_kinds(kind_set), Argument::of_kinds(kinds::boolean)});
      }
      if (!condition.boolean_value) return nullptr;
      return run_clauses(comprehension, index + 1, scope, out);
    }
    case compile::ClauseKind::let: {
      Scope* inner = make_scope(scope, nullptr);
      inner->clause_let = clause.expression;
      return run_clauses(comprehension, index + 1, inner, out);
    }
    case compile::ClauseKind::for_: {
      const Error* error = nullptr;
      Node* source = for_source(clause.expression, scope, &error);
      if (source == nullptr) return error;
      if (source->status != Status::finalized && source->state != nullptr) source->state->fields_frozen = true;
      for (std::uint32_t i = 0; i < source->arcs.size(); ++i) {
        Node* arc = source->arcs[i];
        if (!arc->label.is_regular()) continue;
        if (arc->arc == ArcKind::required) {
          Error* missing = copy_error(*make_error(ErrorCode::incomplete, clause.position,
                                                  "missing required field in for comprehension: {}", {arc->label}));
          std::vector<Position> positions{clause.expression->position};
          for (const Conjunct& conjunct : arc->conjuncts) {
            if (conjunct.expression != nullptr) positions.push_back(conjunct.expression->position);
          }
          missing->positions = arena_.copy(positions);
          return missing;
        }
        if (arc->arc != ArcKind::member) continue;
        Scope* inner = make_scope(scope, nullptr);
        inner->value = arc;
        if (clause.has_key) inner->key = label_value(arc->label);
        if (const Error* failed = run_clauses(comprehension, index + 1, inner, out)) return failed;
      }
      return nullptr;
    }
    case compile::ClauseKind::try_: {
      const Expression* body = clause.expression != nullptr ? clause.expression : comprehension.body;
      Node* trial = make_inline(scope != nullptr ? scope->node : nullptr, body, scope, provenance_);
      bool skipped = false;
      initialize(trial);
      trial->state->try_skipped = &skipped;
      finalize(trial);
      trial->state->try_skipped = nullptr;
      if (skipped) return nullptr;
      if (clause.expression == nullptr) return run_clauses(comprehension, index + 1, scope, out);
      Scope* inner = make_scope(scope, nullptr);
      inner->clause_let = clause.expression;
      return run_clauses(comprehension, index + 1, inner, out);
    }
  }
  return nullptr;
}

}  // namespace opm::cue::eval
