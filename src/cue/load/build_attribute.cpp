#include "cue/load/build_attribute.h"

#include <optional>

#include "base/arena.h"
#include "cue/load/attribute.h"
#include "cue/syntax/parser.h"

namespace opm::cue::load {
namespace {

using syntax::NodeKind;
using syntax::Token;

diag::Diagnostic problem(std::string message, diag::Position position) {
  diag::Diagnostic diagnostic;
  diagnostic.code = "build-attribute";
  diagnostic.message = std::move(message);
  diagnostic.positions.push_back(position);
  return diagnostic;
}

std::string_view operator_text(Token token) {
  switch (token) {
    case Token::add:
      return "+";
    case Token::subtract:
      return "-";
    case Token::multiply:
      return "*";
    case Token::divide:
      return "/";
    case Token::and_value:
      return "&";
    case Token::or_value:
      return "|";
    case Token::equal:
      return "==";
    case Token::not_equal:
      return "!=";
    case Token::less:
      return "<";
    case Token::less_equal:
      return "<=";
    case Token::greater:
      return ">";
    case Token::greater_equal:
      return ">=";
    case Token::match:
      return "=~";
    case Token::not_match:
      return "!~";
    default:
      return "operator";
  }
}

class Condition {
 public:
  Condition(const std::function<bool(std::string_view)>& is_tag_set, diag::Position position)
      : is_tag_set_(is_tag_set), position_(position) {}

  bool evaluate(const syntax::Expression& expression) {
    switch (expression.kind) {
      case NodeKind::identifier:
        return is_tag_set_(syntax::as<syntax::Identifier>(&expression)->name);
      case NodeKind::parenthesis:
        return evaluate(*syntax::as<syntax::Parenthesis>(&expression)->inner);
      case NodeKind::binary: {
        const auto* binary = syntax::as<syntax::Binary>(&expression);
        if (binary->op != Token::logical_and && binary->op != Token::logical_or) return fail_operator(binary->op);
        bool left = evaluate(*binary->left);
        bool right = evaluate(*binary->right);
        return binary->op == Token::logical_and ? left && right : left || right;
      }
      case NodeKind::unary: {
        const auto* unary = syntax::as<syntax::Unary>(&expression);
        if (unary->op != Token::not_) return fail_operator(unary->op);
        return !evaluate(*unary->operand);
      }
      default:
        return fail("only tags, &&, ||, ! and parentheses are allowed in a build attribute");
    }
  }

  std::optional<diag::Diagnostic> error;

 private:
  bool fail_operator(Token op) {
    return fail("invalid operator " + std::string(operator_text(op)) + " in build attribute");
  }
  bool fail(std::string message) {
    if (!error) error = problem(std::move(message), position_);
    return false;
  }

  const std::function<bool(std::string_view)>& is_tag_set_;
  diag::Position position_;
};

BuildDecision excluded(std::string reason, diag::Position position) {
  BuildDecision decision;
  decision.included = false;
  decision.reason = std::move(reason);
  decision.position = position;
  return decision;
}

}  // namespace

BuildDecision decide_build(const syntax::File& file, const std::function<bool(std::string_view)>& is_tag_set) {
  const syntax::Attribute* condition = nullptr;
  for (const syntax::Declaration* declaration : file.declarations) {
    if (declaration->kind == NodeKind::comment_declaration) continue;
    if (declaration->kind != NodeKind::attribute) break;
    const auto* attribute = syntax::as<syntax::Attribute>(declaration);
    std::string_view name = attribute_name(*attribute);
    if (name == "ignore") return excluded("@ignore() attribute found", attribute->begin);
    if (name != "if") continue;
    if (condition != nullptr) {
      BuildDecision decision = excluded("multiple @if attributes", attribute->begin);
      decision.errors.push_back(problem("multiple @if attributes", attribute->begin));
      decision.errors.push_back(problem("previous declaration here", condition->begin));
      return decision;
    }
    condition = attribute;
  }
  if (condition == nullptr) return {};

  AttributeParts parts = parse_attribute(*condition);
  base::Arena arena;
  // The body keeps its place in the file, so that syntax errors point into the attribute.
  diag::Source body;
  body.path = file.source != nullptr ? file.source->path : std::string();
  body.text = parts.body;
  body.begin = condition->begin.plus(static_cast<std::uint32_t>(parts.name.size() + 2));
  syntax::ParsedExpression parsed = syntax::parse_expression(arena, body, {.comments = false});
  BuildDecision decision;
  decision.position = condition->begin;
  if (!parsed.errors.empty() || parsed.expression == nullptr) {
    decision.included = false;
    decision.reason = "@if(" + std::string(parts.body) + ") is not an expression";
    decision.errors = std::move(parsed.errors);
    if (decision.errors.empty()) decision.errors.push_back(problem(decision.reason, condition->begin));
    return decision;
  }
  Condition evaluator(is_tag_set, condition->begin);
  bool included = evaluator.evaluate(*parsed.expression);
  if (evaluator.error) {
    decision.included = false;
    decision.reason = evaluator.error->message;
    decision.errors.push_back(std::move(*evaluator.error));
  } else if (!included) {
    decision.included = false;
    decision.reason = "@if(" + std::string(parts.body) + ") did not match";
  }
  return decision;
}

}  // namespace opm::cue::load
