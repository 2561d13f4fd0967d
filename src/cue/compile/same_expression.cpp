#include "cue/compile/same_expression.h"

#include <algorithm>

namespace opm::cue::compile {

namespace {

template <typename T>
const T& as(const Expression& expression) {
  return static_cast<const T&>(expression);
}

bool same_numbers(const base::Number& a, const base::Number& b) {
  return a.is_int() == b.is_int() && base::Number::compare(a, b) == 0;
}

bool same_alternatives(const Disjunction& a, const Disjunction& b) {
  return a.has_defaults == b.has_defaults && std::ranges::equal(a.disjuncts, b.disjuncts, [](const Disjunct& x, const Disjunct& y) {
           return x.is_default == y.is_default && says_the_same(*x.value, *y.value);
         });
}

}  // namespace

bool says_the_same(const Expression& a, const Expression& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case ExpressionKind::null:
    case ExpressionKind::top: return true;
    case ExpressionKind::boolean: return as<BooleanExpression>(a).value == as<BooleanExpression>(b).value;
    case ExpressionKind::number: return same_numbers(as<NumberExpression>(a).value, as<NumberExpression>(b).value);
    case ExpressionKind::string:
    case ExpressionKind::bytes: return as<StringExpression>(a).value == as<StringExpression>(b).value;
    case ExpressionKind::basic_type: return as<BasicTypeExpression>(a).kinds == as<BasicTypeExpression>(b).kinds;
    case ExpressionKind::bound:
      return as<Bound>(a).op == as<Bound>(b).op && says_the_same(*as<Bound>(a).operand, *as<Bound>(b).operand);
    case ExpressionKind::unary:
      return as<Unary>(a).op == as<Unary>(b).op && says_the_same(*as<Unary>(a).operand, *as<Unary>(b).operand);
    case ExpressionKind::unify:
      return says_the_same(*as<Unify>(a).left, *as<Unify>(b).left) && says_the_same(*as<Unify>(a).right, *as<Unify>(b).right);
    case ExpressionKind::disjunction: return same_alternatives(as<Disjunction>(a), as<Disjunction>(b));
    default: return false;
  }
}

}  // namespace opm::cue::compile
