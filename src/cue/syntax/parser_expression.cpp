// The parser's expressions.
#include <array>

#include "cue/syntax/parser_state.h"

namespace opm::cue::syntax {

namespace {

constexpr std::size_t kTokens = static_cast<std::size_t>(Token::otherwise) + 1;
constexpr std::size_t index_of(Token token) { return static_cast<std::size_t>(token); }

// How strongly binary operators bind; 0 for all other tokens.
constexpr std::array<std::int8_t, kTokens> make_precedences() {
  std::array<std::int8_t, kTokens> precedences{};
  auto set = [&](std::int8_t precedence, std::initializer_list<Token> tokens) {
    for (Token token : tokens) precedences[index_of(token)] = precedence;
  };
  set(1, {Token::or_value});
  set(2, {Token::and_value});
  set(3, {Token::logical_or});
  set(4, {Token::logical_and});
  set(5, {Token::equal, Token::not_equal, Token::less, Token::less_equal, Token::greater, Token::greater_equal,
          Token::match, Token::not_match});
  set(6, {Token::add, Token::subtract});
  set(7, {Token::multiply, Token::divide});
  return precedences;
}
constexpr auto kPrecedences = make_precedences();

constexpr std::array<bool, kTokens> make_set(std::initializer_list<Token> tokens) {
  std::array<bool, kTokens> set{};
  for (Token token : tokens) set[index_of(token)] = true;
  return set;
}
constexpr auto kUnaryOperators =
    make_set({Token::add, Token::subtract, Token::not_, Token::multiply, Token::equal, Token::less, Token::less_equal,
              Token::greater, Token::greater_equal, Token::not_equal, Token::match, Token::not_match});
constexpr auto kSimpleOperands = make_set({Token::identifier, Token::string, Token::integer, Token::floating,
                                           Token::true_, Token::false_, Token::null});
// What may follow an operand and belong to the same expression, operators aside.
constexpr auto kTails =
    make_set({Token::period, Token::left_bracket, Token::left_parenthesis, Token::ellipsis, Token::question});

struct Operator {
  Token token;
  int precedence;  // 0: no binary operator
};

// quo, rem, div and mod are operators only between operands; elsewhere they are names.
Operator named_operator(std::string_view name) {
  if (name == "div") return {Token::integer_divide, 7};
  if (name == "mod") return {Token::integer_modulo, 7};
  if (name == "quo") return {Token::integer_quotient, 7};
  if (name == "rem") return {Token::integer_remainder, 7};
  return {Token::identifier, 0};
}

Operator binary_operator(const LexedToken& token) {
  if (token.kind == Token::identifier) return named_operator(token.text);
  return {token.kind, kPrecedences[index_of(token.kind)]};
}

}  // namespace

Expression* Parser::parse_single_expression() {
  Expression* expression = parse_expression();
  if (at_automatic_comma()) next();
  expect(Token::end_of_file);
  return expression;
}

// Most expressions are a single name or literal; they are not worth the way through all
// the levels of the grammar.
Expression* Parser::parse_expression() {
  CommentScope scope;
  if (!kSimpleOperands[index_of(token_.kind)]) {
    comments_.open(scope);
    Expression* expression = parse_binary(1);
    comments_.close(scope, expression);
    return expression;
  }
  const bool needs_scope = !comments_.is_quiet();
  const std::size_t groups = comments_.group_count();
  if (needs_scope) comments_.open(scope);
  Expression* expression = make_simple_operand();
  next();
  if (!needs_scope) comments_.close_leaf(groups, expression);
  // `name?:` is an optional field; there the expression ends before the question mark.
  const bool has_tail = kTails[index_of(token_.kind)] && !(at(Token::question) && lexer_.is_at(':'));
  if (has_tail || binary_operator(token_).precedence > 0) {
    CommentScope list;
    if (needs_scope) {
      comments_.open_list_behind(scope, list, expression);
    } else {
      comments_.open_around_leaf(scope, list, expression);
    }
    if (has_tail) {
      Level level(*this);
      expression = parse_primary_tail(wrap_optional_reference(expression));
    }
    expression = parse_binary_tail(1, expression);
    comments_.close_list();
    comments_.close(scope, expression);
  } else if (needs_scope) {
    comments_.close(scope, expression);
  }
  return expression;
}

// A name or literal, whose token is still to be taken.
Expression* Parser::make_simple_operand() {
  if (!at(Token::identifier)) return make_literal_here();
  Identifier* identifier = make_here<Identifier>(NodeKind::identifier);
  identifier->name = token_.text;
  identifier->end = position_of(token_.end);
  return identifier;
}

Expression* Parser::parse_binary(int lowest) {
  CommentScope list;
  comments_.open_list(list);
  Expression* expression = parse_binary_tail(lowest, parse_unary());
  comments_.close_list();
  return expression;
}

Expression* Parser::parse_binary_tail(int lowest, Expression* left) {
  for (;;) {
    Operator op = binary_operator(token_);
    if (op.precedence < lowest) return left;
    CommentScope scope;
    comments_.open(scope);
    scope.position = 1;
    Binary* binary = make_from<Binary>(NodeKind::binary, left);
    binary->op = op.token;
    binary->op_position = mark().position;
    binary->op_spacing = token_.spacing;
    binary->left = left;
    next();
    binary->right = parse_binary(op.precedence + 1);
    binary->end = binary->right->end;
    raise(binary, left);
    raise(binary, binary->right);
    comments_.close(scope, binary);
    left = binary;
  }
}

Expression* Parser::parse_unary() {
  Level level(*this);
  if (!kUnaryOperators[index_of(token_.kind)]) return parse_primary_tail(parse_operand());
  CommentScope scope;
  comments_.open(scope);
  Unary* unary = make_here<Unary>(NodeKind::unary);
  unary->op = token_.kind;
  next();
  unary->operand = parse_unary();
  unary->end = unary->operand->end;
  raise(unary, unary->operand);
  comments_.close(scope, unary);
  return unary;
}

Expression* Parser::parse_primary_tail(Expression* operand) {
  for (;;) {
    switch (token_.kind) {
      case Token::period: operand = parse_selector(operand); break;
      case Token::left_bracket: operand = parse_index_or_slice(operand); break;
      case Token::left_parenthesis: operand = parse_call(operand); break;
      case Token::ellipsis: {
        CommentScope scope;
        Postfix* postfix = make_from<Postfix>(NodeKind::postfix, operand);
        postfix->op = Token::ellipsis;
        postfix->op_position = mark().position;
        postfix->op_spacing = token_.spacing;
        postfix->operand = operand;
        comments_.open(scope);
        next();
        postfix->end = last_end();
        raise(postfix, operand);
        comments_.close(scope, postfix);
        operand = postfix;
        break;
      }
      default: return operand;
    }
  }
}

Expression* Parser::parse_selector(Expression* operand) {
  Selector* selector = make_from<Selector>(NodeKind::selector, operand);
  selector->operand = operand;
  selector->period = mark().position;
  CommentScope scope;
  comments_.open(scope);
  scope.position = 1;
  next();
  bool is_plain_string = at(Token::string) && token_.text.starts_with('"') && !token_.text.starts_with("\"\"");
  Expression* result = selector;
  if (at(Token::identifier)) {
    selector->label = parse_identifier();
  } else if (is_plain_string) {
    selector->label = make_literal_here();
    next();
  } else if (is_keyword(token_.kind)) {
    selector->label = parse_keyword_as_identifier();
  } else {
    Identifier* missing = make_here<Identifier>(NodeKind::identifier);
    missing->name = "_";
    missing->end = missing->begin;
    error_expected("selector");
    next();
    selector->label = missing;
  }
  selector->end = selector->label->end;
  raise(selector, operand);
  result = wrap_optional(selector);
  comments_.close(scope, result);
  return result;
}

Expression* Parser::parse_index_or_slice(Expression* operand) {
  CommentScope scope;
  comments_.open(scope);
  scope.position = 1;
  Mark left = expect(Token::left_bracket);
  Expression* low = nullptr;
  Expression* high = nullptr;
  if (!at(Token::colon)) low = parse_expression();
  bool is_slice = at(Token::colon);
  if (is_slice) {
    next();
    if (!at(Token::colon) && !at(Token::right_bracket) && !at(Token::end_of_file)) high = parse_expression();
  } else if (at(Token::comma)) {
    next();
  }
  Mark right = expect(Token::right_bracket);

  Expression* result = nullptr;
  if (is_slice) {
    Slice* slice = make_from<Slice>(NodeKind::slice, operand);
    slice->operand = operand;
    slice->low = low;
    slice->high = high;
    slice->left_bracket = left.position;
    slice->left_spacing = left.spacing;
    slice->right_bracket = right.position;
    slice->right_spacing = right.spacing;
    slice->end = last_end();
    raise(slice, low);
    raise(slice, high);
    raise(slice, operand);
    result = slice;
  } else {
    Index* index = make_from<Index>(NodeKind::index, operand);
    index->operand = operand;
    index->index = low;
    index->left_bracket = left.position;
    index->left_spacing = left.spacing;
    index->right_bracket = right.position;
    index->right_spacing = right.spacing;
    index->end = last_end();
    raise(index, low);
    raise(index, operand);
    result = wrap_optional(index);
  }
  comments_.close(scope, result);
  return result;
}

Expression* Parser::parse_call(Expression* function) {
  CommentScope scope, list;
  comments_.open(scope);
  comments_.open_list(list);
  Call* call = make_from<Call>(NodeKind::call, function);
  call->function = function;
  Mark left = expect(Token::left_parenthesis);
  call->left_parenthesis = left.position;
  call->left_spacing = left.spacing;
  std::size_t from = children_.size();
  while (!at(Token::right_parenthesis) && !at(Token::end_of_file)) {
    children_.push_back(parse_expression());
    if (!at_comma("argument list", {Token::right_parenthesis})) break;
    next();
  }
  Mark right = expect_closing(Token::right_parenthesis, "argument list");
  call->right_parenthesis = right.position;
  call->right_spacing = right.spacing;
  call->end = last_end();
  call->arguments = take_children<Expression>(from, call);
  raise(call, function);
  comments_.close_list();
  comments_.close(scope, call);
  return call;
}

Expression* Parser::wrap_optional(Expression* operand) {
  if (!at(Token::question)) return operand;
  Postfix* postfix = make_from<Postfix>(NodeKind::postfix, operand);
  postfix->op = Token::question;
  postfix->op_position = mark().position;
  postfix->op_spacing = token_.spacing;
  postfix->operand = operand;
  next();
  postfix->end = last_end();
  raise(postfix, operand);
  return postfix;
}

// `name?:` is an optional field, `name?` an optional reference.
Expression* Parser::wrap_optional_reference(Expression* name) {
  if (!at(Token::question) || name->kind != NodeKind::identifier) return name;
  peek();
  return peeked_.kind == Token::colon ? name : wrap_optional(name);
}

Expression* Parser::parse_operand() {
  switch (token_.kind) {
    case Token::identifier: return wrap_optional_reference(parse_identifier());
    case Token::left_brace: return parse_struct();
    case Token::left_bracket: return parse_list();
    case Token::left_parenthesis: return parse_parenthesis();
    case Token::interpolation: return parse_interpolation();
    case Token::bottom: {
      Bottom* bottom = make_here<Bottom>(NodeKind::bottom);
      bottom->end = position_of(token_.end);
      return finish_leaf(bottom);
    }
    case Token::null:
    case Token::true_:
    case Token::false_:
    case Token::integer:
    case Token::floating:
    case Token::string: return finish_leaf(make_literal_here());
    default:
      if (is_keyword(token_.kind)) return parse_keyword_as_identifier();
      break;
  }
  CommentScope scope;
  comments_.open(scope);
  BadExpression* bad = make_here<BadExpression>(NodeKind::bad_expression);
  error_expected("operand");
  skip_to_comma();
  bad->end = mark().position;
  comments_.close(scope, bad);
  return bad;
}

BasicLiteral* Parser::make_literal_here() {
  BasicLiteral* literal = make_here<BasicLiteral>(NodeKind::basic_literal);
  literal->token = token_.kind;
  literal->text = token_.text;
  literal->end = position_of(token_.end);
  return literal;
}

Identifier* Parser::parse_identifier() {
  Identifier* identifier = make_here<Identifier>(NodeKind::identifier);
  if (at(Token::identifier)) {
    identifier->name = token_.text;
    identifier->end = position_of(token_.end);
  } else {
    identifier->name = "_";
    identifier->end = identifier->begin;
    error_expected("'IDENT'");
  }
  return finish_leaf(identifier);
}

Identifier* Parser::parse_declared_identifier() {
  Identifier* identifier = parse_identifier();
  check_declared(identifier);
  return identifier;
}

Identifier* Parser::parse_keyword_as_identifier() {
  Identifier* identifier = make_here<Identifier>(NodeKind::identifier);
  identifier->name = token_.text;
  identifier->end = position_of(token_.end);
  return finish_leaf(identifier);
}

Expression* Parser::parse_parenthesis() {
  CommentScope scope;
  comments_.open(scope);
  Parenthesis* parenthesis = make_here<Parenthesis>(NodeKind::parenthesis);
  next();
  CommentScope list;
  comments_.open_list(list);
  parenthesis->inner = parse_expression();
  comments_.close_list();
  Mark right = expect(Token::right_parenthesis);
  parenthesis->right_parenthesis = right.position;
  parenthesis->right_spacing = right.spacing;
  parenthesis->end = last_end();
  raise(parenthesis, parenthesis->inner);
  comments_.close(scope, parenthesis);
  return parenthesis;
}

StructLiteral* Parser::parse_struct() {
  StructLiteral* literal = make_here<StructLiteral>(NodeKind::struct_literal);
  Mark left = expect(Token::left_brace);
  literal->left_brace = left.position;
  std::size_t from = children_.size();
  if (!at(Token::right_brace)) parse_declarations();
  literal->elements = take_children<Declaration>(from, literal);
  Mark right = expect_closing(Token::right_brace, "struct literal");
  literal->right_brace = right.position;
  literal->right_spacing = right.spacing;
  literal->end = last_end();
  return literal;
}

Expression* Parser::parse_interpolation() {
  CommentScope scope, list, part_scope;
  comments_.open(scope);
  comments_.open_list(list);
  comments_.open(part_scope);

  Interpolation* interpolation = make_here<Interpolation>(NodeKind::interpolation);
  std::size_t from = children_.size();
  auto add_part = [&](const Mark& start, std::string_view text) {
    BasicLiteral* part = make<BasicLiteral>(NodeKind::basic_literal, start);
    part->token = Token::string;
    part->text = text;
    part->end = start.position.plus(static_cast<std::uint32_t>(text.size()));
    children_.push_back(part);
    return part;
  };

  BasicLiteral* part = add_part(mark(), token_.text);
  next();
  for (bool continues = true; continues && !given_up_;) {
    scope.position = 1;
    expect(Token::left_parenthesis);
    comments_.close(part_scope, part);
    children_.push_back(parse_expression());
    part_scope = {};
    comments_.open(part_scope);
    if (at_automatic_comma()) next();
    if (!at(Token::right_parenthesis)) error_expected("')' for string interpolation");
    Lexer::StringPart rest = lexer_.resume_interpolation();
    Mark start = mark();
    token_.end = lexer_.offset();
    next();
    part = add_part(start, rest.text);
    continues = rest.continues;
  }
  comments_.close(part_scope, part);
  interpolation->elements = take_children<Node>(from, interpolation);
  interpolation->end = part->end;
  comments_.close_list();
  comments_.close(scope, interpolation);
  return interpolation;
}

Expression* Parser::parse_alias(Expression* name) {
  if (!at(Token::bind)) return name;
  Mark equal = mark();
  next();
  Expression* value = parse_expression();
  if (name->kind != NodeKind::identifier) {
    error_expected("identifier for alias");
    return value;
  }
  check_declared(as<Identifier>(name));
  Alias* alias = make_from<Alias>(NodeKind::alias, name);
  alias->name = as<Identifier>(name);
  alias->value = value;
  alias->equal = equal.position;
  alias->equal_spacing = equal.spacing;
  alias->end = value->end;
  raise(alias, value);
  return alias;
}

}  // namespace opm::cue::syntax
