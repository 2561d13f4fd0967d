// CUE's syntax tree. Nodes live in an arena and point at each other; text is a view
// of the source. The parser makes trees from text, the exporter from values, and the
// formatter prints either, so layout hints (Spacing, comments) are part of a node.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "diag/source.h"

namespace opm::cue::syntax {

using diag::Position;

// What stands between the previous token and this one in the source.
enum class Spacing : std::uint8_t {
  none,         // unknown (a synthesised tree): the formatter decides
  elided,       // the token is not in the source at all
  no_space,
  blank,
  newline,
  new_section,  // an empty line or more
};

enum class NodeKind : std::uint8_t {
  // expressions
  bad_expression, identifier, basic_literal, interpolation, struct_literal, list_literal,
  ellipsis, selector, index, slice, call, unary, binary, postfix, parenthesis, bottom, alias,
  comprehension,
  // declarations
  field, let_clause, embedding, attribute, import_declaration, package, comment_declaration, bad_declaration,
  // clauses
  for_clause, if_clause, try_clause, fallback_clause,
  import_spec, postfix_alias, file,
};

enum class Token : std::uint8_t {
  illegal, end_of_file, comment, attribute,
  identifier, integer, floating, string, interpolation, bottom,
  // operators, in CUE's notation
  add, subtract, multiply, divide, power /* reserved */, integer_quotient /* quo */, integer_remainder /* rem */,
  integer_divide /* div */, integer_modulo /* mod */,
  and_value /* & */, or_value /* | */, logical_and /* && */, logical_or /* || */,
  equal /* == */, less, greater, not_ /* ! */, arrow, bind /* = */, not_equal, less_equal, greater_equal,
  match /* =~ */, not_match /* !~ */,
  left_parenthesis, left_bracket, left_brace, comma, period, ellipsis,
  right_parenthesis, right_bracket, right_brace, semicolon, colon, question, tilde,
  // keywords
  if_, for_, in, let, func, true_, false_, null, try_, else_, fallback, otherwise,
};

struct Comment {
  Position position;
  std::string_view text;  // with the slashes, without the line break
  Spacing spacing = Spacing::none;
};

struct CommentGroup {
  std::span<Comment> comments;
  bool is_doc = false;    // stands right before what it documents
  bool is_line = false;   // stands on the line where its node ends
  // Which token of the node it stands before: 0 the first, 1 the second...
  // For a field: <0> label <1> ":" <2> value <3> "," <4>
  std::int8_t position = 0;
};

struct Node {
  NodeKind kind;
  Spacing spacing = Spacing::none;  // before the node's first token
  Position begin;                   // of the first token
  Position end;                     // just behind the last one
  std::uint16_t height = 1;         // of the tree below, this node included; the parser caps it
  bool after_comma = false;         // the first token stands behind a comma that is in the source
  std::span<CommentGroup*> comments;
};

using Expression = Node;   // one of the first group of kinds
using Declaration = Node;  // a declaration, or a comprehension, ellipsis or let clause
using Clause = Node;

struct Identifier : Node { std::string_view name; };

// A number, string, bytes, true, false or null, as written. For the parts of an
// interpolation: the text between, with the opening or closing quotes and `\(` or `)`.
struct BasicLiteral : Node { Token token; std::string_view text; };

struct Interpolation : Node { std::span<Node*> elements; };  // literal, expression, literal, ...

struct StructLiteral : Node {
  std::span<Declaration*> elements;
  Position left_brace, right_brace;  // invalid: the braces are elided (`a: b: 1`)
  Spacing right_spacing = Spacing::none;
};

struct ListLiteral : Node {
  std::span<Expression*> elements;  // may contain ellipsis (last) and comprehensions
  Position left_bracket, right_bracket;
  Spacing right_spacing = Spacing::none;
  bool omits_commas = false;  // some element ends with its line, without a comma
};

struct Ellipsis : Node { Expression* type = nullptr; };  // a type only in lists

struct Selector : Node { Expression* operand; Node* label; Position period; };  // label: identifier or string literal
struct Index : Node {
  Expression* operand;
  Expression* index;
  Position left_bracket, right_bracket;
  Spacing left_spacing = Spacing::none, right_spacing = Spacing::none;
};
struct Slice : Node {
  Expression* operand;
  Expression* low;   // nullptr: from the start
  Expression* high;  // nullptr: to the end
  Position left_bracket, right_bracket;
  Spacing left_spacing = Spacing::none, right_spacing = Spacing::none;
};
struct Call : Node {
  Expression* function;
  std::span<Expression*> arguments;
  Position left_parenthesis, right_parenthesis;
  Spacing left_spacing = Spacing::none, right_spacing = Spacing::none;
};
struct Unary : Node { Token op; Expression* operand; };
struct Binary : Node {
  Token op;
  Spacing op_spacing = Spacing::none;
  Position op_position;
  Expression* left;
  Expression* right;
};
struct Postfix : Node {  // `x...`, `x?`
  Token op;
  Spacing op_spacing = Spacing::none;
  Position op_position;
  Expression* operand;
};
struct Parenthesis : Node { Expression* inner; Position right_parenthesis; Spacing right_spacing = Spacing::none; };
struct Bottom : Node {};
struct BadExpression : Node {};
struct BadDeclaration : Node {};

// X=expr, as label, list element or value
struct Alias : Node {
  Identifier* name;
  Expression* value;
  Position equal;
  Spacing equal_spacing = Spacing::none;
};

// `label~X: v`, `label~(X): v` and `label~(K,V): v`; the node begins at the tilde.
struct PostfixAlias : Node {
  Identifier* label_name = nullptr;  // K
  Identifier* field_name = nullptr;  // X or V
  Position left_parenthesis, comma, right_parenthesis;  // invalid: not there
  Spacing left_spacing = Spacing::none, comma_spacing = Spacing::none, right_spacing = Spacing::none;
};

enum class Constraint : std::uint8_t { none, optional /* ? */, required /* ! */ };

struct Attribute : Node { std::string_view text; };  // with @ and parentheses

struct Field : Node {
  // An identifier, string literal, interpolation, parenthesis (dynamic), list literal
  // (pattern), or the alias of one of those.
  Node* label;
  PostfixAlias* alias = nullptr;
  Constraint constraint = Constraint::none;
  Spacing colon_spacing = Spacing::none;
  Position colon;
  Expression* value;
  std::span<Attribute*> attributes;
};

struct Embedding : Node { Expression* expression; };

struct ForClause : Node {
  Identifier* key = nullptr;
  Identifier* value;
  Expression* source;
  Position comma, in;  // comma: invalid without a key
  Spacing comma_spacing = Spacing::none, in_spacing = Spacing::none;
};
struct IfClause : Node { Expression* condition; };
struct LetClause : Node {
  Identifier* name;
  Expression* value;
  Position equal;
  Spacing equal_spacing = Spacing::none;
};
struct TryClause : Node {  // `try x = e`, or a bare `try` whose body is that of the comprehension
  Identifier* name = nullptr;
  Expression* value = nullptr;
  Position equal;
  Spacing equal_spacing = Spacing::none;
};
struct FallbackClause : Node {
  StructLiteral* body;
  bool is_else = false;  // behind a single if or try
  Token keyword = Token::else_;  // as written: else, fallback or otherwise
};

struct Comprehension : Node {
  std::span<Clause*> clauses;
  StructLiteral* body;
  FallbackClause* fallback = nullptr;
};

struct ImportSpec : Node { Identifier* name = nullptr; BasicLiteral* path; };
struct ImportDeclaration : Node {
  std::span<ImportSpec*> specs;
  Position left_parenthesis, right_parenthesis;  // invalid: a single unparenthesised import
  Spacing left_spacing = Spacing::none, right_spacing = Spacing::none;
};
struct Package : Node { Identifier* name; };
struct CommentDeclaration : Node { CommentGroup* group; };  // free-standing, between declarations

struct File : Node {
  const diag::Source* source = nullptr;
  std::span<Declaration*> declarations;  // package, imports, attributes, comments and all others, in order
  std::string_view package_name() const;  // empty: none
};

template <typename T>
T* as(Node* node) { return static_cast<T*>(node); }
template <typename T>
const T* as(const Node* node) { return static_cast<const T*>(node); }

}  // namespace opm::cue::syntax
