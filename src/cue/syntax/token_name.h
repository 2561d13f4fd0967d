// Tokens as text: what the formatter writes for them and messages call them.
#pragma once

#include <string_view>

#include "cue/syntax/ast.h"

namespace opm::cue::syntax {

// The operator or keyword itself, or the class of a literal (IDENT, STRING).
constexpr std::string_view token_name(Token token) {
  switch (token) {
    case Token::illegal: return "ILLEGAL";
    case Token::end_of_file: return "EOF";
    case Token::comment: return "COMMENT";
    case Token::attribute: return "ATTRIBUTE";
    case Token::identifier: return "IDENT";
    case Token::integer: return "INT";
    case Token::floating: return "FLOAT";
    case Token::string: return "STRING";
    case Token::interpolation: return "INTERPOLATION";
    case Token::bottom: return "_|_";
    case Token::add: return "+";
    case Token::subtract: return "-";
    case Token::multiply: return "*";
    case Token::divide: return "/";
    case Token::power: return "^";
    case Token::integer_quotient: return "quo";
    case Token::integer_remainder: return "rem";
    case Token::integer_divide: return "div";
    case Token::integer_modulo: return "mod";
    case Token::and_value: return "&";
    case Token::or_value: return "|";
    case Token::logical_and: return "&&";
    case Token::logical_or: return "||";
    case Token::equal: return "==";
    case Token::less: return "<";
    case Token::greater: return ">";
    case Token::not_: return "!";
    case Token::arrow: return "<-";
    case Token::bind: return "=";
    case Token::not_equal: return "!=";
    case Token::less_equal: return "<=";
    case Token::greater_equal: return ">=";
    case Token::match: return "=~";
    case Token::not_match: return "!~";
    case Token::left_parenthesis: return "(";
    case Token::left_bracket: return "[";
    case Token::left_brace: return "{";
    case Token::comma: return ",";
    case Token::period: return ".";
    case Token::ellipsis: return "...";
    case Token::right_parenthesis: return ")";
    case Token::right_bracket: return "]";
    case Token::right_brace: return "}";
    case Token::semicolon: return ";";
    case Token::colon: return ":";
    case Token::question: return "?";
    case Token::tilde: return "~";
    case Token::if_: return "if";
    case Token::for_: return "for";
    case Token::in: return "in";
    case Token::let: return "let";
    case Token::func: return "func";
    case Token::true_: return "true";
    case Token::false_: return "false";
    case Token::null: return "null";
    case Token::try_: return "try";
    case Token::else_: return "else";
    case Token::fallback: return "fallback";
    case Token::otherwise: return "otherwise";
  }
  return "ILLEGAL";
}

}  // namespace opm::cue::syntax
