#include <fmt/core.h>

#include <algorithm>

#include "cue/compile/compiler.h"
#include "cue/compile/mentions.h"
#include "cue/syntax/literal.h"

namespace opm::cue::compile {

using syntax::as;
using syntax::NodeKind;
using syntax::Token;

namespace {

Operator binary_operator(Token token) {
  switch (token) {
    case Token::add: return Operator::add;
    case Token::subtract: return Operator::subtract;
    case Token::multiply: return Operator::multiply;
    case Token::divide: return Operator::divide;
    case Token::integer_quotient: return Operator::quo;
    case Token::integer_remainder: return Operator::rem;
    case Token::integer_divide: return Operator::div;
    case Token::integer_modulo: return Operator::mod;
    case Token::logical_and: return Operator::logical_and;
    case Token::logical_or: return Operator::logical_or;
    case Token::equal: return Operator::equal;
    case Token::not_equal: return Operator::not_equal;
    case Token::less: return Operator::less;
    case Token::less_equal: return Operator::less_equal;
    case Token::greater: return Operator::greater;
    case Token::greater_equal: return Operator::greater_equal;
    case Token::match: return Operator::match;
    case Token::not_match: return Operator::not_match;
    default: return Operator::none;
  }
}

// The operand that a chain of operators, selectors and calls goes on with, or null at
// its end. Such chains may be thousands long, so they are walked, not recursed into.
const syntax::Node* chain_operand(const syntax::Node& node) {
  switch (node.kind) {
    case NodeKind::selector: return as<syntax::Selector>(&node)->operand;
    case NodeKind::index: return as<syntax::Index>(&node)->operand;
    case NodeKind::slice: return as<syntax::Slice>(&node)->operand;
    case NodeKind::call: return as<syntax::Call>(&node)->function;
    case NodeKind::postfix: return as<syntax::Postfix>(&node)->operand;
    case NodeKind::parenthesis: return as<syntax::Parenthesis>(&node)->inner;
    case NodeKind::binary:
      return as<syntax::Binary>(&node)->op == Token::or_value ? nullptr : as<syntax::Binary>(&node)->left;
    default: return nullptr;
  }
}

bool is_bytes_literal(std::string_view token) {
  std::size_t quote = token.find_first_not_of('#');
  return quote != std::string_view::npos && token[quote] == '\'';
}

}  // namespace

const Expression* Compiler::compile(const syntax::Node& node) {
  if (depth_ >= kMaxDepth) return too_deep(node);
  ++depth_;
  std::size_t base = chain_.size();
  const syntax::Node* innermost = &node;
  while (const syntax::Node* operand = chain_operand(*innermost)) {
    chain_.push_back(innermost);
    innermost = operand;
  }
  const Expression* expression = compile_leaf(*innermost);
  while (chain_.size() > base) {
    const syntax::Node* next = chain_.back();
    chain_.pop_back();
    expression = apply(*next, expression);
  }
  --depth_;
  return expression;
}

const Expression* Compiler::too_deep(const syntax::Node& node) {
  // What was not compiled leaves names that seem unused, so nothing else is told.
  bool is_first = std::ranges::none_of(errors_, [](const StagedError& staged) {
    return staged.diagnostic.code == "too-deep";
  });
  if (is_first) error(node.begin, "too-deep", "expression is nested too deeply", Stage::declaration);
  return make<BottomExpression>(ExpressionKind::bottom, node);
}

// What a chain does with its operand.
const Expression* Compiler::apply(const syntax::Node& node, const Expression* operand) {
  switch (node.kind) {
    case NodeKind::selector: return compile_selector(*as<syntax::Selector>(&node), operand);
    case NodeKind::index: {
      auto* index = make<Index>(ExpressionKind::index, node);
      index->operand = operand;
      index->index = compile(*as<syntax::Index>(&node)->index);
      index->refers_to_definition = operand->refers_to_definition;
      return index;
    }
    case NodeKind::slice: {
      const auto& source = *as<syntax::Slice>(&node);
      auto* slice = make<Slice>(ExpressionKind::slice, node);
      slice->operand = operand;
      slice->low = source.low ? compile(*source.low) : nullptr;
      slice->high = source.high ? compile(*source.high) : nullptr;
      return slice;
    }
    case NodeKind::call: {
      const auto& source = *as<syntax::Call>(&node);
      auto* call = make<Call>(ExpressionKind::call, node);
      call->function = operand;
      auto arguments = arena_.make_array<const Expression*>(source.arguments.size());
      for (std::size_t i = 0; i < arguments.size(); ++i) arguments[i] = compile(*source.arguments[i]);
      call->arguments = arguments;
      return call;
    }
    case NodeKind::postfix: return compile_postfix(*as<syntax::Postfix>(&node), operand);
    case NodeKind::binary: return compile_binary(*as<syntax::Binary>(&node), operand);
    default: return operand;  // parentheses
  }
}

const Expression* Compiler::compile_leaf(const syntax::Node& node) {
  auto misplaced = [&](std::string_view what) {
    return fail(node, "misplaced-expression", fmt::format("{} values not allowed in this position", what));
  };
  switch (node.kind) {
    case NodeKind::identifier: return compile_identifier(*as<syntax::Identifier>(&node));
    case NodeKind::basic_literal: return compile_literal(*as<syntax::BasicLiteral>(&node));
    case NodeKind::interpolation: return compile_interpolation(*as<syntax::Interpolation>(&node));
    case NodeKind::struct_literal: return compile_struct(node, as<syntax::StructLiteral>(&node)->elements, false);
    case NodeKind::list_literal: return compile_list(*as<syntax::ListLiteral>(&node));
    case NodeKind::unary: return compile_unary(*as<syntax::Unary>(&node));
    case NodeKind::binary: return compile_disjunction(*as<syntax::Binary>(&node));
    case NodeKind::bottom: return make<BottomExpression>(ExpressionKind::bottom, node);
    case NodeKind::comprehension: return misplaced("comprehension");
    case NodeKind::ellipsis: return misplaced("ellipsis");
    case NodeKind::alias: return misplaced("alias");
    default: return fail(node, "bad-expression", "invalid expression");
  }
}

const Expression* Compiler::compile_selector(const syntax::Selector& node, const Expression* operand) {
  Label label = static_label(*node.label);
  if (!label.valid() && node.label->kind == NodeKind::identifier) {
    return fail(*node.label, "bad-label", "cannot use _ as label");
  }
  if (operand->kind == ExpressionKind::import_reference && label.is_string()) {
    const auto& import = static_cast<const ImportReference&>(*operand);
    if (const BuiltinSignature* builtin = environment_.builtin(import.path, label_text(names_, label))) {
      auto* function = make<BuiltinExpression>(ExpressionKind::builtin, node);
      function->builtin = builtin;
      return function;
    }
  }
  auto* selector = make<Selector>(ExpressionKind::selector, node);
  selector->operand = operand;
  set_label(selector->label, label);
  selector->label_position = node.label->begin;
  selector->refers_to_definition = operand->refers_to_definition || label.is_definition();
  return selector;
}

const Expression* Compiler::compile_postfix(const syntax::Postfix& node, const Expression* operand) {
  if (node.op == Token::ellipsis) {
    if (!features_.explicit_open) {
      error(node.op_position, "needs-experiment", "postfix ... operator requires @experiment(explicitopen)",
            Stage::declaration);
      return operand;
    }
    auto* open = make<Open>(ExpressionKind::open, node);
    open->operand = operand;
    return open;
  }
  if (!features_.try_clause) {
    return fail(node, "needs-experiment",
                "optional marker (?) requires the try experiment (language version v0.16.0 or later)");
  }
  if (try_depth_ == 0) {
    return fail(node, "misplaced-marker", "optional marker (?) is only valid within a try clause");
  }
  auto marked = [&]<typename T>(const Expression* reference) -> const Expression* {
    T* copy = arena_.make<T>(*static_cast<const T*>(reference));
    copy->optional_reference = true;
    return copy;
  };
  switch (operand->kind) {
    case ExpressionKind::field_reference: return marked.operator()<FieldReference>(operand);
    case ExpressionKind::selector: return marked.operator()<Selector>(operand);
    case ExpressionKind::index: return marked.operator()<Index>(operand);
    case ExpressionKind::bottom: return operand;
    default: return fail(node, "misplaced-marker", "optional marker (?) can only be used on references");
  }
}

const Expression* Compiler::compile_binary(const syntax::Binary& node, const Expression* left) {
  const Expression* right = compile(*node.right);
  if (node.op == Token::and_value) {
    auto* unify = make<Unify>(ExpressionKind::unify, node);
    unify->left = left;
    unify->right = right;
    return unify;
  }
  Operator op = binary_operator(node.op);
  if (op == Operator::none) return fail(node, "bad-expression", "unsupported binary operator");
  require_possibly_concrete(*node.left, op, left);
  require_possibly_concrete(*node.right, op, right);
  auto* binary = make<Binary>(ExpressionKind::binary, node);
  binary->op = op;
  binary->left = left;
  binary->right = right;
  binary->operator_position = node.op_position;
  return binary;
}

// Arithmetic on what can never become a concrete value is told before evaluation.
void Compiler::require_possibly_concrete(const syntax::Node& node, Operator op, const Expression* expression) {
  bool is_sized_number = expression->kind == ExpressionKind::unify && node.kind == NodeKind::identifier;
  if (node.kind == NodeKind::parenthesis && expression->kind == ExpressionKind::unify) {
    const syntax::Node* inner = &node;
    while (inner->kind == NodeKind::parenthesis) inner = as<syntax::Parenthesis>(inner)->inner;
    is_sized_number = inner->kind == NodeKind::identifier;
  }
  if (expression->kind != ExpressionKind::bound && expression->kind != ExpressionKind::basic_type &&
      expression->kind != ExpressionKind::top && !is_sized_number) {
    return;
  }
  error(node.begin, "not-concrete",
        fmt::format("invalid operand {} ('{}' requires concrete value)", source_text(node), operator_text(op)));
}

// An operand as messages show it, without the space that the source may have in it.
std::string Compiler::source_text(const syntax::Node& node) const {
  switch (node.kind) {
    case NodeKind::identifier: return std::string(as<syntax::Identifier>(&node)->name);
    case NodeKind::basic_literal: return std::string(as<syntax::BasicLiteral>(&node)->text);
    case NodeKind::parenthesis: return fmt::format("({})", source_text(*as<syntax::Parenthesis>(&node)->inner));
    case NodeKind::unary: {
      const auto& unary = *as<syntax::Unary>(&node);
      std::string_view op = unary.op == Token::not_ ? "!" : operator_text(binary_operator(unary.op));
      return fmt::format("{}{}", op, source_text(*unary.operand));
    }
    default: break;
  }
  bool inside = source_ && node.begin.value >= source_->begin.value && node.end.value >= node.begin.value &&
                node.end.value - source_->begin.value <= source_->text.size();
  if (inside) return source_->text.substr(node.begin.value - source_->begin.value, node.end.value - node.begin.value);
  return "expression";
}

const Expression* Compiler::compile_unary(const syntax::Unary& node) {
  auto unary = [&](Operator op) {
    auto* expression = make<Unary>(ExpressionKind::unary, node);
    expression->op = op;
    expression->operand = compile(*node.operand);
    return expression;
  };
  auto unsupported = [&](std::string_view text) {
    return fail(node, "bad-expression", fmt::format("unsupported unary operator \"{}\"", text));
  };
  switch (node.op) {
    case Token::not_: return unary(Operator::logical_not);
    case Token::add: return unary(Operator::add);
    case Token::subtract: return unary(Operator::subtract);
    case Token::multiply: return fail(node, "misplaced-default", "preference mark not allowed at this position");
    case Token::equal:
      if (!features_.struct_comparison) return unsupported("==");
      [[fallthrough]];
    case Token::not_equal:
    case Token::less:
    case Token::less_equal:
    case Token::greater:
    case Token::greater_equal:
    case Token::match:
    case Token::not_match: {
      auto* bound = make<Bound>(ExpressionKind::bound, node);
      bound->op = binary_operator(node.op);
      bound->operand = compile(*node.operand);
      return bound;
    }
    default: return unsupported(operator_text(binary_operator(node.op)));
  }
}

const Expression* Compiler::compile_disjunction(const syntax::Binary& node) {
  auto* disjunction = make<Disjunction>(ExpressionKind::disjunction, node);
  std::vector<Disjunct> disjuncts;
  struct Pending {
    const syntax::Node* node;
    bool is_default;
  };
  std::vector<Pending> pending = {{&node, false}};
  while (!pending.empty()) {
    Pending next = pending.back();
    pending.pop_back();
    if (next.node->kind == NodeKind::binary && as<syntax::Binary>(next.node)->op == Token::or_value) {
      pending.push_back({as<syntax::Binary>(next.node)->right, next.is_default});
      pending.push_back({as<syntax::Binary>(next.node)->left, next.is_default});
    } else if (next.node->kind == NodeKind::unary && as<syntax::Unary>(next.node)->op == Token::multiply) {
      disjunction->has_defaults = true;
      pending.push_back({as<syntax::Unary>(next.node)->operand, true});
    } else {
      disjuncts.push_back({compile(*next.node), next.is_default});
    }
  }
  disjunction->disjuncts = arena_.copy(disjuncts);
  return disjunction;
}

const Expression* Compiler::compile_literal(const syntax::BasicLiteral& node) {
  switch (node.token) {
    case Token::null: return make<NullExpression>(ExpressionKind::null, node);
    case Token::true_:
    case Token::false_: {
      auto* boolean = make<BooleanExpression>(ExpressionKind::boolean, node);
      boolean->value = node.token == Token::true_;
      return boolean;
    }
    case Token::integer:
    case Token::floating: {
      auto value = base::Number::parse_literal(arena_, node.text);
      if (!value) {
        constexpr std::size_t kShown = 40;
        bool is_long = node.text.size() > base::Number::kMaxDigits;
        return fail(node, "bad-number",
                    fmt::format("parse error: invalid number \"{}{}\"{}", node.text.substr(0, is_long ? kShown : node.text.size()),
                                is_long ? "..." : "",
                                is_long ? fmt::format(" (more than {} digits)", base::Number::kMaxDigits) : ""));
      }
      auto* number = make<NumberExpression>(ExpressionKind::number, node);
      number->value = *value;
      return number;
    }
    case Token::string: {
      auto value = syntax::unquote(arena_, node.text);
      if (!value) return fail(node, "bad-string", fmt::format("invalid string: {}", value.error().message));
      bool is_bytes = is_bytes_literal(node.text);
      auto* text = make<StringExpression>(is_bytes ? ExpressionKind::bytes : ExpressionKind::string, node);
      text->value = *value;
      return text;
    }
    default: return fail(node, "bad-expression", "unknown literal type");
  }
}

const Expression* Compiler::compile_interpolation(const syntax::Interpolation& node) {
  auto literal_at = [&](std::size_t i) -> const syntax::BasicLiteral* {
    const syntax::Node* element = node.elements[i];
    return element->kind == NodeKind::basic_literal ? as<syntax::BasicLiteral>(element) : nullptr;
  };
  if (node.elements.size() == 1) return compile(*node.elements[0]);
  if (node.elements.empty() || !literal_at(0) || !literal_at(node.elements.size() - 1)) {
    return fail(node, "bad-string", "invalid interpolation");
  }
  auto quotes = syntax::parse_quotes(literal_at(0)->text, literal_at(node.elements.size() - 1)->text);
  if (!quotes) return fail(node, "bad-string", fmt::format("invalid interpolation: {}", quotes.error().message));

  auto* interpolation = make<Interpolation>(ExpressionKind::interpolation, node);
  interpolation->is_bytes = quotes->is_bytes;
  std::vector<const Expression*> parts;
  parts.reserve(node.elements.size());
  for (std::size_t i = 0; i < node.elements.size(); ++i) {
    if (i % 2 == 1) {
      parts.push_back(compile(*node.elements[i]));
      continue;
    }
    const syntax::BasicLiteral* part = literal_at(i);
    if (!part) return fail(node, "bad-string", "invalid interpolation");
    auto value = syntax::unquote_part(arena_, *quotes, part->text);
    if (!value) return fail(*part, "bad-string", fmt::format("invalid string: {}", value.error().message));
    auto* text = make<StringExpression>(quotes->is_bytes ? ExpressionKind::bytes : ExpressionKind::string, *part);
    text->value = *value;
    parts.push_back(text);
  }
  interpolation->parts = arena_.copy(parts);
  return interpolation;
}

const EllipsisExpression* Compiler::compile_ellipsis(const syntax::Ellipsis& node) {
  auto* ellipsis = make<EllipsisExpression>(ExpressionKind::ellipsis, node);
  ellipsis->type = node.type ? compile(*node.type) : nullptr;
  return ellipsis;
}

const Expression* Compiler::compile_list(const syntax::ListLiteral& node) {
  // A list has a scope only for the sake of `self`.
  if (!features_.alias_v2 || !mentions_self(node)) return compile_list_elements(node);
  Scope* scope = push_scope(ScopeKind::alias);
  scope->is_list = true;
  auto* alias = make<AliasExpression>(ExpressionKind::alias, node);
  alias->value = compile_list_elements(node);
  pop_scope(scope);
  return alias;
}

const Expression* Compiler::compile_element(const syntax::Node& node) {
  switch (node.kind) {
    case NodeKind::comprehension: return compile_comprehension(*as<syntax::Comprehension>(&node));
    case NodeKind::ellipsis: return compile_ellipsis(*as<syntax::Ellipsis>(&node));
    default: return compile(node);
  }
}

const Expression* Compiler::compile_list_elements(const syntax::ListLiteral& node) {
  auto* list = make<ListExpression>(ExpressionKind::list, node);
  auto elements = arena_.make_array<const Expression*>(node.elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = compile_element(*node.elements[i]);
  list->elements = elements;
  return list;
}

}  // namespace opm::cue::compile
