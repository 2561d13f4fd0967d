// Operators on concrete values, pattern matching of labels, and checking values
// against bounds and validators.

#include <algorithm>

#include "cue/eval/bounds.h"
#include "cue/eval/evaluator.h"
#include "cue/eval/missing_part.h"
#include "cue/eval/regular_expression.h"
#include "cue/eval/worlds.h"

namespace opm::cue::eval {

namespace {

constexpr std::int64_t kMaxRepeat = 1'000'000;
constexpr int kDeepestValidator = 30;
constexpr int kMostValidatorCalls = 50'000;  // below one that is not nested in another

bool comparison_holds(Operator op, int order) {
  switch (op) {
    case Operator::equal: return order == 0;
    case Operator::not_equal: return order != 0;
    case Operator::less: return order < 0;
    case Operator::less_equal: return order <= 0;
    case Operator::greater: return order > 0;
    case Operator::greater_equal: return order >= 0;
    default: return false;
  }
}

int sign_of(std::strong_ordering order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

}  // namespace

bool Evaluator::concrete_all_the_way(Node* node, const Error** error) {
  finalize(node);
  node = value_node(node);
  if (node->base == BaseKind::unknown && node->state != nullptr && has_all_fields(*node->state)) conclude(*node->state);
  switch (node->base) {
    case BaseKind::error: *error = node->error; return false;
    case BaseKind::value:
      if (is_concrete(node->value)) return true;
      *error = make_error(ErrorCode::incomplete, node->value.position, "incomplete value {}", {node->value});
      return false;
    case BaseKind::disjunction:
      if (node->default_count == 1) return concrete_all_the_way(node->disjuncts[0], error);
      *error = make_error(ErrorCode::incomplete, {}, "incomplete value {}", {Value::of_node(node)});
      return false;
    case BaseKind::structure:
    case BaseKind::list:
      for (Node* arc : node->arcs) {
        if (!arc->label.is_regular() || arc->arc == ArcKind::optional || arc->arc == ArcKind::absent) continue;
        if (arc->arc == ArcKind::required) {
          *error = make_error(ErrorCode::incomplete, {}, "field is required but not present");
          return false;
        }
        if (!concrete_all_the_way(arc, error)) return false;
      }
      return true;
    default:
      *error = make_error(ErrorCode::cycle, {}, "cycle error");
      return false;
  }
}

Value Evaluator::number_result(const std::optional<base::Number>& number, Position position) {
  if (!number) return error_value(ErrorCode::evaluation, position, "result of arithmetic is out of range");
  return make_number(*number, position);
}

Value Evaluator::binary(const Expression* source, Operator op, const Value& left, const Value& right) {
  bool varies = worlds_ != nullptr && (left.variation() != nullptr || right.variation() != nullptr);
  if (!varies || worlds_->is_reading()) return operation(source, op, left, right);
  return in_all_worlds([&] { return operation(source, op, left, right); });
}

Value Evaluator::operation(const Expression* source, Operator op, const Value& left, const Value& right) {
  KindSet left_kind = kinds_of(left);
  KindSet right_kind = kinds_of(right);
  Position position = source != nullptr ? source->position : Position{};
  for (const Value* operand : {&left, &right}) {
    if (!operand->is_node()) continue;
    // Structs can be compared and nothing else, whatever is in them.
    if (kinds_of(*operand) == kinds::structure && op != Operator::equal && op != Operator::not_equal) continue;
    const Error* error = nullptr;
    if (!concrete_all_the_way(operand->node, &error)) {
      return error_value(error->code, position,
                         operand == &left ? "invalid left-hand value to '{}' (type {}): {}"
                                          : "invalid right-hand value to '{}' (type {}): {}",
                         {op, Argument::of_kinds(left_kind), error});
    }
  }
  bool numbers = left.kind == ValueKind::number && right.kind == ValueKind::number;
  bool strings = left.kind == ValueKind::string && right.kind == ValueKind::string;
  bool bytes = left.kind == ValueKind::bytes && right.kind == ValueKind::bytes;
  bool struct_comparison = source == nullptr || source->features.struct_comparison;
  switch (op) {
    case Operator::equal:
    case Operator::not_equal: {
      bool want = op == Operator::equal;
      if (numbers) return Value::boolean((base::Number::compare(*left.number, *right.number) == 0) == want, position);
      if (left_kind != right_kind) {
        if (struct_comparison || left_kind == kinds::null || right_kind == kinds::null) return Value::boolean(!want, position);
        break;
      }
      if (left_kind == kinds::structure && !struct_comparison) break;
      if (left.is_node()) return Value::boolean(equal_values(left, right) == want, position);
      if (left.is_concrete_scalar()) return Value::boolean(same_scalar(left, right) == want, position);
      break;
    }
    case Operator::less:
    case Operator::less_equal:
    case Operator::greater:
    case Operator::greater_equal:
      if (numbers) return Value::boolean(comparison_holds(op, sign_of(base::Number::compare(*left.number, *right.number))), position);
      if (strings || bytes) {
        int order = left.string().compare(right.string());
        return Value::boolean(comparison_holds(op, order < 0 ? -1 : order > 0 ? 1 : 0), position);
      }
      break;
    case Operator::logical_and:
    case Operator::logical_or:
      for (const Value* operand : {&left, &right}) {
        if (operand->kind != ValueKind::boolean) {
          return error_value(ErrorCode::evaluation, position, "cannot use {} (type {}) as type {} in {}",
                             {*operand, Argument::of_kinds(kinds_of(*operand)), Argument::of_kinds(kinds::boolean), op});
        }
        // Where the left one decides, the right one is there, but it does not matter what it is.
        bool decides = operand->boolean_value == (op == Operator::logical_or);
        if (decides) return Value::boolean(operand->boolean_value, position);
      }
      return Value::boolean(right.boolean_value, position);
    case Operator::match:
    case Operator::not_match: {
      if (left.kind != ValueKind::string && left.kind != ValueKind::bytes) {
        return error_value(ErrorCode::evaluation, position, "cannot use {} (type {}) as type {} in {}",
                           {left, Argument::of_kinds(left_kind), Argument::of_kinds(kinds::string), op});
      }
      const Error* error = nullptr;
      const TextMatcher* expression = regular_expression(right, &error);
      if (error != nullptr) return Value::of_error(error);
      bool found = expression->matches(left.string());
      return Value::boolean(found == (op == Operator::match), position);
    }
    case Operator::add:
      if (numbers) return number_result(base::Number::add(arena_, *left.number, *right.number), position);
      if (strings || bytes) {
        if (!text_fits(left.string().size() + right.string().size())) return Value::of_error(exhausted_error());
        std::string both;
        both.reserve(left.string().size() + right.string().size());
        both += left.string();
        both += right.string();
        return strings ? make_string(both, position) : make_bytes(both, position);
      }
      if (left_kind == kinds::list && right_kind == kinds::list) {
        return error_value(ErrorCode::evaluation, position,
                           "Addition of lists is superseded by list.Concat; see https://cuelang.org/e/v0.11-list-arithmetic");
      }
      break;
    case Operator::subtract:
      if (numbers) return number_result(base::Number::subtract(arena_, *left.number, *right.number), position);
      break;
    case Operator::multiply: {
      if (numbers) return number_result(base::Number::multiply(arena_, *left.number, *right.number), position);
      const Value* text = nullptr;
      const Value* count = nullptr;
      if ((left.kind == ValueKind::string || left.kind == ValueKind::bytes) && right_kind == kinds::integer) {
        text = &left;
        count = &right;
      } else if (left_kind == kinds::integer && (right.kind == ValueKind::string || right.kind == ValueKind::bytes)) {
        text = &right;
        count = &left;
      }
      if (text != nullptr) {
        const char* what = text->kind == ValueKind::string ? "string multiplication" : "bytes multiplication";
        auto times = count->number->to_int64();
        if (!times || *times < 0) {
          return error_value(ErrorCode::evaluation, position, "cannot convert negative number to uint64");
        }
        if (*times > kMaxRepeat) {
          return error_value(ErrorCode::evaluation, position, "{} count {} exceeds limit of {}", {what, *times, kMaxRepeat});
        }
        if (!text_fits(text->string().size() * static_cast<std::uint64_t>(*times))) return Value::of_error(exhausted_error());
        std::string repeated;
        for (std::int64_t i = 0; i < *times; ++i) repeated += text->string();
        return text->kind == ValueKind::string ? make_string(repeated, position) : make_bytes(repeated, position);
      }
      if ((left_kind == kinds::list && right_kind == kinds::integer) || (left_kind == kinds::integer && right_kind == kinds::list)) {
        return error_value(ErrorCode::evaluation, position,
                           "Multiplication of lists is superseded by list.Repeat; see https://cuelang.org/e/v0.11-list-arithmetic");
      }
      break;
    }
    case Operator::divide:
      if (numbers) {
        auto quotient = base::Number::divide(arena_, *left.number, *right.number);
        if (!quotient) {
          return error_value(ErrorCode::evaluation, position,
                             left.number->is_zero() && right.number->is_zero() ? "failed arithmetic: division undefined"
                             : right.number->is_zero()                         ? "failed arithmetic: division by zero"
                                                                               : "failed arithmetic: result out of range");
        }
        return make_number(*quotient, position);
      }
      break;
    case Operator::quo:
    case Operator::rem:
    case Operator::div:
    case Operator::mod:
      if (left_kind == kinds::integer && right_kind == kinds::integer) {
        auto result = op == Operator::quo   ? base::Number::int_quo(arena_, *left.number, *right.number)
                      : op == Operator::rem ? base::Number::int_rem(arena_, *left.number, *right.number)
                      : op == Operator::div ? base::Number::int_div(arena_, *left.number, *right.number)
                                            : base::Number::int_mod(arena_, *left.number, *right.number);
        if (!result) return error_value(ErrorCode::evaluation, position, "division by zero");
        return make_number(*result, position);
      }
      break;
    default: break;
  }
  return error_value(ErrorCode::evaluation, position, "invalid operands {} and {} to '{}' (type {} and {})",
                     {left, right, op, Argument::of_kinds(left_kind), Argument::of_kinds(right_kind)});
}

// --- labels and patterns ---------------------------------------------------------------------------

bool Evaluator::matches_pattern(const Value& pattern, Label label) {
  if (!label.is_regular()) return false;
  switch (pattern.kind) {
    case ValueKind::basic_type: return (pattern.type_kinds & (label.is_integer() ? kinds::integer : kinds::string)) != 0;
    case ValueKind::string: return label.is_string() && label_text(names_, label) == pattern.string();
    case ValueKind::number: return label.is_integer() && pattern.number->to_int64() == static_cast<std::int64_t>(label.index());
    case ValueKind::bound: {
      const BoundValue& bound = *pattern.bound;
      if (label.is_integer()) {
        if (bound.operand.kind != ValueKind::number) return bound.operand.kind == ValueKind::null;
        return comparison_holds(bound.op, sign_of(base::Number::compare(base::Number::from_int(label.index()), *bound.operand.number)));
      }
      if (bound.operand.kind == ValueKind::null) return bound.op == Operator::not_equal;
      if (bound.operand.kind != ValueKind::string) return false;
      std::string_view text = label_text(names_, label);
      if (bound.op == Operator::match || bound.op == Operator::not_match) {
        const Error* error = nullptr;
        const TextMatcher* expression = regular_expression(bound.operand, &error);
        if (expression == nullptr) return false;
        return expression->matches(text) == (bound.op == Operator::match);
      }
      int order = text.compare(bound.operand.string());
      return comparison_holds(bound.op, order < 0 ? -1 : order > 0 ? 1 : 0);
    }
    case ValueKind::conjunction:
      for (const Value& part : pattern.list->values) {
        if (!matches_pattern(part, label)) return false;
      }
      return true;
    case ValueKind::disjunction:
      for (const Value& part : pattern.list->values) {
        if (matches_pattern(part, label)) return true;
      }
      return false;
    case ValueKind::node: {
      finalize(pattern.node);
      Node* node = value_node(pattern.node);
      if (node->base == BaseKind::value) return matches_pattern(node->value, label);
      if (node->base == BaseKind::disjunction) {
        for (Node* disjunct : node->disjuncts) {
          if (matches_pattern(Value::of_node(disjunct), label)) return true;
        }
      }
      return false;
    }
    case ValueKind::validator: return validate_check(pattern, label_value(label)) == nullptr;
    default: return false;
  }
}

// --- checks -------------------------------------------------------------------------------------------

std::string_view Evaluator::qualified_name(const Builtin& builtin) {
  return builtin.package.empty() ? builtin.name : copy_text(std::string(builtin.package) + "." + std::string(builtin.name));
}

const Error* Evaluator::validate_check(const Value& check, const Value& value) {
  if (check.kind == ValueKind::bound) {
    const BoundValue& bound = *check.bound;
    Value result = binary(bound.expression, bound.op, value, bound.operand);
    if (result.is_error()) return result.error;
    if (result.boolean_value) return nullptr;
    return make_error(ErrorCode::evaluation, bound.position, "invalid value {} (out of bound {})", {value, check});
  }
  const Validator& validator = *check.validator;
  std::vector<Value> arguments;
  arguments.push_back(value);
  arguments.insert(arguments.end(), validator.arguments.begin(), validator.arguments.end());
  Value result = call_builtin(*validator.builtin, arguments, static_cast<const compile::Call*>(validator.call), nullptr, true);
  if (result.kind == ValueKind::boolean && result.boolean_value) return nullptr;
  if (!result.exists()) return nullptr;
  const Error* cause = nullptr;
  ErrorCode code = ErrorCode::evaluation;
  std::span<const Error* const> reasons;  // further errors of the node, beside the one that the validator gave
  if (result.is_error()) {
    cause = result.error;
    code = cause->code;
    if (!cause->parts.empty() && !cause->is_disjunction && cause->format[0] != '\0') {
      reasons = cause->parts;
      Error* bare = copy_error(*cause);
      bare->parts = {};
      cause = bare;
    }
  } else if (result.kind != ValueKind::boolean) {
    return make_error(ErrorCode::evaluation, validator.position, "invalid validator {}", {validator.builtin->name});
  }
  // Schemas can be long, so a validator that takes them is only named.
  bool show_arguments = !validator.arguments.empty() && !validator.builtin->non_concrete;
  Argument shown = show_arguments ? Argument(check) : Argument(qualified_name(*validator.builtin));
  // A function that is only named is not written down as a check of this value.
  Position written = validator.call != nullptr ? validator.position : Position{};
  Error* error = copy_error(*make_error(code, written, "invalid value {} (does not satisfy {})", {value, shown}));
  error->cause = cause;
  std::vector<Position> positions;
  for (const Value& argument : validator.arguments) positions.push_back(argument.is_node() ? Position{} : argument.position);
  const Error* all = with_positions(error, positions);
  for (const Error* reason : reasons) all = combine(all, reason);
  return all;
}

Value Evaluator::call_builtin(const Builtin& builtin, std::span<const Value> given, const compile::Call* source, Scope* scope,
                              bool is_validator) {
  Position position = source != nullptr ? source->position : Position{};
  std::vector<Value> arguments(given.begin(), given.end());
  auto name = [&] { return qualified_name(builtin); };  // for messages
  if (arguments.size() > builtin.parameters.size()) {
    return error_value(ErrorCode::evaluation, position, "too many arguments in call to {} (have {}, want {})",
                       {name(), static_cast<std::int64_t>(arguments.size()), static_cast<std::int64_t>(builtin.parameters.size())});
  }
  if (arguments.size() < builtin.parameters.size() && !builtin.parameters[arguments.size()].has_default) {
    return error_value(ErrorCode::evaluation, position, "not enough arguments in call to {} (have {}, want {})",
                       {name(), static_cast<std::int64_t>(arguments.size()), static_cast<std::int64_t>(builtin.parameters.size())});
  }
  while (arguments.size() < builtin.parameters.size()) arguments.push_back(builtin.parameters[arguments.size()].default_value);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Value& argument = arguments[i];
    if (argument.is_error()) return argument;
    if (argument.is_node() && value_node(argument.node)->base == BaseKind::error && !builtin.non_concrete) {
      return Value::of_error(value_node(argument.node)->error);
    }
    KindSet kind_set = kinds_of(argument);
    if (!(builtin.parameters[i].kinds & kind_set)) {
      if (argument.is_node() && value_node(argument.node)->base == BaseKind::error) {
        const Error* cause = value_node(argument.node)->error;
        return Value::of_error(is_validator ? cause : wrap(cause, position, "error in call to {}", {name()}));
      }
      return error_value(ErrorCode::evaluation, argument.position, "cannot use {} (type {}) as {} in argument {} to {}",
                         {argument, Argument::of_kinds(kind_set), Argument::of_kinds(builtin.parameters[i].kinds),
                          static_cast<std::int64_t>(i + 1), name()});
    }
    if (!builtin.non_concrete && !is_concrete(argument)) {
      KindSet wanted = builtin.parameters[i].kinds;
      bool is_scalar = wanted != kinds::bottom && (wanted & (kinds::structure | kinds::list)) == 0;
      const Error* cause =
          is_scalar ? make_error(ErrorCode::incomplete, argument.position, "non-concrete value {}", {Argument::of_kinds(kind_set)})
                    : make_error(ErrorCode::incomplete, position,
                                 wanted == kinds::list ? "non-concrete list for argument {}" : "non-concrete argument {}",
                                 {static_cast<std::int64_t>(i)});
      if (is_validator) return Value::of_error(cause);
      return Value::of_error(wrap(cause, position, "error in call to {}", {name()}));
    }
    const Parameter& parameter = builtin.parameters[i];
    if (!parameter.choices.empty() && argument.is_string() && std::ranges::find(parameter.choices, argument.string()) == parameter.choices.end()) {
      return error_value(ErrorCode::evaluation, argument.position, "cannot use {} as {} in argument {} to {}",
                         {argument, parameter.constraint, static_cast<std::int64_t>(i + 1), name()});
    }
  }
  // A validator that checks a value against itself, through whatever it unifies, has no end.
  if (is_validator && validator_depth_ == 0) validator_calls_ = 0;
  if (is_validator && (validator_depth_ >= kDeepestValidator || ++validator_calls_ > kMostValidatorCalls)) {
    return error_value(ErrorCode::structural_cycle, position, "structural cycle");
  }
  validator_depth_ += is_validator;
  auto run = [&] {
    Call call(*this, builtin, arguments, source, scope, is_validator);
    Value made = builtin.function(call);
    return call.failed() && !made.is_error() ? call.failure() : made;
  };
  Value result = worlds_ == nullptr ? run() : in_all_worlds(run);
  validator_depth_ -= is_validator;
  if (result.is_error() && !is_validator) {
    return Value::of_error(wrap(result.error, position, "error in call to {}", {name()}));
  }
  return result;
}

}  // namespace opm::cue::eval
