#include "cue/export/bound_range.h"

#include <array>
#include <optional>
#include <span>

#include "base/arena.h"

namespace opm::cue::exporting {

namespace {

using compile::Operator;
using eval::BoundValue;

struct NamedRange {
  std::string_view name;
  std::string_view least;
  std::string_view most;
};

constexpr std::array kIntegers = {
    NamedRange{"int8", "-128", "127"},
    NamedRange{"int16", "-32768", "32767"},
    NamedRange{"int32", "-2147483648", "2147483647"},
    NamedRange{"int64", "-9223372036854775808", "9223372036854775807"},
    NamedRange{"int128", "-170141183460469231731687303715884105728", "170141183460469231731687303715884105727"},
    NamedRange{"uint8", "0", "255"},
    NamedRange{"uint16", "0", "65535"},
    NamedRange{"uint32", "0", "4294967295"},
    NamedRange{"uint64", "0", "18446744073709551615"},
    NamedRange{"uint128", "0", "340282366920938463463374607431768211455"},
};

constexpr std::array kFloats = {
    NamedRange{"float32", "-3.40282346638528859811704183484516925440e+38", "3.40282346638528859811704183484516925440e+38"},
    NamedRange{"float64", "-1.797693134862315708145274237317043567981e+308",
               "1.797693134862315708145274237317043567981e+308"},
};

std::strong_ordering compare(const base::Number& a, std::string_view text) {
  base::Arena arena;
  auto number = base::Number::parse_decimal(arena, text);
  return number ? base::Number::compare(a, *number) : std::strong_ordering::less;
}

// The first type that has one end of the range; ends that it covers are taken out.
std::string_view match(std::span<const NamedRange> ranges, const BoundValue*& lower, const BoundValue*& upper) {
  if (lower == nullptr || upper == nullptr) return {};
  const base::Number& least = *lower->operand.number;
  const base::Number& most = *upper->operand.number;
  for (const NamedRange& range : ranges) {
    auto low = compare(least, range.least);
    auto high = compare(most, range.most);
    if (!least.is_zero() && lower->op == Operator::greater_equal && low == 0) {
      if (high > 0) continue;
      if (high == 0 && upper->op == Operator::less_equal) upper = nullptr;
      lower = nullptr;
      return range.name;
    }
    if (upper->op == Operator::less_equal && high == 0 && low >= 0) {
      if (low == 0 && lower->op == Operator::greater_equal) lower = nullptr;
      upper = nullptr;
      return range.name;
    }
  }
  return {};
}

}  // namespace

bool BoundRange::add(const eval::Value& value) {
  if (value.kind == eval::ValueKind::basic_type) {
    if ((value.type_kinds & compile::kinds::scalar) != compile::kinds::integer) return false;
    is_integer_ = true;
    return true;
  }
  if (value.kind != eval::ValueKind::bound) return false;
  const BoundValue& bound = *value.bound;
  bool is_number = bound.operand.is_number();
  if (is_number && eval::kinds_of(value) == compile::kinds::integer) is_integer_ = true;
  if (!is_number) return false;
  const base::Number& number = *bound.operand.number;
  switch (bound.op) {
    case Operator::greater:
      if (lower_ == nullptr || base::Number::compare(*lower_->operand.number, number) <= 0) lower_ = &bound;
      return true;
    case Operator::greater_equal:
      if (lower_ == nullptr || base::Number::compare(*lower_->operand.number, number) < 0) lower_ = &bound;
      return true;
    case Operator::less:
      if (upper_ == nullptr || base::Number::compare(*upper_->operand.number, number) >= 0) upper_ = &bound;
      return true;
    case Operator::less_equal:
      if (upper_ == nullptr || base::Number::compare(*upper_->operand.number, number) > 0) upper_ = &bound;
      return true;
    default:
      return false;
  }
}

BoundRange::Result BoundRange::result(bool is_all) const {
  Result result;
  bool is_natural = is_all && is_integer_ && upper_ == nullptr && lower_ != nullptr &&
                    lower_->op == Operator::greater_equal && lower_->operand.number->sign() == 0;
  if (is_natural) {
    result.is_complete = true;
    result.integer_type = "uint";
    return result;
  }
  if (lower_ == nullptr || upper_ == nullptr) return result;
  result.is_complete = true;
  result.lower = lower_;
  result.upper = upper_;
  if (is_integer_) {
    result.integer_type = match(kIntegers, result.lower, result.upper);
    if (!result.integer_type.empty()) return result;
    int sign = lower_->operand.number->sign();
    result.integer_type = sign < 0 ? "int" : "uint";
    if (sign == 0 && lower_->op == Operator::greater_equal) {
      result.lower = nullptr;
      return result;
    }
  }
  result.float_type = match(kFloats, result.lower, result.upper);
  return result;
}

}  // namespace opm::cue::exporting
