#include "cue/eval/predeclared.h"

#include <algorithm>

#include "cue/eval/evaluator.h"
#include "cue/eval/validate.h"

namespace opm::cue::eval {

using compile::ExpressionKind;

namespace {

// A condition around it that may add to it asks what depends on that.
bool waits_for_asker(const Node* node) {
  if (node->base != BaseKind::unknown || node->state == nullptr || !node->state->is_struct || node->state->ancestors_done) return false;
  for (node = node->parent; node != nullptr; node = node->parent) {
    if (node->state != nullptr && node->state->running_comprehensions > 0) return true;
  }
  return false;
}

Value length(Call& call) {
  Value value = call.value(0);
  if (value.is_node()) {
    Node* node = value_node(value.node);
    if (node->base == BaseKind::unknown && node->state != nullptr && node->state->is_struct) {
      call.evaluator().settle(node);
      node = value_node(node);
    }
    bool is_struct = node->base == BaseKind::structure;
    // A loop goes over fields as they are: it waits for no more of what it adds to them itself.
    const compile::Call* source = call.source();
    bool is_of_loop = source != nullptr && !source->arguments.empty() && source->arguments[0]->kind == ExpressionKind::clause_reference;
    bool is_known = node->state != nullptr && node->state->is_struct && (node->state->ancestors_done || is_of_loop);
    if (node->base == BaseKind::unknown && is_known) {
      // What was counted must stay as it is, though the fields' values may still come.
      node->state->fields_frozen = true;
      is_struct = true;
    }
    if (node->base == BaseKind::list || is_struct) {
      std::int64_t count = 0;
      for (Node* arc : node->arcs) {
        if (node->base == BaseKind::list ? arc->label.is_integer() : arc->label.is_regular() && arc->arc == ArcKind::member) ++count;
      }
      return call.make_int(count);
    }
    if (waits_for_asker(node)) return call.evaluator().error_value(ErrorCode::cycle, call.position(), "cycle error");
    value = call.evaluator().unwrap(value);
  }
  if (value.kind == ValueKind::string || value.kind == ValueKind::bytes) {
    return call.make_int(static_cast<std::int64_t>(value.string().size()));
  }
  return call.incomplete("incomplete argument {} (type {})", {value, Argument::of_kinds(kinds_of(value))});
}

Value close_struct(Call& call) {
  if (!call.value(0).is_node()) return call.error("struct argument must be concrete");
  // What is written out for the call is nobody else's.
  Node* node = call.value(0).node;
  const compile::Call* source = call.source();
  if (source != nullptr && source->arguments[0]->kind == ExpressionKind::structure && node->is_dynamic && !node->is_shared) {
    node->closed_once = true;
    return call.value(0);
  }
  return Value::of_node(call.evaluator().close_node(call.value(0)));
}

std::vector<Value> raw_elements(Node* list) {
  std::vector<Value> values;
  for (Node* arc : list->arcs) {
    if (arc->label.is_integer()) values.push_back(Value::of_node(arc));
  }
  return values;
}

Value and_all(Call& call) {
  std::vector<Value> values = raw_elements(value_node(call.value(0).node));
  if (values.empty()) return Value::type(kinds::top);
  Value result;
  result.kind = ValueKind::conjunction;
  result.list = call.arena().make<ValueList>(std::span<const Value>(call.arena().copy(values)));
  return result;
}

Value or_any(Call& call) {
  Value list = call.evaluator().take_default(call.value(0));
  if (list.is_error()) return list;
  if (!list.is_node() || value_node(list.node)->base != BaseKind::list) {
    return call.incomplete("incomplete {}: {}", {Argument::of_kinds(kinds::list), list});
  }
  std::vector<Value> values = raw_elements(value_node(list.node));
  if (values.empty()) return call.incomplete("empty list in call to or");
  Value result;
  result.kind = ValueKind::disjunction;
  result.list = call.arena().make<ValueList>(std::span<const Value>(call.arena().copy(values)));
  return result;
}

template <Operator op>
Value integer_division(Call& call) {
  Value result = call.evaluator().binary(call.source(), op, call.value(0), call.value(1));
  return result;
}

// The message is the user's; parts of it that can't be evaluated are shown as written.
Value user_error(Evaluator& evaluator, const compile::Call& call, Scope* scope) {
  if (call.arguments.size() != 1) {
    return evaluator.error_value(ErrorCode::evaluation, call.position,
                                 call.arguments.empty() ? "not enough arguments in call to error (have {}, want 1)"
                                                        : "too many arguments in call to error (have {}, want 1)",
                                 {static_cast<std::int64_t>(call.arguments.size())});
  }
  const Expression* argument = call.arguments[0];
  std::vector<Argument> arguments;
  std::vector<Position> positions;
  std::string format;
  if (argument->kind == ExpressionKind::interpolation) {
    for (const Expression* part : static_cast<const compile::Interpolation*>(argument)->parts) {
      if (part->kind == ExpressionKind::string) {
        format += static_cast<const compile::StringExpression*>(part)->value;
        continue;
      }
      format += "{}";
      Value value = evaluator.evaluate(part, scope);
      if (value.is_node()) evaluator.finalize(value.node);
      if (!value.is_error()) value = evaluator.unwrap(evaluator.take_default(value));
      if (value.is_error() || !value.exists()) {
        arguments.emplace_back(part);
        positions.push_back(part->position);
      } else if (value.kind == ValueKind::string || value.kind == ValueKind::bytes) {
        arguments.emplace_back(value.string());
      } else {
        arguments.emplace_back(value);
        evaluator.append_value_positions(positions, value);
      }
    }
  } else {
    Value value = evaluator.evaluate_value(argument, scope);
    if (value.is_error()) return value;
    format = "{}";
    arguments.emplace_back(value.kind == ValueKind::string ? Argument(value.string()) : Argument(value));
  }
  Error* error = evaluator.copy_error(*evaluator.make_error(ErrorCode::user, call.position, ""));
  std::string_view copied = evaluator.copy_text(format + std::string(1, '\0'));
  error->format = copied.data();
  error->arguments = evaluator.arena().copy(arguments);
  return Value::of_error(evaluator.with_positions(error, positions));
}

// Whether the error is that of a validator, or of a bound other than a lower or an upper limit.
bool is_check(const Error& error) {
  std::string_view format = error.format;
  if (format.starts_with("invalid value {} (does not")) return true;
  if (!format.starts_with("invalid value {} (out of bound")) return false;
  const Value& check = error.arguments[1].value;
  if (check.kind != ValueKind::bound) return false;
  Operator op = check.bound->op;
  return op != Operator::less && op != Operator::less_equal && op != Operator::greater && op != Operator::greater_equal;
}

// Whether the value, which is the original without its validators, stands when unified with the schema.
bool unifies(Evaluator& evaluator, const Value& original, const Value& value, const Value& schema, Position position,
             const Error** error) {
  Value both = evaluator.unify_values(value, schema);
  if (!both.is_error()) {
    ValidateOptions options;
    options.final = true;
    options.report_incomplete = true;
    options.all_errors = false;
    std::vector<const Error*> errors = validate(evaluator, both.node, options);
    if (errors.empty()) return true;
    *error = errors.front();
    if (!errors.front()->position.valid()) {
      Error* located = evaluator.copy_error(*errors.front());
      located->position = position;
      *error = located;
    }
    return false;
  }
  // What is wrong with the value as a whole tells, too, what that is made of.
  bool is_list = !both.error->parts.empty() && !both.error->is_disjunction;
  *error = nullptr;
  for (const Error* part : is_list ? both.error->parts : std::span<const Error* const>(&both.error, 1)) {
    std::string_view format = part->format;
    bool shows_fields = std::ranges::any_of(part->arguments, [](const Argument& shown) { return shown.value.is_node(); });
    bool is_of_whole = original.is_node() && part->node != nullptr && part->node->parent == original.node->parent &&
                       part->node->label == original.node->label;
    bool is_conflict = format.starts_with("conflicting values");
    std::vector<Position> positions;
    if (is_of_whole && (is_conflict ? shows_fields : format.starts_with("invalid value {} (does not"))) {
      evaluator.append_value_positions(positions, original);
    }
    // A check of the whole that the schema makes is one of the validator as well; a limit is the schema's own.
    const Node* around = evaluator.current_node();
    bool is_here = around != nullptr && part->node != nullptr && part->node->parent == around->parent && part->node->label == around->label;
    if (is_here && is_check(*part)) positions.push_back(position);
    Error* told = evaluator.copy_error(*evaluator.with_positions(part, positions));
    if (!is_conflict && !told->position.valid()) told->position = position;
    *error = evaluator.combine(*error, told);
  }
  return false;
}

Value match_n(Call& call) {
  Evaluator& evaluator = call.evaluator();
  if (!call.is_validator()) return call.error("matchN is a validator and should not be used as a function");
  if (evaluator.provenance().cycle == CycleKind::cyclic) {
    return evaluator.error_value(ErrorCode::structural_cycle, call.position(), "structural cycle");
  }
  Value schemas = evaluator.take_default(call.value(2));
  if (schemas.is_error()) return schemas;
  if (!schemas.is_node() || value_node(schemas.node)->base != BaseKind::list) {
    return call.incomplete("incomplete {}: {}", {Argument::of_kinds(kinds::list), schemas});
  }
  Value self = evaluator.as_data(call.value(0));
  if (self.is_error()) return call.make_bool(false);
  std::int64_t count = 0;
  std::int64_t possible_count = 0;
  std::vector<const Error*> errors;
  for (const Value& schema : raw_elements(value_node(schemas.node))) {
    const Error* error = nullptr;
    if (unifies(evaluator, call.value(0), self, schema, call.position(), &error)) {
      ++count;
    } else {
      errors.push_back(error);
      possible_count += error->is_incomplete();
    }
  }
  Value bound = evaluator.unwrap(call.value(1));
  Value matched = evaluator.unify_values(bound, call.make_int(count));
  if (!matched.is_error()) return call.make_bool(true);
  bool incomplete = false;
  if (bound.kind == ValueKind::number) {
    auto wanted = bound.number->to_int64();
    incomplete = wanted && *wanted > count && *wanted <= count + possible_count;
  } else {
    for (std::int64_t i = count; i <= count + possible_count && !incomplete; ++i) {
      incomplete = !evaluator.unify_values(bound, call.make_int(i)).is_error();
    }
  }
  // Beside that, why the schemas don't match; if some may yet, only why those don't.
  if (incomplete) std::erase_if(errors, [](const Error* error) { return !error->is_incomplete(); });
  Value result = incomplete ? call.incomplete("{} matched, expected {}", {count, bound})
                            : call.error("{} matched, expected {}", {count, bound});
  Error* mismatch = evaluator.copy_error(*result.error);
  mismatch->parts = call.arena().copy(errors);
  return Value::of_error(mismatch);
}

Value match_if(Call& call) {
  Evaluator& evaluator = call.evaluator();
  if (!call.is_validator()) return call.error("matchIf is a validator and should not be used as a function");
  if (evaluator.provenance().cycle == CycleKind::cyclic) {
    return evaluator.error_value(ErrorCode::structural_cycle, call.position(), "structural cycle");
  }
  Value self = evaluator.as_data(call.value(0));
  if (self.is_error()) return call.make_bool(false);
  const Error* error = nullptr;
  bool holds = unifies(evaluator, call.value(0), self, call.value(1), call.position(), &error);
  if (unifies(evaluator, call.value(0), self, call.value(holds ? 2 : 3), call.position(), &error)) return call.make_bool(true);
  return Value::of_error(error);
}

// Used as a value, it only keeps a node from being shared (see Evaluator::insert_value).
Value no_sharing(Call& call) { return call.error("__no_sharing is not a function"); }

// Why the argument can't be closed, or null: only what is written out can be, and only where structs are open unless
// closed.
const char* not_closable(const Call& call, bool allows_close) {
  const Expression* argument = call.source() != nullptr && !call.source()->arguments.empty() ? call.source()->arguments[0] : nullptr;
  bool is_written_out = argument != nullptr && (argument->kind == ExpressionKind::structure || argument->kind == ExpressionKind::list);
  if (allows_close && argument != nullptr && argument->kind == ExpressionKind::call) {
    const Expression* function = static_cast<const compile::Call*>(argument)->function;
    is_written_out = function->kind == ExpressionKind::builtin &&
                     static_cast<const compile::BuiltinExpression*>(function)->builtin->name == "close";
  }
  if (!is_written_out) return "argument must be a struct or list literal";
  return argument->features.explicit_open ? nullptr : "{} may only be used when explicitopen is enabled";
}

Value close_all(Call& call) {
  if (const char* problem = not_closable(call, false)) return call.error(problem, {"__closeAll"});
  if (!call.value(0).is_node()) return call.error("struct argument must be concrete");
  call.value(0).node->closed_recursively = true;
  return call.value(0);
}

// Shows whether a file takes part in the experiment that changes nothing else.
Value test_experiment(Call& call) {
  bool takes_part = call.source() != nullptr && call.source()->features.testing;
  return takes_part ? call.value(0) : call.error("testing experiment disabled");
}

// Closes a literal as much as what it embeds with `...` was closed.
Value reclose(Call& call) {
  if (const char* problem = not_closable(call, true)) return call.error(problem, {"__reclose"});
  if (call.value(0).is_node()) {
    Node* node = call.value(0).node;
    if (node->state != nullptr && node->state->embeds_recursively_closed) {
      node->closed_recursively = true;
      // What close() closed is closed all the way down then.
      if (call.source()->arguments[0]->kind == ExpressionKind::call) node->closed_once = false;
    } else if (node->state != nullptr && node->state->embeds_closed) {
      node->closed_once = true;
    }
  }
  return call.value(0);
}

Parameter of(KindSet kind_set) {
  Parameter parameter;
  parameter.kinds = kind_set;
  return parameter;
}

std::vector<Builtin> make_predeclared() {
  std::vector<Builtin> list;
  auto add = [&](std::string_view name, std::vector<Parameter> parameters, KindSet result, BuiltinFunction function) -> Builtin& {
    Builtin builtin;
    builtin.name = name;
    builtin.parameters = std::move(parameters);
    builtin.result = result;
    builtin.function = function;
    list.push_back(std::move(builtin));
    return list.back();
  };
  KindSet top = kinds::top;
  add("len", {of(kinds::string | kinds::bytes | kinds::list | kinds::structure)}, kinds::integer, length);
  add("close", {of(kinds::structure)}, kinds::structure, close_struct).closes_argument = true;
  add("and", {of(kinds::list)}, kinds::integer, and_all).takes_conjuncts = true;
  Builtin& any = add("or", {of(kinds::list)}, kinds::integer, or_any);
  any.non_concrete = true;
  any.takes_conjuncts = true;
  add("div", {of(kinds::integer), of(kinds::integer)}, kinds::integer, integer_division<Operator::div>);
  add("mod", {of(kinds::integer), of(kinds::integer)}, kinds::integer, integer_division<Operator::mod>);
  add("quo", {of(kinds::integer), of(kinds::integer)}, kinds::integer, integer_division<Operator::quo>);
  add("rem", {of(kinds::integer), of(kinds::integer)}, kinds::integer, integer_division<Operator::rem>);
  add("__no_sharing", {}, top, no_sharing);
  add("__closeAll", {of(top)}, top, close_all);
  add("__reclose", {of(top)}, top, reclose);
  add("__test_experiment", {of(top)}, top, test_experiment).non_concrete = true;
  add("error", {of(kinds::string)}, kinds::bottom, nullptr).raw = user_error;
  Builtin& match = add("matchN", {of(top), of(top), of(kinds::list)}, kinds::boolean, match_n);
  match.non_concrete = true;
  match.takes_conjuncts = true;
  add("matchIf", {of(top), of(top), of(top), of(top)}, kinds::boolean, match_if).non_concrete = true;
  return list;
}

}  // namespace

std::span<const Builtin> predeclared_builtins() {
  static const std::vector<Builtin> list = make_predeclared();
  return list;
}

const Builtin* find_predeclared(std::string_view name) {
  for (const Builtin& builtin : predeclared_builtins()) {
    if (builtin.name == name) return &builtin;
  }
  return nullptr;
}

}  // namespace opm::cue::eval
