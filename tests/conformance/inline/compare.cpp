#include "compare.h"

#include <algorithm>

#include <fmt/format.h>

#include "cue/eval/text.h"

namespace opm::inline_test {

namespace syntax = cue::syntax;
using eval::ArcKind;
using eval::BaseKind;
using eval::Node;
using eval::Operator;
using eval::Value;
using eval::ValueKind;
using syntax::NodeKind;
using syntax::Token;

namespace {

template <typename... Parts>
Mismatch differs(const std::string& path, fmt::format_string<Parts...> format, Parts&&... parts) {
  std::string text = fmt::format(format, std::forward<Parts>(parts)...);
  return path.empty() ? text : fmt::format("{}: {}", path, text);
}

std::string join(const std::string& path, std::string_view step) {
  return path.empty() ? std::string(step) : fmt::format("{}.{}", path, step);
}

bool is_operation(const syntax::Expression& expression, Token op) {
  return expression.kind == NodeKind::binary && syntax::as<syntax::Binary>(&expression)->op == op;
}

const syntax::Expression& without_parentheses(const syntax::Expression& expression) {
  const syntax::Expression* inner = &expression;
  while (inner->kind == NodeKind::parenthesis) inner = syntax::as<syntax::Parenthesis>(inner)->inner;
  return *inner;
}

struct ExpectedDisjunct {
  const syntax::Expression* expression;
  bool is_default;
};

void flatten_disjunction(const syntax::Expression& expression, bool is_default, std::vector<ExpectedDisjunct>& out) {
  const syntax::Expression& inner = without_parentheses(expression);
  if (is_operation(inner, Token::or_value)) {
    const auto& binary = *syntax::as<syntax::Binary>(&inner);
    flatten_disjunction(*binary.left, is_default, out);
    flatten_disjunction(*binary.right, is_default, out);
  } else if (inner.kind == NodeKind::unary && syntax::as<syntax::Unary>(&inner)->op == Token::multiply) {
    flatten_disjunction(*syntax::as<syntax::Unary>(&inner)->operand, true, out);
  } else {
    out.push_back({&inner, is_default});
  }
}

void flatten_conjunction(const syntax::Expression& expression, std::vector<const syntax::Expression*>& out) {
  const syntax::Expression& inner = without_parentheses(expression);
  if (is_operation(inner, Token::and_value)) {
    const auto& binary = *syntax::as<syntax::Binary>(&inner);
    flatten_conjunction(*binary.left, out);
    flatten_conjunction(*binary.right, out);
  } else {
    out.push_back(&inner);
  }
}

Operator bound_operator(Token token) {
  switch (token) {
    case Token::less: return Operator::less;
    case Token::less_equal: return Operator::less_equal;
    case Token::greater: return Operator::greater;
    case Token::greater_equal: return Operator::greater_equal;
    case Token::not_equal: return Operator::not_equal;
    case Token::equal: return Operator::equal;
    case Token::match: return Operator::match;
    case Token::not_match: return Operator::not_match;
    default: return Operator::none;
  }
}

}  // namespace

Mismatch Comparison::compare(const std::string& path, const Expression& expected, const Subject& actual) {
  if (Mismatch mismatch = shape(path, expected, actual)) return mismatch;
  switch (expected.kind) {
    case NodeKind::struct_literal: return structure(path, *syntax::as<syntax::StructLiteral>(&expected), actual);
    case NodeKind::list_literal:
      if (Mismatch mismatch = no_hidden_fields(path, actual)) return mismatch;
      return list(path, *syntax::as<syntax::ListLiteral>(&expected), actual);
    case NodeKind::binary:
      if (is_operation(expected, Token::and_value)) return conjunction(path, expected, actual);
      if (is_operation(expected, Token::or_value)) return disjunction(path, expected, actual);
      break;
    case NodeKind::unary: {
      const auto& unary = *syntax::as<syntax::Unary>(&expected);
      if (bound_operator(unary.op) == Operator::none) return same_value(path, expected, actual);
      return bound(path, unary, actual);
    }
    case NodeKind::basic_literal:
    case NodeKind::interpolation:
    case NodeKind::identifier:
      if (Mismatch mismatch = no_hidden_fields(path, actual)) return mismatch;
      return same_value(path, expected, actual);
    case NodeKind::parenthesis: return compare(path, *syntax::as<syntax::Parenthesis>(&expected)->inner, actual);
    case NodeKind::bottom:
      if (engine_.error(actual) == nullptr) return differs(path, "expected an error, got {}", engine_.show(actual));
      return std::nullopt;
    case NodeKind::call:
    case NodeKind::selector: return same_value(path, expected, actual);
    default: break;
  }
  return differs(path, "this form of expected value is not supported");
}

// A plain value must not pass for a disjunction that has it as its default.
Mismatch Comparison::shape(const std::string& path, const Expression& expected, const Subject& actual) {
  if (engine_.is_concrete(actual) || expected.kind == NodeKind::struct_literal) return std::nullopt;
  if (engine_.is_disjunction(actual) && !is_operation(without_parentheses(expected), Token::or_value)) {
    return differs(path, "the value is a disjunction, the expected one is not: {}", engine_.show(actual));
  }
  std::optional<Value> value = engine_.terminal(actual);
  if (value && value->kind == ValueKind::conjunction && !is_operation(expected, Token::and_value)) {
    return differs(path, "the value is a conjunction, the expected one is not: {}", engine_.show(actual));
  }
  return std::nullopt;
}

Mismatch Comparison::no_hidden_fields(const std::string& path, const Subject& actual) {
  for (const FieldView& field : engine_.fields(actual)) {
    if (field.arc == ArcKind::optional || field.label.is_regular()) continue;
    return differs(path, "unexpected field {}", cue::selector_text(engine_.evaluator().names(), field.label));
  }
  return std::nullopt;
}

Mismatch Comparison::same_value(const std::string& path, const Expression& expected, const Subject& actual) {
  std::expected<Subject, std::string> wanted = engine_.compile(expected);
  if (!wanted) return differs(path, "cannot compile the expected value: {}", wanted.error());
  if (engine_.equal(*wanted, actual)) return std::nullopt;
  return differs(path, "expected {}, got {}", engine_.show(*wanted), engine_.show(actual));
}

Mismatch Comparison::list(const std::string& path, const syntax::ListLiteral& expected, const Subject& actual) {
  if (engine_.kinds(actual) != eval::kinds::list) return differs(path, "expected a list, got {}", engine_.show(actual));
  std::vector<Subject> elements = engine_.elements(actual);
  if (elements.size() != expected.elements.size()) {
    return differs(path, "expected {} elements, got {}: {}", expected.elements.size(), elements.size(), engine_.show(actual));
  }
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (Mismatch mismatch = compare(join(path, std::to_string(i)), *expected.elements[i], elements[i])) return mismatch;
  }
  return std::nullopt;
}

Mismatch Comparison::disjunction(const std::string& path, const Expression& expected, const Subject& actual) {
  std::vector<ExpectedDisjunct> wanted;
  flatten_disjunction(expected, false, wanted);
  std::vector<ExpectedDisjunct> found;
  Node* node = engine_.node(actual);
  std::vector<std::pair<Subject, bool>> values;
  if (node != nullptr && node->base == BaseKind::disjunction) {
    for (std::uint32_t i = 0; i < node->disjuncts.size(); ++i) {
      values.emplace_back(engine_.of(node->disjuncts[i]), i < node->default_count);
    }
  } else if (std::optional<Value> value = engine_.terminal(actual); value && value->kind == ValueKind::disjunction) {
    for (const Value& part : value->list->values) values.emplace_back(engine_.of(part), false);
  } else {
    return differs(path, "expected a disjunction, got {}", engine_.show(actual));
  }
  if (values.size() != wanted.size()) {
    return differs(path, "expected {} disjuncts, got {}: {}", wanted.size(), values.size(), engine_.show(actual));
  }
  std::vector<bool> used(values.size());
  for (const ExpectedDisjunct& disjunct : wanted) {
    bool matched = false;
    for (std::size_t i = 0; i < values.size() && !matched; ++i) {
      if (used[i] || values[i].second != disjunct.is_default) continue;
      if (compare(path, *disjunct.expression, values[i].first)) continue;
      used[i] = true;
      matched = true;
    }
    if (!matched) {
      return differs(path, "no {}disjunct matches the expected one at {}: {}", disjunct.is_default ? "default " : "",
                     engine_.show_positions({disjunct.expression->begin}), engine_.show(actual));
    }
  }
  return std::nullopt;
}

Mismatch Comparison::conjunction(const std::string& path, const Expression& expected, const Subject& actual) {
  std::vector<const Expression*> wanted;
  flatten_conjunction(expected, wanted);
  std::vector<Subject> parts;
  std::optional<Value> value = engine_.terminal(actual);
  if (value && value->kind == ValueKind::conjunction) {
    for (const Value& part : value->list->values) parts.push_back(engine_.of(part));
  } else {
    parts.push_back(actual);
  }
  if (parts.size() != wanted.size()) {
    return differs(path, "expected {} conjuncts, got {}: {}", wanted.size(), parts.size(), engine_.show(actual));
  }
  std::vector<bool> used(parts.size());
  for (const Expression* part : wanted) {
    if (part->kind == NodeKind::struct_literal) {
      if (Mismatch mismatch = structure(path, *syntax::as<syntax::StructLiteral>(part), actual)) return mismatch;
      continue;
    }
    bool matched = false;
    for (std::size_t i = 0; i < parts.size() && !matched; ++i) {
      if (used[i] || compare(path, *part, parts[i])) continue;
      used[i] = true;
      matched = true;
    }
    if (!matched) return differs(path, "an expected conjunct is missing: {}", engine_.show(actual));
  }
  return std::nullopt;
}

Mismatch Comparison::bound(const std::string& path, const syntax::Unary& expected, const Subject& actual) {
  std::optional<Value> value = engine_.terminal(actual);
  if (!value || value->kind != ValueKind::bound || value->bound->op != bound_operator(expected.op)) {
    return differs(path, "expected a bound {}, got {}", cue::compile::operator_text(bound_operator(expected.op)),
                   engine_.show(actual));
  }
  return compare(path, *expected.operand, engine_.of(value->bound->operand));
}

}  // namespace opm::inline_test
