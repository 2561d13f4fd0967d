#include "cue/eval/bounds.h"

#include <optional>

#include "cue/eval/evaluator.h"
#include "cue/eval/worlds.h"

namespace opm::cue::eval {

namespace {

// -1: from above, 1: from below; the others are only comparable with themselves.
int category(Operator op) {
  switch (op) {
    case Operator::greater:
    case Operator::greater_equal: return 1;
    case Operator::less:
    case Operator::less_equal: return -1;
    case Operator::match: return 2;
    case Operator::not_match: return 3;
    case Operator::equal: return 4;
    default: return 0;
  }
}

std::optional<int> compare_operands(const Value& a, const Value& b) {
  if (a.kind == ValueKind::number && b.kind == ValueKind::number) {
    auto order = base::Number::compare(*a.number, *b.number);
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  }
  if ((a.kind == ValueKind::string && b.kind == ValueKind::string) ||
      (a.kind == ValueKind::bytes && b.kind == ValueKind::bytes)) {
    int order = a.string().compare(b.string());
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  }
  return std::nullopt;
}

bool equal_operands(Evaluator& evaluator, const Value& a, const Value& b) {
  if (auto order = compare_operands(a, b)) return *order == 0;
  if (a.kind == ValueKind::node || b.kind == ValueKind::node) return evaluator.equal_values(a, b);
  return same_scalar(a, b);
}

bool holds(Operator op, int order) {
  switch (op) {
    case Operator::less: return order < 0;
    case Operator::less_equal: return order <= 0;
    case Operator::greater: return order > 0;
    case Operator::greater_equal: return order >= 0;
    case Operator::equal: return order == 0;
    case Operator::not_equal: return order != 0;
    default: return true;
  }
}

Value bound_value(const BoundValue& bound) {
  Value value;
  value.kind = ValueKind::bound;
  value.bound = &bound;
  value.position = bound.position;
  return value;
}

// The nearest integer that the bound lets through, towards the inside.
base::Number inner_integer(base::Arena& arena, const BoundValue& bound) {
  const base::Number& number = *bound.operand.number;
  if (number.is_integral()) return number;
  mpz_t floor;
  mpz_init(floor);
  mpz_t divisor;
  mpz_init(divisor);
  number.coefficient(floor);
  mpz_ui_pow_ui(divisor, 10, static_cast<unsigned long>(-number.exponent()));
  bool up = bound.op == Operator::greater_equal || bound.op == Operator::less;
  if (up) {
    mpz_cdiv_q(floor, floor, divisor);
  } else {
    mpz_fdiv_q(floor, floor, divisor);
  }
  base::Number result = base::Number::from_mpz(arena, floor);
  mpz_clear(floor);
  mpz_clear(divisor);
  return result;
}

}  // namespace

BoundsResult simplify_bounds(Evaluator& evaluator, KindSet kind_set, const BoundValue& first, const BoundValue& second) {
  using Keep = BoundsResult::Keep;
  int a = category(first.op);
  int b = category(second.op);
  if (a == b) {
    if (a != 1 && a != -1) return {equal_operands(evaluator, first.operand, second.operand) ? Keep::first : Keep::both};
    auto order = compare_operands(first.operand, second.operand);
    if (!order) return {};
    // Of two bounds on the same side the tighter one stays; of equal ones the exclusive one.
    bool first_tighter;
    if (first.op == Operator::greater) {
      first_tighter = *order >= 0;
    } else if (first.op == Operator::greater_equal) {
      first_tighter = *order > 0;
    } else if (first.op == Operator::less) {
      first_tighter = *order <= 0;
    } else {
      first_tighter = *order < 0;
    }
    return {first_tighter ? Keep::first : Keep::second};
  }
  if (a == -b && (a == 1 || a == -1)) {
    const BoundValue& low = a == 1 ? first : second;
    const BoundValue& high = a == 1 ? second : first;
    bool both_inclusive = low.op == Operator::greater_equal && high.op == Operator::less_equal;
    bool both_exclusive = low.op == Operator::greater && high.op == Operator::less;
    if (low.operand.kind == ValueKind::number && high.operand.kind == ValueKind::number) {
      base::Arena& arena = evaluator.arena();
      bool integers = (kind_set & kinds::floating) == 0;
      base::Number lo = integers ? inner_integer(arena, low) : *low.operand.number;
      base::Number hi = integers ? inner_integer(arena, high) : *high.operand.number;
      auto order = base::Number::compare(hi, lo);
      auto incompatible = [&](const BoundValue& x, const BoundValue& y) {
        const char* format = kind_set == kinds::integer ? "incompatible integer bounds {} and {}"
                                                        : "incompatible number bounds {} and {}";
        return BoundsResult{Keep::both,
                            evaluator.make_error(ErrorCode::evaluation, evaluator.here(), format, {bound_value(x), bound_value(y)})};
      };
      if (order < 0) return incompatible(high, low);
      if (order == 0) return both_inclusive ? BoundsResult{} : incompatible(high, low);
      if (integers && both_exclusive) {
        auto difference = base::Number::subtract(arena, hi, lo);
        if (difference && difference->to_int64() == 1) return incompatible(low, high);
      }
      return {};
    }
    auto order = compare_operands(high.operand, low.operand);
    if (!order) return {};
    if (*order < 0 || (*order == 0 && !both_inclusive)) {
      const char* format = low.operand.kind == ValueKind::bytes ? "incompatible bytes bounds {} and {}"
                                                                : "incompatible string bounds {} and {}";
      return {Keep::both, evaluator.make_error(ErrorCode::evaluation, evaluator.here(), format, {bound_value(high), bound_value(low)})};
    }
    return {};
  }
  if (first.op == Operator::not_equal || second.op == Operator::not_equal) {
    const BoundValue& excluded = first.op == Operator::not_equal ? first : second;
    const BoundValue& other = first.op == Operator::not_equal ? second : first;
    // What the other bound excludes anyway need not be excluded twice.
    Keep keep_other = &excluded == &first ? Keep::second : Keep::first;
    if (excluded.operand.kind == ValueKind::null) return {keep_other};
    if (other.op == Operator::match || other.op == Operator::not_match) {
      if (kinds_of(excluded.operand) != kinds_of(other.operand)) return {};
      Value matches = evaluator.binary(other.expression, other.op, excluded.operand, other.operand);
      if (matches.kind == ValueKind::boolean && !matches.boolean_value) return {keep_other};
      return {};
    }
    auto order = compare_operands(excluded.operand, other.operand);
    if (order && !holds(other.op, *order)) return {keep_other};
  }
  return {};
}

bool same_scalar(const Value& a, const Value& b) {
  if (a.kind != b.kind) return false;
  const Variation* variation = a.variation() != nullptr ? a.variation() : b.variation();
  if (variation != nullptr && !variation->worlds->is_reading()) {
    if (a.pointer == b.pointer) return true;
    return variation->worlds->decide([&] { return same_scalar(a, b); });
  }
  switch (a.kind) {
    case ValueKind::null: return true;
    case ValueKind::boolean: return a.boolean_value == b.boolean_value;
    case ValueKind::number:
      return a.number->is_int() == b.number->is_int() && base::Number::compare(*a.number, *b.number) == 0;
    case ValueKind::string:
    case ValueKind::bytes: return a.string() == b.string();
    default: return a.pointer == b.pointer;
  }
}

bool same_validator(Evaluator& evaluator, const Value& a, const Value& b) {
  if (a.kind != ValueKind::validator || b.kind != ValueKind::validator) return false;
  if (a.validator == b.validator) return true;
  if (a.validator->builtin != b.validator->builtin) return false;
  if (a.validator->arguments.size() != b.validator->arguments.size()) return false;
  for (std::size_t i = 0; i < a.validator->arguments.size(); ++i) {
    if (!evaluator.equal_values(a.validator->arguments[i], b.validator->arguments[i])) return false;
  }
  return true;
}

}  // namespace opm::cue::eval
