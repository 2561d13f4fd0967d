// The walk over a syntax tree that prints it; see format.h for what it is for.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/stack.h"
#include "cue/syntax/ast.h"
#include "cue/syntax/format.h"
#include "cue/syntax/format_simplify.h"
#include "cue/syntax/format_tokens.h"

namespace opm::cue::syntax {

inline bool is_top(const Expression& node) {
  return node.kind == NodeKind::identifier && as<Identifier>(&node)->name == "_";
}

class TreePrinter {
 public:
  explicit TreePrinter(const FormatOptions& options);

  std::string print(const Node& root);

 private:
  // The node being printed: which comments are still due, and how many of its parts are out.
  struct Frame {
    std::span<CommentGroup* const> comments;
    int parts = 0;
    // Not a bool, so that the frame ends with a whole word: it is copied for every node, and to copy an odd number of bytes the
    // processor would have to wait for the words that they are parts of.
    std::uint32_t on_one_line = false;
  };

  static constexpr int kAllParts = 127;

  // A node's comments are printed between its parts, where their position says.
  Frame enter(const Node* node) {
    Frame outer = frame_;
    frame_.parts = 0;
    frame_.comments = {};
    if (node && !node->comments.empty()) {
      frame_.comments = node->comments;
      print_comments(0);
    }
    return outer;
  }
  void leave(const Frame& outer) {
    if (!frame_.comments.empty()) print_comments(kAllParts);
    frame_ = outer;
    finish_part();
  }
  void finish_part() {
    ++frame_.parts;
    if (!frame_.comments.empty()) print_comments(frame_.parts);
  }
  void print_comments(int until);
  void print_late_comments(std::span<CommentGroup* const> groups);
  void print_comment(const CommentGroup& group);

  // Parts that are no nodes of their own.
  void symbol(Token token) {
    out_.symbol(token);
    ++frame_.parts;
  }
  void symbol(Spacing spacing, Token token) {
    out_.place(spacing);
    symbol(token);
  }
  void joined_symbol(Spacing spacing, Token token) {
    if (!out_.after_comment()) out_.place(spacing);
    out_.joined_symbol(token);
    ++frame_.parts;
  }
  void word(Spacing spacing, std::string_view text, Token token) {
    out_.place(spacing);
    out_.word(text, token);
    ++frame_.parts;
  }

  void print_file(const File& file);
  void print_declarations(std::span<Declaration* const> declarations);
  void print_gap_after(std::span<Declaration* const> following);
  void print_declaration(const Declaration& declaration);
  void print_field(const Field& field);
  void print_postfix_alias(const PostfixAlias& alias);
  void print_imports(const ImportDeclaration& imports);
  void print_import_spec(const ImportSpec& spec);
  void print_comprehension(const Comprehension& comprehension);
  void print_clauses(std::span<Clause* const> clauses);
  void print_clause(const Clause& clause);
  void print_label(const Node& label);
  void print_simplified_ellipsis(const Declaration& original);
  void start_on_new_line(const Node& node);
  const Field* joined_field(const Field& field) const;

  void expression(const Expression& node, int precedence = 0, int depth = 1);
  void bare_expression(const Expression& node, int precedence, int depth);
  void print_literal(const BasicLiteral& literal);
  void print_binary(const Binary& binary, int precedence, int depth);
  void print_interpolation(const Interpolation& interpolation, int depth);
  void print_operand(const Expression& whole, int depth);
  void print_selection(const Selector& selector);
  void print_index(const Index& index, int depth);
  void print_slice(const Slice& slice, int depth);
  void print_arguments(const Call& call, int depth);
  void print_struct(const StructLiteral& literal);
  void print_list(const ListLiteral& literal);
  void print_list_elements(const ListLiteral& literal);
  std::span<CommentGroup* const> print_ellipsis(const Ellipsis& ellipsis);
  void print_alias(const Alias& alias);

  bool breaks_line(const Node& node) const { return node.spacing >= Spacing::newline && !out_.flat; }
  Gap line_end(Gap line) const { return frame_.on_one_line ? Gap::blank : line; }
  bool stands_on_one_line(const StructLiteral& literal) const;
  bool is_simplified(const Node& label) const { return options_.simplify && simplified_.contains(&label); }
  Spacing spacing_of(const Node& node) const;
  bool has_place(const Node& node) const;

  // A binary expression on the way down its left side; see print_binary.
  struct OpenBinary {
    const Binary* node;
    Frame outer;  // the one around it
    int depth;
    bool parenthesised;
  };

  // A selector, call or the like on the way down to its first operand; see print_operand.
  struct OpenOperand {
    const Expression* node;
    Frame outer;  // the one around it
    int depth;
    bool is_framed;
  };

  FormatOptions options_;
  TokenWriter out_;
  Frame frame_;
  LabelSet simplified_;
  base::Stack<OpenBinary> open_binaries_;
  base::Stack<OpenOperand> open_operands_;
  std::string scratch_;
};

}  // namespace opm::cue::syntax
