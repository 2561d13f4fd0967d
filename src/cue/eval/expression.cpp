// Expressions that are evaluated rather than unified: operators, interpolations,
// bounds, calls, and what references give when they are used in one of these.

#include "base/unicode.h"
#include "cue/eval/bounds.h"
#include "cue/eval/evaluator.h"
#include "cue/eval/given_value.h"
#include "cue/eval/missing_part.h"
#include "cue/eval/worlds.h"
#include "cue/eval/regular_expression.h"

namespace opm::cue::eval {

using compile::ExpressionKind;

namespace {

// What is wrong with the elements of a list, which are evaluated for that.
const Error* error_within(Evaluator& evaluator, Node* list) {
  evaluator.finalize(list);
  const Node* node = value_node(list);
  return node->base == BaseKind::error && node->error->is_child_error && !node->error->is_incomplete() ? node->error : nullptr;
}

// What is written out in an expression knows through which references it is reached, and that it has been round once.
void carry_on(Provenance& to, const Provenance& from) {
  to.steps = from.steps;
  if (from.cycle == CycleKind::maybe) to.cycle = CycleKind::maybe;
}

}  // namespace

Value Evaluator::constant(const Expression* expression) {
  switch (expression->kind) {
    case ExpressionKind::null: return Value::null(expression->position);
    case ExpressionKind::boolean:
      return Value::boolean(static_cast<const compile::BooleanExpression*>(expression)->value, expression->position);
    case ExpressionKind::number:
      return Value::of_number(&static_cast<const compile::NumberExpression*>(expression)->value, expression->position);
    case ExpressionKind::string:
      return Value::of_string(&static_cast<const compile::StringExpression*>(expression)->value, expression->position);
    case ExpressionKind::bytes:
      return Value::of_bytes(&static_cast<const compile::StringExpression*>(expression)->value, expression->position);
    case ExpressionKind::basic_type:
      return Value::type(static_cast<const compile::BasicTypeExpression*>(expression)->kinds, expression->position);
    case ExpressionKind::top: return Value::type(kinds::top, expression->position);
    case ExpressionKind::builtin:
      return Value::of_builtin(&builtin_of(expression), expression->position);
    case ExpressionKind::bottom:
      return error_value(ErrorCode::user, expression->position, "explicit error (_|_ literal) in source");
    default: return {};
  }
}

Value Evaluator::evaluate(const Expression* expression, Scope* scope) {
  Provenance saved = provenance_;
  Position saved_source = source_;
  Value value = evaluate_raw(expression, scope);
  source_ = saved_source;
  provenance_ = saved;
  return value;
}

Value Evaluator::evaluate_value(const Expression* expression, Scope* scope) {
  scalar_suffices_ = true;
  Value value = evaluate(expression, scope);
  if (value.is_error()) return value;
  return unwrap(take_default(value));
}

Value Evaluator::evaluate_raw(const Expression* expression, Scope* scope) {
  if (!spend()) return Value::of_error(exhausted_error());
  source_ = expression->position;
  bool scalar_suffices = std::exchange(scalar_suffices_, false);
  switch (expression->kind) {
    case ExpressionKind::null:
    case ExpressionKind::boolean:
    case ExpressionKind::number:
    case ExpressionKind::string:
    case ExpressionKind::bytes:
    case ExpressionKind::basic_type:
    case ExpressionKind::top:
    case ExpressionKind::bottom:
    case ExpressionKind::builtin:
      return constant(expression);
    case ExpressionKind::field:
      return evaluate_raw(static_cast<const compile::Field*>(expression)->value, scope);
    case ExpressionKind::open:
      provenance_.opened = true;
      return evaluate_raw(static_cast<const compile::Open*>(expression)->operand, scope);
    case ExpressionKind::structure:
    case ExpressionKind::unify:
    case ExpressionKind::list:
    case ExpressionKind::alias:
    case ExpressionKind::disjunction:
    case ExpressionKind::comprehension:
    case ExpressionKind::ellipsis:
    case ExpressionKind::pattern:
    case ExpressionKind::dynamic_field: {
      if (nested_too_deep()) return Value::of_error(too_deep());
      Provenance provenance;
      if (expression->kind == ExpressionKind::disjunction) provenance = provenance_;
      carry_on(provenance, provenance_);
      // What is embedded here and selected from is where it is through what embeds it.
      bool is_literal = expression->kind == ExpressionKind::structure || expression->kind == ExpressionKind::unify;
      if (is_literal && provenance_.from_embedding) provenance.id = provenance_.id;
      Node* node = make_inline(nullptr, expression, scope, provenance);
      // An element of a list that is written out here shows all that is wrong with what it is made of.
      bool is_element = expression->kind == ExpressionKind::unify && current_ != nullptr && current_->not_rooted &&
                        current_->label.valid() && current_->label.is_integer();
      bool whole = expression->kind == ExpressionKind::disjunction || in_validator_ > 0 || is_element ||
                   (in_detached_ == 0 && scope != nullptr && scope->node != nullptr && scope->node->is_dynamic);
      if (whole) finalize(node);
      else settle(node);
      // Which of the alternatives there are is known only of what they are wholly.
      if (node->state != nullptr && !node->state->decided.empty()) finalize(node);
      // The elements of a list are evaluated by who looks at them; what keeps it from being one is told now.
      if (expression->kind == ExpressionKind::list && node->base != BaseKind::list) finalize(node);
      if (expression->kind == ExpressionKind::structure) note_plain_struct(*node);
      if (expression->kind == ExpressionKind::unify && node->state != nullptr && !whole) {
        // A part that is not known yet may still change what the others make together.
        Value shared = node->is_shared ? node_value(node) : Value{};
        const Node* known = value_node(node);
        bool is_scalar = known->base == BaseKind::value || (known->state != nullptr && known->state->scalar.exists());
        for (const Task& task : node->state->tasks) {
          bool is_waiting = task.state == TaskState::blocked && task.error != nullptr;
          if (is_waiting && (is_scalar || node->is_shared)) return Value::of_error(task.error);
        }
        if (shared.exists()) return node->state->errors != nullptr ? Value::of_error(node->state->errors) : shared;
        // With nothing left to do, it may as well be held against its constraints.
        if (is_scalar && known == node && settled(node) && node->state->running_tasks == 0) {
          conclude(*node->state);
          run_checks(*node->state);
        }
      }
      const Node* result = value_node(node);
      if (result->base == BaseKind::error && !result->error->is_incomplete()) return Value::of_error(result->error);
      if (result->state != nullptr && result->state->errors != nullptr && !result->state->errors->is_incomplete()) {
        return Value::of_error(result->state->errors);
      }
      return Value::of_node(node);
    }
    case ExpressionKind::field_reference:
    case ExpressionKind::value_reference:
    case ExpressionKind::dynamic_reference:
    case ExpressionKind::let_reference:
    case ExpressionKind::import_reference:
    case ExpressionKind::selector:
    case ExpressionKind::index:
      return evaluate_reference(expression, scope, scalar_suffices);
    case ExpressionKind::clause_reference: {
      const auto* clause = static_cast<const compile::ClauseReference*>(expression);
      if (clause->variable == compile::ClauseVariable::value) return evaluate_reference(expression, scope, scalar_suffices);
      for (std::uint32_t up = clause->up; up > 0; --up) scope = scope->up;
      return scope->key;
    }
    case ExpressionKind::label_reference: {
      const auto* reference = static_cast<const compile::LabelReference*>(expression);
      if (reference->up == GivenValue::kUp) return static_cast<const GivenValue*>(reference)->value;
      for (std::uint32_t up = reference->up; up > 0; --up) scope = scope->up;
      if (scope->key.exists()) return scope->key;
      if (!scope->label.valid()) return Value::type(kinds::string, expression->position);
      return label_value(scope->label);
    }
    case ExpressionKind::slice: return evaluate_slice(*static_cast<const compile::Slice*>(expression), scope);
    case ExpressionKind::interpolation:
      return evaluate_interpolation(*static_cast<const compile::Interpolation*>(expression), scope);
    case ExpressionKind::bound: return evaluate_bound(*static_cast<const compile::Bound*>(expression), scope);
    case ExpressionKind::unary: return evaluate_unary(*static_cast<const compile::Unary*>(expression), scope);
    case ExpressionKind::binary: return evaluate_binary(*static_cast<const compile::Binary*>(expression), scope);
    case ExpressionKind::call: return evaluate_call(*static_cast<const compile::Call*>(expression), scope);
  }
  return {};
}

Value Evaluator::evaluate_concrete(const Expression* expression, Scope* scope, Argument context) {
  Value whole = evaluate(expression, scope);
  if (whole.is_error()) return whole;
  whole = take_default(whole);
  if (whole.is_error()) return whole;
  Value value = unwrap(whole);
  if (value.is_error()) return value;
  if (!value.exists() || !is_concrete(value)) {
    // What a value that is written out here waits for says more than that it is not there.
    const Node* node = whole.is_node() ? value_node(whole.node) : nullptr;
    if (node != nullptr && node->is_dynamic && node->state != nullptr) {
      for (const Task& task : node->state->tasks) {
        if (task.state == TaskState::blocked && task.error != nullptr) return Value::of_error(task.error);
      }
    }
    const Error* error = make_error(ErrorCode::incomplete, here(), "non-concrete value {} in operand to {}", {whole, context});
    return Value::of_error(with_positions(error, operand_positions(expression, scope)));
  }
  return value;
}

bool Evaluator::is_concrete(const Value& value) {
  if (value.is_concrete_scalar() || value.kind == ValueKind::builtin || value.kind == ValueKind::error) return true;
  if (!value.is_node()) return false;
  Node* node = value_node(value.node);
  switch (node->base) {
    case BaseKind::structure:
    case BaseKind::list:
    case BaseKind::error:
      return true;
    case BaseKind::value: return is_concrete(node->value);
    case BaseKind::unknown:
      return node->state != nullptr && (node->state->is_struct || node->state->scalar.exists() || has_all_fields(*node->state));
    default: return false;
  }
}

// An operand whose syntax can never be concrete needs no evaluation.
bool Evaluator::concrete_is_possible(const Expression* expression) const {
  switch (expression->kind) {
    case ExpressionKind::basic_type:
    case ExpressionKind::top:
    case ExpressionKind::bound:
      return false;
    default:
      return true;
  }
}

Value Evaluator::evaluate_interpolation(const compile::Interpolation& interpolation, Scope* scope) {
  const Error* errors = nullptr;
  std::span<Value> values = arena_.make_array<Value>(interpolation.parts.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Expression* part = interpolation.parts[i];
    bool is_plain = part->kind == ExpressionKind::string || (part->kind == ExpressionKind::bytes && interpolation.is_bytes);
    Value value = values[i] = is_plain ? constant(part) : evaluate_value(part, scope);
    switch (value.kind) {
      case ValueKind::string:
      case ValueKind::bytes:
      case ValueKind::number:
      case ValueKind::boolean: break;
      case ValueKind::error: errors = combine(errors, value.error); break;
      default: {
        KindSet allowed = kinds::string | kinds::bytes | kinds::number | kinds::boolean;
        KindSet kind_set = kinds_of(value);
        if (!value.exists()) break;
        if (!is_concrete(value) && (kind_set & allowed)) {
          Position where = value.kind == ValueKind::conjunction ? Position{} : value.position;
          errors = combine(errors, make_error(ErrorCode::incomplete, where, "non-concrete value {} (type {})",
                                              {value, Argument::of_kinds(kind_set)}));
        } else {
          errors = combine(errors, make_error(ErrorCode::evaluation, here(), "cannot use {} (type {}) as type {}",
                                              {value, Argument::of_kinds(kind_set), Argument::of_kinds(allowed)}));
        }
      }
    }
  }
  if (errors != nullptr && errors->is_disjunction && errors->node != nullptr && errors->node->not_rooted) {
    // What is written out in an expression tells that no alternative is left by itself.
    Error* located = copy_error(*errors);
    located->position = interpolation.position;
    return Value::of_error(located);
  }
  if (errors != nullptr) {
    // Told of the field that it comes from, which may be another one; if that can be found from outside.
    Error* whole = copy_error(*wrap(errors, interpolation.position, "invalid interpolation"));
    const Error* first = errors;
    while (!first->parts.empty()) first = first->parts.front();
    const Node* root = first->node;
    while (root != nullptr && root->parent != nullptr) root = root->parent;
    if (root != nullptr && !root->is_dynamic) whole->node = first->node;
    return Value::of_error(whole);
  }
  if (worlds_ == nullptr) return joined(interpolation, values);
  return in_all_worlds([&] { return joined(interpolation, values); });
}

Value Evaluator::joined(const compile::Interpolation& interpolation, std::span<const Value> parts) {
  std::string text;
  for (const Value& part : parts) {
    if (part.is_text() && !text_fits(text.size() + part.string().size())) return Value::of_error(exhausted_error());
    switch (part.kind) {
      case ValueKind::string: text += part.string(); break;
      case ValueKind::bytes:
        text += interpolation.is_bytes ? std::string(part.string()) : base::valid_utf8(std::string(part.string()));
        break;
      case ValueKind::number: text += part.number->text(base::NumberStyle::json); break;
      case ValueKind::boolean: text += part.boolean_value ? "true" : "false"; break;
      default: break;  // nothing is known of it
    }
  }
  return interpolation.is_bytes ? make_bytes(text, interpolation.position) : make_string(text, interpolation.position);
}

Value Evaluator::evaluate_bound(const compile::Bound& bound, Scope* scope) {
  if (bound.operand->kind == ExpressionKind::basic_type || bound.operand->kind == ExpressionKind::top) {
    return error_value(ErrorCode::evaluation, bound.position, "bound has fixed non-concrete value");
  }
  Value operand = evaluate_value(bound.operand, scope);
  if (operand.is_error()) return operand;
  KindSet kind_set = kinds_of(operand);
  bool equality = bound.op == Operator::not_equal || bound.op == Operator::equal;
  KindSet usable = kinds::number | kinds::string | kinds::bytes;
  if (equality) usable |= kinds::null | kinds::composite | kinds::boolean;
  if (!operand.exists() || !is_concrete(operand)) {
    if (kind_set & usable) {
      return error_value(ErrorCode::incomplete, {}, "non-concrete value {} for bound {}", {bound.operand, bound.op});
    }
    return error_value(ErrorCode::evaluation, bound.operand->position, "invalid value {} (type {}) for bound {}",
                       {operand, Argument::of_kinds(kind_set), bound.op});
  }
  if (!equality && (kind_set & (kinds::null | kinds::composite))) {
    return error_value(ErrorCode::evaluation, bound.operand->position, "cannot use {} for bound {}",
                       {Argument::of_kinds(kind_set), bound.op});
  }
  if (!(kind_set & usable)) {
    return error_value(ErrorCode::evaluation, bound.operand->position, "invalid value {} (type {}) for bound {}",
                       {operand, Argument::of_kinds(kind_set), bound.op});
  }
  if (bound.op == Operator::match || bound.op == Operator::not_match) {
    const Error* error = nullptr;
    regular_expression(operand, &error);
    if (error != nullptr) return Value::of_error(error);
  }
  Value value;
  value.kind = ValueKind::bound;
  value.position = bound.position;
  value.bound = arena_.make<BoundValue>(bound.op, operand, bound.position, &bound);
  return value;
}

Value Evaluator::evaluate_unary(const compile::Unary& unary, Scope* scope) {
  if (!concrete_is_possible(unary.operand)) {
    return error_value(ErrorCode::evaluation, unary.operand->position, "invalid operand {} ('{}' requires concrete value)",
                       {unary.operand, unary.op});
  }
  Value operand = evaluate_value(unary.operand, scope);
  if (operand.is_error()) return operand;
  KindSet kind_set = kinds_of(operand);
  KindSet expected = kind_set;
  switch (unary.op) {
    case Operator::subtract:
      if (operand.kind == ValueKind::number) {
        return make_number(base::Number::negate(arena_, *operand.number), unary.position);
      }
      expected = kinds::number;
      break;
    case Operator::add:
      if (operand.kind == ValueKind::number) return operand;
      expected = kinds::number;
      break;
    case Operator::logical_not:
      if (operand.kind == ValueKind::boolean) return Value::boolean(!operand.boolean_value, unary.position);
      expected = kinds::boolean;
      break;
    default: break;
  }
  if (!operand.exists() || (kind_set & expected)) {
    return error_value(ErrorCode::incomplete, unary.operand->position, "operand {} of '{}' not concrete (was {})",
                       {unary.operand, unary.op, Argument::of_kinds(kind_set)});
  }
  return error_value(ErrorCode::evaluation, unary.position, "invalid operation {} ({} {})",
                     {static_cast<const Expression*>(&unary), unary.op, Argument::of_kinds(kind_set)});
}

namespace {
// `{...}`, which any struct is.
bool is_any_struct(const Expression* expression) {
  if (expression->kind != ExpressionKind::structure) return false;
  const auto& literal = *static_cast<const compile::StructExpression*>(expression);
  bool is_alone = literal.declarations.size() == 1 && literal.ellipsis != nullptr && literal.attributes.empty();
  return is_alone && literal.ellipsis->type == nullptr;
}
}  // namespace

// What `x & {...}` is where x is a struct: x, which need not be evaluated again. Nothing: x is something else, or several things.
Value Evaluator::evaluate_beside_any_struct(const Expression* operand, Scope* scope) {
  if (operand->kind != ExpressionKind::unify) return {};
  const auto& unify = *static_cast<const compile::Unify*>(operand);
  const Expression* other = is_any_struct(unify.right) ? unify.left : is_any_struct(unify.left) ? unify.right : nullptr;
  bool is_field = other != nullptr && (other->kind == ExpressionKind::field_reference || other->kind == ExpressionKind::clause_reference ||
                                      other->kind == ExpressionKind::selector || other->kind == ExpressionKind::index);
  if (!is_field) return {};
  Value value = evaluate(other, scope);
  if (!value.is_node()) return {};
  const Node* node = value_node(value.node);
  bool is_struct = node->base == BaseKind::structure || (node->base == BaseKind::unknown && node->state != nullptr && node->state->is_struct &&
                                                         node->state->disjunctions.empty());
  return is_struct ? value : Value{};
}

Value Evaluator::compare_with_bottom(const compile::Binary& comparison, const Expression* operand, Scope* scope) {
  bool on_error = comparison.op == Operator::equal;
  // `x & [...]` and the like ask for the kind of x, which can be seen without unifying anything.
  if (operand->kind == ExpressionKind::unify && static_kinds(operand, scope, 0) == kinds::bottom) {
    return Value::boolean(on_error, comparison.position);
  }
  // Most conditions ask for fields of data.
  if (current_ == nullptr || !has_choice_ahead(*current_)) {
    if (std::optional<bool> is_there = is_known_to_be_there(operand, scope)) return Value::boolean(*is_there != on_error, comparison.position);
  }
  ++in_validator_;
  Value value = evaluate_beside_any_struct(operand, scope);
  if (!value.exists()) value = evaluate(operand, scope);
  Value chosen = value.is_error() ? value : take_default(value);
  Value plain = unwrap(chosen);
  if (plain.exists() && !plain.is_error() && (kinds_of(plain) & kinds::composite) && value.is_node()) plain = chosen.is_node() ? chosen : plain;
  auto expect = [&](bool error) {
    if (scope != nullptr && scope->node != nullptr && scope->node->state != nullptr &&
        scope->node->status != Status::finalized) {
      scope->node->state->post_checks.push(arena_, {operand, scope, error});
    }
  };
  // A scalar beside a conjunct that lacks something is not there yet.
  auto lacks_something = [&] {
    if (operand->kind != ExpressionKind::field_reference && operand->kind != ExpressionKind::clause_reference) return false;
    const Error* error = nullptr;
    Node* target = resolve(operand, scope, &error);
    const Node* node = target != nullptr ? value_node(target) : nullptr;
    if (node == nullptr || node->status == Status::finalized || node->state == nullptr || node->state->running_tasks > 0) return false;
    // A constraint is not, either, beside what is computed of the field itself.
    bool is_scalar = is_concrete(plain);
    return std::ranges::any_of(node->state->tasks, [&](const Task& task) {
      return waits(task) && (task.error->code == ErrorCode::incomplete || (!is_scalar && task.kind == TaskKind::evaluate));
    });
  };
  // A condition of a struct about a field of it that one of the struct's alternatives may say more of.
  auto awaits_choice = [&] {
    const Expression* root = operand;
    while (root->kind == ExpressionKind::selector) root = static_cast<const compile::Selector*>(root)->operand;
    if (root->kind != ExpressionKind::field_reference || current_ == nullptr || !has_choice_ahead(*current_)) return false;
    if (current_->state->running_comprehensions == 0) return false;
    const Scope* holder = scope;
    for (std::uint32_t up = static_cast<const compile::FieldReference*>(root)->up; up > 0 && holder != nullptr; --up) holder = holder->up;
    return holder != nullptr && holder->node == current_;
  };
  auto before_choice = [&] {
    --in_validator_;
    return error_value(ErrorCode::incomplete, operand->position, kBeforeChoice, {operand});
  };
  // `_` is there, whatever who asks brings along beside what is written out.
  auto may_be_anything = [&] {
    if (operand->kind != ExpressionKind::field_reference) return false;
    const Error* error = nullptr;
    Node* target = resolve(operand, scope, &error);
    const State* holder = target != nullptr && target->parent != nullptr ? target->parent->state : nullptr;
    if (holder == nullptr) return false;
    if (std::ranges::any_of(holder->tasks, [&](const Task& task) { return names_field(task, target->label); })) return false;
    // Fields that refer to each other and to nothing else are `_` as well.
    const Node* node = value_node(target);
    const State* state = node->state;
    return state != nullptr && node->base == BaseKind::unknown && !node->conjuncts.empty() && state->kind_set == kinds::top &&
           state->open_tasks == 0 && state->disjunctions.empty() && !state->has_struct && state->errors == nullptr;
  };
  bool result = !on_error;
  Value answer;
  // Alternatives without a default are a value, though not one of them.
  bool ambiguous = !value.is_error() && value.is_node() && value_node(value.node)->base == BaseKind::disjunction && chosen.is_error();
  if (!plain.exists() || ambiguous) {
    answer = Value::boolean(result, comparison.position);
  } else if (plain.is_error()) {
    if (plain.error->code == ErrorCode::cycle && may_be_anything()) {
      expect(false);
      answer = Value::boolean(result, comparison.position);
    } else if (plain.error->code == ErrorCode::cycle) {
      --in_validator_;
      return plain;
    } else {
      if (plain.error->code == ErrorCode::incomplete && awaits_choice()) return before_choice();
      if (plain.error->code == ErrorCode::incomplete) expect(true);
      answer = Value::boolean(on_error, comparison.position);
    }
  } else if (plain.is_node()) {
    Node* node = value_node(plain.node);
    if (has_depth_cycle(node)) {
      expect(true);
      result = on_error;
    } else {
      if (asker_may_add(*node)) {
        // What is evaluated takes no more: of what is there so far a copy tells whether it is wrong.
        Node* so_far = make_inline(nullptr, nullptr, nullptr, {});
        Conjunct conjunct;
        conjunct.node = node;
        so_far->conjuncts.push(arena_, conjunct);
        so_far->state->no_sharing = true;
        node = so_far;
        expect(false);
      }
      finalize(node);
      node = value_node(node);
      if (node->base == BaseKind::error) {
        // A struct or list of which a part is missing is not there yet, unlike one with a field that is.
        if (node->error->is_incomplete()) expect(true);
        result = on_error;
      } else if (refuses_so_far(node)) {
        expect(true);
        result = on_error;
      }
    }
    answer = Value::boolean(result, comparison.position);
  } else if ((kinds_of(plain) & kinds::composite) && !lacks_something()) {
    // What may be a struct or list is there as soon as it is constrained at all, as `{...}` and `[...]` are.
    answer = Value::boolean(result, comparison.position);
  } else if (lacks_something()) {
    if (!is_concrete(plain)) expect(true);
    answer = Value::boolean(on_error, comparison.position);
  } else {
    bool concrete = is_concrete(plain);
    if (!concrete && awaits_choice()) return before_choice();
    expect(false);
    answer = Value::boolean(concrete ? !on_error : on_error, comparison.position);
  }
  --in_validator_;
  return answer;
}

Value Evaluator::evaluate_binary(const compile::Binary& expression, Scope* scope) {
  if (expression.op == Operator::equal || expression.op == Operator::not_equal) {
    if (expression.left->kind == ExpressionKind::bottom) return compare_with_bottom(expression, expression.right, scope);
    if (expression.right->kind == ExpressionKind::bottom) return compare_with_bottom(expression, expression.left, scope);
  }
  for (const Expression* operand : {expression.left, expression.right}) {
    if (!concrete_is_possible(operand)) {
      return error_value(ErrorCode::evaluation, operand->position, "invalid operand {} ('{}' requires concrete value)",
                         {operand, expression.op});
    }
  }
  // What is wrong within a list shows when it is compared.
  auto within = [&](Value& operand, const Expression* written, const char* format) {
    if (written->kind != ExpressionKind::list || !operand.is_node()) return;
    if (const Error* error = error_within(*this, operand.node)) {
      operand = error_value(error->code, expression.position, format, {expression.op, Argument::of_kinds(kinds::list), error});
    }
  };
  Value left = evaluate_concrete(expression.left, scope, expression.op);
  within(left, expression.left, "invalid left-hand value to '{}' (type {}): {}");
  if (expression.features.short_circuit && left.kind == ValueKind::boolean) {
    if (expression.op == Operator::logical_and && !left.boolean_value) return Value::boolean(false, expression.position);
    if (expression.op == Operator::logical_or && left.boolean_value) return Value::boolean(true, expression.position);
  }
  Value right = evaluate_concrete(expression.right, scope, expression.op);
  within(right, expression.right, "invalid right-hand value to '{}' (type {}): {}");
  if (left.is_error() || right.is_error()) {
    return Value::of_error(combine(left.is_error() ? left.error : nullptr, right.is_error() ? right.error : nullptr));
  }
  return binary(&expression, expression.op, left, right);
}

Value Evaluator::evaluate_slice(const compile::Slice& slice, Scope* scope) {
  Value subject = evaluate_value(slice.operand, scope);
  if (subject.is_node() && slice.operand->kind == ExpressionKind::list) {
    if (const Error* error = error_within(*this, subject.node)) return Value::of_error(error);
  }
  if (subject.is_error()) return subject;
  auto bound = [&](const Expression* expression, std::uint64_t fallback, Value& failure) -> std::uint64_t {
    if (expression == nullptr) return fallback;
    Value value = evaluate_value(expression, scope);
    if (value.is_error()) {
      failure = value;
      return 0;
    }
    if (value.kind != ValueKind::number) {
      bool is_known = is_concrete(value) || (value.exists() && (kinds_of(value) & kinds::integer) == 0);
      failure = is_known
                    ? error_value(ErrorCode::evaluation, slice.position, "cannot use {} (type {}) as type {} in {}",
                                  {value, Argument::of_kinds(kinds_of(value)), Argument::of_kinds(kinds::integer), "slice index"})
                    : error_value(ErrorCode::incomplete, value.position, "incomplete {} in {}: {}",
                                  {Argument::of_kinds(kinds::integer), "slice index", value});
      return 0;
    }
    auto number = value.number->to_int64();
    if (!number) {
      failure = error_value(ErrorCode::evaluation, expression->position, "number is not an integer: {}", {value});
      return 0;
    }
    if (*number < 0) {
      failure = error_value(ErrorCode::evaluation, slice.position, "cannot convert negative number to uint64");
      return 0;
    }
    return static_cast<std::uint64_t>(*number);
  };
  if (subject.is_node()) {
    Node* node = value_node(subject.node);
    if (node->base == BaseKind::list) {
      std::vector<Value> elements;
      for (Node* arc : node->arcs) {
        if (arc->label.is_integer()) elements.push_back(Value::of_node(arc));
      }
      Value failure;
      std::uint64_t low = bound(slice.low, 0, failure);
      std::uint64_t high = bound(slice.high, elements.size(), failure);
      // Behind the end nothing begins, wherever it is to end.
      if (failure.is_error() && failure.error->is_incomplete() && low > elements.size()) {
        return error_value(ErrorCode::evaluation, slice.position, "index {} out of range", {static_cast<std::int64_t>(low)});
      }
      if (failure.is_error()) return failure;
      if (high > elements.size()) {
        return error_value(ErrorCode::evaluation, slice.position, "index {} out of range", {static_cast<std::int64_t>(high)});
      }
      if (low > high) {
        return error_value(ErrorCode::evaluation, slice.position, "invalid slice index: {} > {}",
                           {static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)});
      }
      return Value::of_node(make_list(std::span<const Value>(elements).subspan(low, high - low)));
    }
  } else if (subject.kind == ValueKind::bytes) {
    Value failure;
    std::uint64_t low = bound(slice.low, 0, failure);
    std::uint64_t high = bound(slice.high, subject.string().size(), failure);
    if (failure.is_error()) return failure;
    if (high > subject.string().size()) {
      return error_value(ErrorCode::evaluation, slice.position, "index {} out of range", {static_cast<std::int64_t>(high)});
    }
    if (low > high) {
      return error_value(ErrorCode::evaluation, slice.position, "invalid slice index: {} > {}",
                         {static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)});
    }
    return make_bytes(subject.string().substr(low, high - low), slice.position);
  }
  if (!subject.exists() || (!is_concrete(subject) && (kinds_of(subject) & (kinds::list | kinds::bytes)))) {
    return error_value(ErrorCode::incomplete, slice.position, "non-concrete slice subject {}", {slice.operand});
  }
  return error_value(ErrorCode::evaluation, slice.position, "cannot slice {} (type {})", {subject, Argument::of_kinds(kinds_of(subject))});
}

// A list whose elements are not evaluated yet: they will be part of something else.
Value Evaluator::list_of_conjuncts(const Expression* list, Scope* scope) {
  Provenance provenance;
  carry_on(provenance, provenance_);
  Node* node = make_inline(nullptr, list, scope, provenance);
  settle(node);
  return node->base == BaseKind::list ? Value::of_node(node) : Value{};
}

Value Evaluator::evaluate_call(const compile::Call& call, Scope* scope) {
  Value function = evaluate_value(call.function, scope);
  if (function.is_error()) return function;
  if (function.kind == ValueKind::validator && function.validator->call == nullptr) {
    function = Value::of_builtin(function.validator->builtin, function.position);
  }
  if (function.kind == ValueKind::validator) {
    return error_value(ErrorCode::evaluation, call.position, "cannot call previously called validator {}", {call.function});
  }
  if (function.kind != ValueKind::builtin) {
    if (!function.exists() || (!is_concrete(function) && (kinds_of(function) & kinds::function))) {
      return error_value(ErrorCode::incomplete, call.function->position, "cannot call non-concrete value {} (type {})",
                         {call.function, Argument::of_kinds(kinds_of(function))});
    }
    return error_value(ErrorCode::evaluation, call.position, "cannot call non-function {} (type {})",
                       {call.function, Argument::of_kinds(kinds_of(function))});
  }
  const Builtin& builtin = *function.builtin;
  if (builtin.raw != nullptr) return builtin.raw(*this, call, scope);
  Provenance saved = provenance_;
  provenance_.from_definition = false;
  provenance_.from_embedding = false;
  Position saved_call = std::exchange(call_, call.position);
  std::vector<Value> arguments;
  const Error* errors = nullptr;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Expression* expression = call.arguments[i];
    Value argument;
    if (builtin.takes_conjuncts && expression->kind == ExpressionKind::list) {
      argument = list_of_conjuncts(expression, scope);
      // Schemas belong to the field that they check: one that leads back to it has no end.
      if (argument.is_node() && builtin.result == kinds::boolean) argument.node->parent = current_;
    }
    if (!argument.exists()) {
      argument = builtin.non_concrete ? evaluate(expression, scope) : evaluate_value(expression, scope);
    }
    // Within an alternative that is a struct or list its own fields are counted, as they are ranged over.
    bool counts = builtin.package.empty() && builtin.result == kinds::integer && call.arguments.size() == 1;
    if (counts && argument.is_error() && std::string_view(argument.error->format) == kOwnChoice) {
      Value own = unify_node(expression, scope);
      if (own.is_node() && own.node != current_) argument = own;
    }
    // A struct or list of which a part is missing is not known yet, though others of its fields are.
    if (argument.is_node() && !builtin.non_concrete && !builtin.takes_conjuncts) {
      const Node* node = value_node(argument.node);
      if (node->status != Status::finalized && node->state != nullptr) {
        for (const Task& task : node->state->tasks) {
          if (waits(task) && (node->is_dynamic || waits_for_missing_part(task))) argument = Value::of_error(task.error);
        }
      }
    }
    // What is wrong within a literal shows when the function looks at it.
    if (argument.is_node() && expression->kind == ExpressionKind::list && !builtin.package.empty() && !builtin.takes_conjuncts) {
      if (const Error* error = error_within(*this, argument.node)) {
        argument = Value::of_error(wrap(error, call.position, "error in call to {}", {qualified_name(builtin)}));
      }
    }
    if (argument.is_error()) {
      errors = combine(errors, argument.error);
    } else if (!argument.exists()) {
      errors = combine(errors, make_error(ErrorCode::incomplete, expression->position, "argument {} to function {} is incomplete",
                                          {static_cast<std::int64_t>(i), call.function}));
    } else {
      arguments.push_back(argument);
    }
  }
  provenance_ = saved;
  call_ = saved_call;
  if (errors != nullptr) return Value::of_error(errors);
  if (builtin.is_validator_with(arguments.size())) {
    Value value;
    value.kind = ValueKind::validator;
    value.position = call.position;
    value.validator = arena_.make<Validator>(&builtin, std::span<const Value>(arena_.copy(arguments)), call.position,
                                             static_cast<const Expression*>(&call));
    return value;
  }
  Value result = call_builtin(builtin, arguments, &call, scope, false);
  if (result.is_error() && result.error->format != nullptr && !result.error->is_disjunction) return result;
  if (result.kind == ValueKind::conjunction || result.kind == ValueKind::disjunction) {
    Node* node = make_inline(nullptr, nullptr, scope, {});
    node->conjuncts.clear();
    Conjunct conjunct;
    conjunct.value = result;
    conjunct.scope = scope;
    carry_on(conjunct.provenance, provenance_);
    node->conjuncts.push(arena_, conjunct);
    settle(node);
    return Value::of_node(node);
  }
  return result;
}

const TextMatcher* Evaluator::regular_expression(const Value& pattern, const Error** error) {
  if (pattern.kind != ValueKind::string && pattern.kind != ValueKind::bytes) {
    *error = make_error(ErrorCode::evaluation, here(), "cannot use {} (type {}) as type {}",
                        {pattern, Argument::of_kinds(kinds_of(pattern)), Argument::of_kinds(kinds::string | kinds::bytes)});
    return nullptr;
  }
  auto& cached = expressions_[pattern.text.get()];
  if (cached == nullptr) {
    auto compiled = RegularExpressionCache::compile(program_.regular_expressions, pattern.string());
    if (!compiled) {
      *error = make_error(ErrorCode::evaluation, here(), "invalid regexp: {}", {copy_text(compiled.error())});
      return nullptr;
    }
    cached = std::move(*compiled);
  }
  return cached.get();
}

}  // namespace opm::cue::eval
