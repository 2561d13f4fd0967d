// The parser's comprehensions, and the lists that may contain them.
#include <fmt/core.h>

#include "cue/syntax/parser_state.h"

namespace opm::cue::syntax {

Parser::Clauses Parser::parse_clauses() {
  Clauses result;
  std::size_t from = children_.size();
  bool is_first = true;
  // The keywords are also names; what follows the first one tells.
  auto is_name = [&](std::initializer_list<Token> followers) {
    if (!is_first) return false;
    for (Token follower : followers) {
      if (at(follower)) return true;
    }
    return false;
  };
  for (;; is_first = false) {
    CommentScope scope;
    const Mark start = mark();
    const LexedToken keyword = token_;
    Clause* clause = nullptr;
    bool name = false;
    switch (token_.kind) {
      case Token::for_:
        comments_.open(scope);
        next();
        name = is_name({Token::colon, Token::bind, Token::question, Token::not_, Token::comma, Token::end_of_file});
        if (!name) clause = parse_for_clause(start, scope);
        break;
      case Token::if_: {
        comments_.open(scope);
        next();
        name = is_name({Token::colon, Token::bind, Token::question, Token::comma, Token::end_of_file});
        if (is_first && at(Token::not_)) {
          peek();
          name = peeked_.kind == Token::colon;
        }
        if (name) break;
        IfClause* if_clause = make<IfClause>(NodeKind::if_clause, start);
        if_clause->condition = parse_expression();
        raise(if_clause, if_clause->condition);
        if_clause->end = if_clause->condition->end;
        clause = if_clause;
        break;
      }
      case Token::let: {
        comments_.open(scope);
        next();
        LetClause* let = make<LetClause>(NodeKind::let_clause, start);
        let->name = parse_declared_identifier();
        Mark equal = expect(Token::bind);
        let->equal = equal.position;
        let->equal_spacing = equal.spacing;
        let->value = parse_expression();
        let->end = let->value->end;
        raise(let, let->value);
        clause = let;
        break;
      }
      case Token::try_: {
        comments_.open(scope);
        next();
        name = is_name({Token::colon, Token::bind, Token::question, Token::not_, Token::tilde, Token::comma,
                        Token::right_brace, Token::right_bracket, Token::end_of_file});
        if (name && at_automatic_comma()) {  // the body may stand on the next line
          peek();
          name = peeked_.kind != Token::left_brace;
        }
        if (name) break;
        TryClause* try_clause = make<TryClause>(NodeKind::try_clause, start);
        try_clause->end = start.position.plus(3);
        if (at(Token::identifier)) {
          try_clause->name = parse_identifier();
          Mark equal = expect(Token::bind);
          try_clause->equal = equal.position;
          try_clause->equal_spacing = equal.spacing;
          try_clause->value = parse_expression();
          try_clause->end = try_clause->value->end;
          raise(try_clause, try_clause->value);
        }
        clause = try_clause;
        break;
      }
      default: {
        Node parent{NodeKind::comprehension};
        result.clauses = take_children<Clause>(from, &parent);
        result.height = parent.height;
        return result;
      }
    }
    if (name) {
      result.identifier = make<Identifier>(NodeKind::identifier, start);
      result.identifier->name = keyword.text;
      result.identifier->end = position_of(keyword.end);
      comments_.close(scope, result.identifier);
      return result;
    }
    comments_.close(scope, clause);
    children_.push_back(clause);
    if (at(Token::comma)) next();
  }
}

ForClause* Parser::parse_for_clause(const Mark& start, CommentScope& scope) {
  ForClause* clause = make<ForClause>(NodeKind::for_clause, start);
  clause->value = parse_declared_identifier();
  if (at(Token::comma)) {
    Mark comma = expect(Token::comma);
    clause->comma = comma.position;
    clause->comma_spacing = comma.spacing;
    clause->key = clause->value;
    clause->value = parse_declared_identifier();
  }
  scope.position = 4;
  Mark in = expect(Token::in);
  clause->in = in.position;
  clause->in_spacing = in.spacing;
  clause->source = parse_expression();
  clause->end = clause->source->end;
  raise(clause, clause->source);
  return clause;
}

Comprehension* Parser::parse_comprehension_body(const Clauses& clauses) {
  Level level(*this);
  Comprehension* comprehension = make_from<Comprehension>(NodeKind::comprehension, clauses.clauses.front());
  comprehension->clauses = clauses.clauses;
  comprehension->height = static_cast<std::uint16_t>(clauses.height);
  CommentScope scope;
  comments_.open(scope);
  comprehension->body = parse_struct();
  comments_.close(scope, comprehension->body);
  comprehension->end = comprehension->body->end;
  if (at(Token::else_) || at(Token::fallback) || at(Token::otherwise)) {
    comprehension->fallback = parse_fallback(clauses.clauses);
    comprehension->end = comprehension->fallback->end;
    raise(comprehension, comprehension->fallback);
  }
  raise(comprehension, comprehension->body);
  return comprehension;
}

// As a declaration. Null when the keyword was a name, which is then in `identifier`.
Comprehension* Parser::parse_comprehension(Identifier*& identifier) {
  CommentScope scope;
  comments_.open(scope);
  Clauses clauses = parse_clauses();
  if (clauses.identifier) {
    identifier = clauses.identifier;
    comments_.close(scope, nullptr);
    return nullptr;
  }
  Comprehension* comprehension = parse_comprehension_body(clauses);
  if (at_comma("struct literal", {Token::right_brace})) next();
  comments_.close(scope, comprehension);
  return comprehension;
}

FallbackClause* Parser::parse_fallback(std::span<Clause*> clauses) {
  CommentScope scope;
  comments_.open(scope);
  FallbackClause* fallback = make_here<FallbackClause>(NodeKind::fallback_clause);
  fallback->keyword = token_.kind;
  bool single_guard = clauses.size() == 1 && (clauses[0]->kind == NodeKind::if_clause ||
                                              clauses[0]->kind == NodeKind::try_clause);
  fallback->is_else = single_guard;
  if (single_guard && !at(Token::else_)) {
    error_here("use 'else' with single 'if' or 'try' clause");
  } else if (!single_guard && at(Token::else_)) {
    error_here("use 'otherwise' for comprehensions with multiple clauses or 'for' clauses");
  }
  next();
  fallback->body = parse_struct();
  fallback->end = fallback->body->end;
  raise(fallback, fallback->body);
  comments_.close(scope, fallback);
  return fallback;
}

ListLiteral* Parser::parse_list() {
  ListLiteral* list = make_here<ListLiteral>(NodeKind::list_literal);
  Mark left = expect(Token::left_bracket);
  list->left_bracket = left.position;
  std::size_t from = children_.size();
  {
    CommentScope scope;
    comments_.open_list(scope);
    while (!at(Token::right_bracket) && !at(Token::ellipsis) && !at(Token::end_of_file)) {
      if (!parse_list_element()) break;
    }
    comments_.close_list();
  }
  if (at(Token::ellipsis)) {
    Ellipsis* ellipsis = make_here<Ellipsis>(NodeKind::ellipsis);
    children_.push_back(ellipsis);
    next();
    ellipsis->end = last_end();
    if (!at(Token::comma) && !at(Token::right_bracket)) {
      ellipsis->type = parse_expression();
      ellipsis->end = ellipsis->type->end;
      raise(ellipsis, ellipsis->type);
    }
    if (at_comma("list literal", {Token::right_bracket})) next();
  }
  list->elements = take_children<Expression>(from, list);
  for (std::size_t i = 1; i < list->elements.size(); ++i) {
    if (!list->elements[i]->after_comma) list->omits_commas = true;
  }
  if (list->elements.size() == 1) list->omits_commas = !token_.after_comma;
  Mark right = expect_closing(Token::right_bracket, "list literal");
  list->right_bracket = right.position;
  list->right_spacing = right.spacing;
  list->end = last_end();
  return list;
}

// Pushes the element; false when it must be the last one.
bool Parser::parse_list_element() {
  CommentScope scope;
  comments_.open(scope);
  auto finish = [&](Expression* expression, bool more) {
    comments_.close(scope, expression);
    children_.push_back(expression);
    return more;
  };
  Expression* expression = nullptr;
  if (at(Token::for_) || at(Token::if_) || at(Token::try_)) {
    Clauses clauses = parse_clauses();
    if (!clauses.identifier) {
      Comprehension* comprehension = parse_comprehension_body(clauses);
      if (at_comma("list literal", {Token::right_bracket})) next();
      return finish(comprehension, true);
    }
    expression = clauses.identifier;
  } else {
    expression = parse_unary();
  }
  expression = parse_alias(parse_binary_tail(1, expression));
  if (!at_comma("list literal", {Token::right_bracket, Token::for_, Token::if_})) return finish(expression, false);
  next();
  return finish(expression, true);
}

}  // namespace opm::cue::syntax
