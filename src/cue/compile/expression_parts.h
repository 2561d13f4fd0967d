// What an expression is made of, for those who look through whole programs and care for a few kinds of expressions only.
#pragma once

#include <cstdint>

#include "cue/compile/program.h"

namespace opm::cue::compile {

template <typename T>
const T& to(const Expression* expression) {
  return *static_cast<const T*>(expression);
}

// Calls `visit(part, scopes)` with each expression that stands directly within this one, in the order in which they are written, and
// how many scopes lie between the two. What a reference leads to is not within it, but the computed label of one is.
template <typename Visit>
void each_part(const Expression* expression, const Visit& visit) {
  auto part = [&](const Expression* found, std::uint32_t scopes = 0) {
    if (found != nullptr) visit(found, scopes);
  };
  switch (expression->kind) {
    case ExpressionKind::null:
    case ExpressionKind::boolean:
    case ExpressionKind::number:
    case ExpressionKind::string:
    case ExpressionKind::bytes:
    case ExpressionKind::basic_type:
    case ExpressionKind::top:
    case ExpressionKind::bottom:
    case ExpressionKind::field_reference:
    case ExpressionKind::value_reference:
    case ExpressionKind::label_reference:
    case ExpressionKind::clause_reference:
    case ExpressionKind::let_reference:
    case ExpressionKind::import_reference:
    case ExpressionKind::builtin: return;
    case ExpressionKind::dynamic_reference: return part(to<DynamicReference>(expression).label);
    case ExpressionKind::structure:
      for (const Declaration& declaration : to<StructExpression>(expression).declarations) part(declaration.expression, 1);
      return;
    case ExpressionKind::list:
      for (const Expression* element : to<ListExpression>(expression).elements) part(element);
      return;
    case ExpressionKind::ellipsis: return part(to<EllipsisExpression>(expression).type);
    case ExpressionKind::selector: return part(to<Selector>(expression).operand);
    case ExpressionKind::index:
      part(to<Index>(expression).operand);
      return part(to<Index>(expression).index);
    case ExpressionKind::slice:
      part(to<Slice>(expression).operand);
      part(to<Slice>(expression).low);
      return part(to<Slice>(expression).high);
    case ExpressionKind::interpolation:
      for (const Expression* piece : to<Interpolation>(expression).parts) part(piece);
      return;
    case ExpressionKind::bound: return part(to<Bound>(expression).operand);
    case ExpressionKind::unary: return part(to<Unary>(expression).operand);
    case ExpressionKind::binary:
      part(to<Binary>(expression).left);
      return part(to<Binary>(expression).right);
    case ExpressionKind::unify:
      part(to<Unify>(expression).left);
      return part(to<Unify>(expression).right);
    case ExpressionKind::disjunction:
      for (const Disjunct& disjunct : to<Disjunction>(expression).disjuncts) part(disjunct.value);
      return;
    case ExpressionKind::call:
      part(to<Call>(expression).function);
      for (const Expression* argument : to<Call>(expression).arguments) part(argument);
      return;
    case ExpressionKind::open: return part(to<Open>(expression).operand);
    case ExpressionKind::alias: return part(to<AliasExpression>(expression).value, 1);
    case ExpressionKind::comprehension: {
      const auto& comprehension = to<Comprehension>(expression);
      std::uint32_t scopes = 0;
      for (const Clause& clause : comprehension.clauses) {
        part(clause.expression, scopes);
        scopes += clause.pushes_scope;
      }
      part(comprehension.body, scopes);
      return part(comprehension.fallback);
    }
    case ExpressionKind::field: return part(to<Field>(expression).value);
    case ExpressionKind::pattern:
      part(to<Pattern>(expression).pattern);
      return part(to<Pattern>(expression).value, to<Pattern>(expression).label_scope);
    case ExpressionKind::dynamic_field:
      part(to<DynamicField>(expression).label);
      return part(to<DynamicField>(expression).value, to<DynamicField>(expression).label_scope);
  }
}

}  // namespace opm::cue::compile
