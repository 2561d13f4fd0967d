// The parser proper: recursive descent with one token of look-ahead. Declarations are
// in parser.cpp, expressions in parser_expression.cpp, comprehensions and lists in
// parser_comprehension.cpp; the machinery that they share is here.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/stack.h"
#include "cue/syntax/ast.h"
#include "cue/syntax/comment_tracker.h"
#include "cue/syntax/lexer.h"
#include "cue/syntax/parser.h"
#include "cue/syntax/syntax_errors.h"

namespace opm::cue::syntax {

// Where a token stands, and what is before it. Invalid when the token was not there.
struct Mark {
  Position position;
  Spacing spacing = Spacing::none;
  bool after_comma = false;
};

class PartsAhead;

class Parser {
 public:
  Parser(base::Arena& arena, const diag::Source& source, const ParseOptions& options);
  // For a part of the source, see parts_ahead.h.
  Parser(base::Arena& arena, const diag::Source& source, const ParseOptions& options, std::uint32_t begin);

  // Takes declarations from there as far as they fit.
  void use(PartsAhead& ahead);
  // The declarations up to the first one that begins at `stop` or behind it, or to the end of what they stand in.
  void parse_part(std::uint32_t stop);
  File* parse_file();
  Expression* parse_single_expression();
  std::vector<diag::Diagnostic> take_errors() { return errors_.take(); }
  bool has_loader_attributes() const { return has_loader_attributes_; }

 private:
  struct NotBegun {};
  Parser(NotBegun, base::Arena& arena, const diag::Source& source, const ParseOptions& options);
  // Tokens.
  void next();
  void take_comments(std::uint32_t previous_line);
  CommentGroup* take_comment_group(std::uint32_t previous_line, std::uint32_t gap, std::uint32_t& end_line);
  void scan_next();
  void peek();
  bool at(Token kind) const { return token_.kind == kind; }
  bool at_automatic_comma() const { return token_.kind == Token::comma && token_.automatic; }
  Mark mark() const { return {position_of(token_.offset), token_.spacing, token_.after_comma}; }
  Mark expect(Token kind);
  Mark expect_closing(Token kind, std::string_view context);
  void expect_comma();
  // True when a separator is here or one was missed; false in front of a closer.
  bool at_comma(std::string_view context, std::initializer_list<Token> followers);
  void take_declaration_comma() {
    if (at(Token::comma)) {
      next();
    } else {
      miss_declaration_comma();
    }
  }
  [[gnu::cold]] void miss_declaration_comma();
  [[gnu::cold]] void skip_to_comma();

  // Errors. Few files have any, so what leads to one is kept out of the way of the rest.
  [[gnu::cold]] void error(std::uint32_t offset, std::string message);
  [[gnu::cold]] void error_here(std::string message) { error(token_.offset, std::move(message)); }
  [[gnu::cold]] void error_expected(std::string_view what);
  [[gnu::cold]] void give_up();
  // Counts a level of nesting for as long as it lives.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) { parser_.enter(); }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };
  void enter();
  [[gnu::cold]] void too_deep(std::uint32_t limit);

  // Nodes.
  Position position_of(std::uint32_t offset) const { return source_.begin.plus(offset); }
  std::uint32_t offset_of(Position position) const { return position.value - source_.begin.value; }
  Position last_end() const { return position_of(last_end_); }
  template <typename T>
  T* make(NodeKind kind, const Mark& first) {
    T* node = arena_.make<T>();
    node->kind = kind;
    node->spacing = first.spacing;
    node->begin = first.position;
    node->after_comma = first.after_comma;
    return node;
  }
  template <typename T>
  T* make_from(NodeKind kind, const Node* first) {
    return make<T>(kind, Mark{first->begin, first->spacing, first->after_comma});
  }
  template <typename T>
  T* make_here(NodeKind kind) {
    return make<T>(kind, mark());
  }
  void raise(Node* node, const Node* child) {
    if (!child || child->height < node->height) return;
    node->height = static_cast<std::uint16_t>(child->height + 1);
    if (node->height > kMaxTreeHeight) too_deep(kMaxTreeHeight);
  }
  // Takes the one token that `node` consists of.
  template <typename T>
  T* finish_leaf(T* node) {
    if (comments_.is_quiet()) {
      std::size_t before = comments_.group_count();
      next();
      comments_.close_leaf(before, node);
    } else {
      CommentScope scope;
      comments_.open(scope);
      next();
      comments_.close(scope, node);
    }
    return node;
  }
  // The children pushed since `from`, in the arena; `parent` becomes higher than them.
  template <typename T>
  std::span<T*> take_children(std::size_t from, Node* parent) {
    std::size_t count = children_.size() - from;
    std::span<T*> taken = arena_.make_array<T*>(count);
    for (std::size_t i = 0; i < count; ++i) {
      taken[i] = static_cast<T*>(children_[from + i]);
      raise(parent, taken[i]);
    }
    children_.cut(from);
    return taken;
  }

  // Declarations.
  void parse_package();
  ImportDeclaration* parse_imports();
  ImportSpec* parse_import_spec();
  void parse_declarations();
  void parse_element();
  bool take_part();
  bool fits(const Parser& part) const;
  Declaration* parse_declaration();
  Declaration* parse_field(Node* label);
  void finish_field(Field* field, Expression* value, std::span<Attribute*> attributes);
  void finish_field_chain(std::size_t from);
  Declaration* make_embedding(Expression* expression);
  [[gnu::cold]] Declaration* make_bad_declaration(const Mark& from);
  struct LabelOrExpression {
    Node* label = nullptr;              // set: may be a label
    Expression* expression = nullptr;   // set: what was read (also when it may be a label)
    Declaration* declaration = nullptr; // set: it was a whole declaration
  };
  LabelOrExpression parse_label(bool is_value);
  PostfixAlias* parse_postfix_alias();
  Constraint parse_constraint();
  LetClause* parse_let_declaration(Identifier*& identifier);
  Attribute* parse_attribute();
  std::span<Attribute*> parse_attributes();
  void check_declared(const Identifier* identifier);

  // Comprehensions and lists.
  struct Clauses {
    std::span<Clause*> clauses;
    unsigned height = 0;
    Identifier* identifier = nullptr;  // set: the keyword was a name after all
  };
  Clauses parse_clauses();
  ForClause* parse_for_clause(const Mark& start, CommentScope& scope);
  Comprehension* parse_comprehension_body(const Clauses& clauses);
  Comprehension* parse_comprehension(Identifier*& identifier);
  FallbackClause* parse_fallback(std::span<Clause*> clauses);
  ListLiteral* parse_list();
  bool parse_list_element();

  // Expressions.
  Expression* parse_expression();
  Expression* parse_binary(int lowest);
  Expression* parse_binary_tail(int lowest, Expression* left);
  Expression* parse_unary();
  Expression* parse_primary_tail(Expression* operand);
  Expression* parse_operand();
  Expression* parse_selector(Expression* operand);
  Expression* parse_index_or_slice(Expression* operand);
  Expression* parse_call(Expression* function);
  Expression* parse_parenthesis();
  Expression* parse_interpolation();
  Expression* parse_alias(Expression* name);
  Expression* wrap_optional(Expression* operand);
  Expression* wrap_optional_reference(Expression* name);
  StructLiteral* parse_struct();
  Identifier* parse_identifier();
  Identifier* parse_declared_identifier();
  Identifier* parse_keyword_as_identifier();
  BasicLiteral* make_literal_here();
  Expression* make_simple_operand();

  base::Arena& arena_;
  const diag::Source& source_;
  const ParseOptions options_;
  SyntaxErrors errors_;
  Lexer lexer_;
  CommentTracker comments_;
  LexedToken token_;
  LexedToken peeked_;
  bool has_peeked_ = false;
  bool given_up_ = false;
  bool has_loader_attributes_ = false;
  std::uint32_t last_end_ = 0;  // of the last token taken that was in the source
  std::uint32_t depth_ = 0;
  PartsAhead* ahead_ = nullptr;
  std::uint32_t next_part_ = ~std::uint32_t{0};  // where the next one of them begins
  LexedToken first_;                             // of a part
  base::Stack<Node*> children_;
  base::Stack<Comment> comment_lines_;
};

}  // namespace opm::cue::syntax
