// How expressions are printed; see format_printer.h.
#include <algorithm>

#include "cue/syntax/format_printer.h"

namespace opm::cue::syntax {

namespace {

constexpr int kUnaryPrecedence = 8;
constexpr int kOperandPrecedence = 9;
// Deeper strings keep the indentation they have.
constexpr unsigned kDeepestReindent = 6;

int precedence_of(Token op) {
  switch (op) {
    case Token::or_value: return 1;
    case Token::and_value: return 2;
    case Token::logical_or: return 3;
    case Token::logical_and: return 4;
    case Token::equal:
    case Token::not_equal:
    case Token::less:
    case Token::less_equal:
    case Token::greater:
    case Token::greater_equal:
    case Token::match:
    case Token::not_match: return 5;
    case Token::add:
    case Token::subtract: return 6;
    case Token::multiply:
    case Token::divide:
    case Token::integer_divide:
    case Token::integer_modulo:
    case Token::integer_quotient:
    case Token::integer_remainder: return 7;
    default: return 0;
  }
}

// What of an expression decides whether its sums and products are spaced.
struct OperatorMix {
  bool has_sum = false;
  bool has_product = false;
  int clash = 0;  // an operator that an unary one follows and could merge with: from here on, blanks

  void add(const OperatorMix& other) {
    has_sum |= other.has_sum;
    has_product |= other.has_product;
    clash = std::max(clash, other.clash);
  }
};

OperatorMix mix_of(const Binary& binary);

// Of the operator itself and its right side.
OperatorMix mix_without_left(const Binary& binary) {
  int precedence = precedence_of(binary.op);
  OperatorMix mix{precedence == 6, precedence == 7};
  if (binary.right->kind == NodeKind::binary) {
    const Binary& right = *as<Binary>(binary.right);
    if (precedence_of(right.op) > precedence) mix.add(mix_of(right));
  } else if (binary.right->kind == NodeKind::unary) {
    Token op = as<Unary>(binary.right)->op;
    if (binary.op == Token::divide && op == Token::multiply) mix.clash = 8;
    if (binary.op == op && (op == Token::add || op == Token::subtract)) mix.clash = 6;
  }
  return mix;
}

// Whether the left side is printed without parentheses, so that its operators count.
bool continues_left(const Binary& binary) {
  return binary.left->kind == NodeKind::binary &&
         precedence_of(as<Binary>(binary.left)->op) >= precedence_of(binary.op);
}

OperatorMix mix_of(const Binary& binary) {
  OperatorMix mix;
  for (const Binary* node = &binary;; node = as<Binary>(node->left)) {
    mix.add(mix_without_left(*node));
    if (!continues_left(*node)) return mix;
  }
}

// Operators that bind looser than this get blanks. Within brackets and operands (depth > 1)
// sums and products are written closely.
int spacing_limit(const OperatorMix& mix, int depth) {
  if (mix.clash > 0) return mix.clash + 1;
  if (depth > 1) return 6;
  return mix.has_sum && mix.has_product ? 7 : 8;
}

// What a selector, index, slice, call or postfix operator is applied to; nullptr for other nodes.
const Expression* operand_of(const Expression& node) {
  switch (node.kind) {
    case NodeKind::selector: return as<Selector>(&node)->operand;
    case NodeKind::index: return as<Index>(&node)->operand;
    case NodeKind::slice: return as<Slice>(&node)->operand;
    case NodeKind::call: return as<Call>(&node)->function;
    case NodeKind::postfix: return as<Postfix>(&node)->operand;
    default: return nullptr;
  }
}

int without_one_level(int depth) { return std::max(depth - 1, 1); }

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

void lower_case(std::string& text) {
  for (char& byte : text) {
    if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte - 'A' + 'a');
  }
}

// Numbers keep their notation but for some old or sloppy forms: 017, .5, 1., 1E3.
bool needs_number_cleanup(std::string_view text) {
  return (text.size() > 1 && text[0] == '0' && is_digit(text[1])) || text.find_first_of(".E") != std::string_view::npos;
}

void clean_number(std::string& text, Token token) {
  std::size_t point = text.find('.');
  // 01.5Ki is an integer with a point: 0o1.5Ki, as cue writes it, would be no number.
  bool is_octal = token == Token::integer && point == std::string::npos;
  if (is_octal && text.size() > 1 && text[0] == '0' && is_digit(text[1])) text.insert(1, "o");
  if (point != std::string::npos) {
    if (point == 0 && token == Token::floating) {
      text.insert(0, "0");
    } else if (point + 1 == text.size() || text[point + 1] > '9') {
      text.insert(point + 1, "0");
    }
  }
  std::size_t exponent = text.find('E');
  // A last E is reserved for a multiplier.
  if (exponent != std::string::npos && (token == Token::floating || exponent + 1 < text.size())) lower_case(text);
}

bool opens_multiline_string(const Node& first_part) {
  if (first_part.kind != NodeKind::basic_literal) return false;
  std::string_view text = as<BasicLiteral>(&first_part)->text;
  text.remove_prefix(std::min(text.find_first_not_of('#'), text.size()));
  return text.starts_with("\"\"\"") || text.starts_with("'''");
}

// The white space before the closing quotes of a multi-line string, which every line has.
// False if the text is no whole multi-line string.
bool find_string_indent(std::string_view text, std::string_view& indent) {
  std::size_t hashes = std::min(text.find_first_not_of('#'), text.size());
  std::string_view body = text.substr(hashes);
  if (body.size() < 7 || (body[0] != '"' && body[0] != '\'') || body[1] != body[0] || body[2] != body[0]) return false;
  std::size_t first_line = body[3] == '\r' ? 5 : 4;
  if (body[first_line - 1] != '\n') return false;
  std::size_t close = hashes + 3;
  if (text.size() < hashes + first_line + close) return false;
  for (std::size_t i = 0; i < close; ++i) {
    if (text[text.size() - 1 - i] != text[i]) return false;
  }
  std::string_view inner = text.substr(0, text.size() - close);
  std::size_t start = inner.size();
  while (start > 0 && (inner[start - 1] == ' ' || inner[start - 1] == '\t' || inner[start - 1] == '\r')) --start;
  indent = inner.substr(start);
  std::string_view rest = body.substr(first_line);
  return rest.starts_with('\n') || rest.starts_with(indent);
}

}  // namespace

void TreePrinter::expression(const Expression& node, int precedence, int depth) {
  if (node.comments.empty() && (node.kind == NodeKind::identifier || node.kind == NodeKind::basic_literal)) {
    bare_expression(node, precedence, depth);
    finish_part();
    return;
  }
  Frame outer = enter(&node);
  bare_expression(node, precedence, depth);
  leave(outer);
}

void TreePrinter::bare_expression(const Expression& node, int precedence, int depth) {
  switch (node.kind) {
    case NodeKind::identifier:
      out_.place(node.spacing);
      out_.word(as<Identifier>(&node)->name, Token::identifier);
      break;
    case NodeKind::basic_literal: print_literal(*as<BasicLiteral>(&node)); break;
    case NodeKind::bad_expression: word(node.spacing, "_|_", Token::string); break;
    case NodeKind::bottom: symbol(node.spacing, Token::bottom); break;
    case NodeKind::alias: print_alias(*as<Alias>(&node)); break;
    case NodeKind::binary: print_binary(*as<Binary>(&node), precedence, depth); break;
    case NodeKind::unary: {
      const Unary& unary = *as<Unary>(&node);
      bool parenthesised = kUnaryPrecedence < precedence;
      if (parenthesised) {
        symbol(Token::left_parenthesis);
        out_.want(Gap::settled);
      }
      symbol(unary.spacing, unary.op);
      out_.want(Gap::settled);
      expression(*unary.operand, kUnaryPrecedence, parenthesised ? 1 : depth);
      if (parenthesised) joined_symbol(Spacing::none, Token::right_parenthesis);
      break;
    }
    case NodeKind::interpolation: print_interpolation(*as<Interpolation>(&node), depth); break;
    case NodeKind::parenthesis: {
      const Parenthesis& group = *as<Parenthesis>(&node);
      if (group.inner->kind == NodeKind::parenthesis) {  // one pair is enough
        expression(*group.inner, 0, depth);
        break;
      }
      symbol(group.spacing, Token::left_parenthesis);
      expression(*group.inner, 0, without_one_level(depth));
      joined_symbol(group.right_spacing, Token::right_parenthesis);
      break;
    }
    case NodeKind::selector:
    case NodeKind::index:
    case NodeKind::slice:
    case NodeKind::call:
    case NodeKind::postfix: print_operand(node, depth); break;
    case NodeKind::struct_literal: print_struct(*as<StructLiteral>(&node)); break;
    case NodeKind::list_literal: print_list(*as<ListLiteral>(&node)); break;
    case NodeKind::ellipsis: print_late_comments(print_ellipsis(*as<Ellipsis>(&node))); break;
    case NodeKind::comprehension: print_comprehension(*as<Comprehension>(&node)); break;
    case NodeKind::embedding: expression(*as<Embedding>(&node)->expression, precedence, depth); break;
    default: break;
  }
}

void TreePrinter::print_literal(const BasicLiteral& literal) {
  out_.place(literal.spacing);
  std::string_view text = literal.text;
  if (literal.token == Token::string) {
    std::string_view indent;
    if (text.size() > 6 && out_.indent() < kDeepestReindent && find_string_indent(text, indent)) {
      std::size_t tabs = out_.base_indent() + out_.indent() + 1;
      if (indent.size() != tabs || indent.find_first_not_of('\t') != std::string_view::npos) {
        scratch_.clear();
        for (std::size_t at = 0; at < text.size();) {
          std::size_t line_end = text.find('\n', at);
          if (line_end == std::string_view::npos) line_end = text.size() - 1;
          scratch_.append(text.substr(at, line_end + 1 - at));
          at = line_end + 1;
          if (at < text.size() && text.substr(at).starts_with(indent)) {
            scratch_.append(tabs, '\t');
            at += indent.size();
          }
        }
        text = scratch_;
      }
    }
  } else if ((literal.token == Token::integer || literal.token == Token::floating) && needs_number_cleanup(text)) {
    scratch_.assign(text);
    clean_number(scratch_, literal.token);
    text = scratch_;
  }
  out_.word(text, literal.token);
}

void TreePrinter::print_interpolation(const Interpolation& interpolation, int depth) {
  Frame outer = enter(nullptr);
  bool was_flat = out_.flat;
  for (const Node* element : interpolation.elements) {
    expression(*element, 0, depth + 1);
    // What stands within a string on one line stays there.
    if (element == interpolation.elements.front() && !opens_multiline_string(*element)) out_.flat = true;
  }
  out_.flat = was_flat;
  leave(outer);
}

void TreePrinter::print_alias(const Alias& alias) {
  print_label(*alias.name);
  joined_symbol(alias.equal_spacing, Token::bind);
  expression(*alias.value);
}

namespace {

// A struct that was put together has no brace in any source: it stands where what is in it does.
const Node& first_part(const Node& node) {
  const Node* first = &node;
  while (first->kind == NodeKind::struct_literal && first->spacing == Spacing::none) {
    const StructLiteral& literal = *as<StructLiteral>(first);
    if (literal.left_brace.valid() || literal.elements.empty()) break;
    first = literal.elements[0];
  }
  return *first;
}

}  // namespace

// Chains such as `a | b | c` lean to the left and may be very long, so the left side is
// walked in a loop: down to its first operand, then up again operator by operator.
void TreePrinter::print_binary(const Binary& binary, int precedence, int depth) {
  std::size_t bottom = open_binaries_.size();
  const Binary* node = &binary;
  Frame outer = frame_;
  for (;;) {
    int own = precedence_of(node->op);
    bool parenthesised = own < precedence;
    if (parenthesised) {
      symbol(Token::left_parenthesis);
      out_.want(Gap::settled);
      depth = without_one_level(depth);
    }
    open_binaries_.push_back({node, outer, depth, parenthesised});
    precedence = own;
    if (node->left->kind != NodeKind::binary) {
      expression(*node->left, own, depth + 1);
      break;
    }
    const Binary* left = as<Binary>(node->left);
    depth += precedence_of(left->op) == own ? 0 : 1;
    outer = enter(left);
    node = left;
  }

  // A comment behind an operator goes behind the right side, unless another operator would
  // follow it there: that would have to begin a line.
  bool comments_stay = std::ranges::any_of(open_binaries_.view().subspan(bottom + 1),
                                           [](const OpenBinary& open) { return !open.node->comments.empty(); });
  OperatorMix mix;
  while (open_binaries_.size() > bottom) {
    OpenBinary open = open_binaries_.back();
    open_binaries_.pop_back();
    int own = precedence_of(open.node->op);
    if (!continues_left(*open.node)) mix = {};
    mix.add(mix_without_left(*open.node));
    bool spaced = own < spacing_limit(mix, open.depth);

    out_.want(spaced ? Gap::settled | Gap::blank : Gap::settled);
    joined_symbol(Spacing::none, open.node->op);
    if (comments_stay) print_comments(frame_.parts);
    if (breaks_line(first_part(*open.node->right))) {
      out_.want(Gap::section);
    } else {
      out_.want(spaced ? Gap::settled | Gap::blank : Gap::settled);
    }
    expression(*open.node->right, own + 1, open.depth + 1);
    if (open.parenthesised) joined_symbol(Spacing::none, Token::right_parenthesis);
    if (open_binaries_.size() > bottom) leave(open.outer);
  }
}

// Chains such as `a.b[0].c()` are walked in a loop too.
void TreePrinter::print_operand(const Expression& whole, int depth) {
  std::size_t bottom = open_operands_.size();
  open_operands_.push_back({&whole, {}, depth, false});
  for (;;) {
    OpenOperand& open = open_operands_.back();
    if (open.node->kind == NodeKind::call && as<Call>(open.node)->arguments.size() > 1) ++open.depth;
    const Expression* operand = operand_of(*open.node);
    if (!operand) break;
    bool starts_anew = open.node->kind == NodeKind::index || open.node->kind == NodeKind::slice;
    int operand_depth = starts_anew ? 1 : open.depth;
    if (!operand_of(*operand)) {
      expression(*operand, kOperandPrecedence, operand_depth);
      break;
    }
    // The name of a function is one part of the call, not a whole of its own.
    bool is_framed =
        open.node->kind != NodeKind::call || operand->kind != NodeKind::selector || !operand->comments.empty();
    Frame outer = is_framed ? enter(operand) : Frame{};
    open_operands_.push_back({operand, outer, operand_depth, is_framed});
  }
  while (open_operands_.size() > bottom) {
    OpenOperand open = open_operands_.back();
    open_operands_.pop_back();
    switch (open.node->kind) {
      case NodeKind::selector: print_selection(*as<Selector>(open.node)); break;
      case NodeKind::index: print_index(*as<Index>(open.node), open.depth); break;
      case NodeKind::slice: print_slice(*as<Slice>(open.node), open.depth); break;
      case NodeKind::call: print_arguments(*as<Call>(open.node), open.depth); break;
      case NodeKind::postfix: joined_symbol(Spacing::none, as<Postfix>(open.node)->op); break;
      default: break;
    }
    if (open.is_framed) leave(open.outer);
  }
}

void TreePrinter::print_selection(const Selector& selector) {
  joined_symbol(Spacing::none, Token::period);
  if (breaks_line(*selector.label)) {
    out_.want(Gap::indent | Gap::section);
    expression(*selector.label);
    out_.want(Gap::outdent);
  } else {
    out_.want(Gap::tight);
    expression(*selector.label);
  }
}

void TreePrinter::print_index(const Index& index, int depth) {
  joined_symbol(index.left_spacing, Token::left_bracket);
  expression(*index.index, 0, depth + 1);
  symbol(index.right_spacing, Token::right_bracket);
}

void TreePrinter::print_slice(const Slice& slice, int depth) {
  joined_symbol(slice.left_spacing, Token::left_bracket);
  if (slice.low) expression(*slice.low, 0, depth + 1);
  bool spaced = depth <= 1 && slice.low && slice.high &&
                (slice.low->kind == NodeKind::binary || slice.high->kind == NodeKind::binary);
  if (spaced) out_.want(Gap::blank);
  joined_symbol(Spacing::none, Token::colon);
  if (spaced) out_.want(Gap::blank);
  if (slice.high) expression(*slice.high, 0, depth + 1);
  symbol(slice.right_spacing, Token::right_bracket);
}

void TreePrinter::print_arguments(const Call& call, int depth) {
  joined_symbol(call.left_spacing, Token::left_parenthesis);
  Frame list = enter(nullptr);
  for (const Expression* argument : call.arguments) {
    Frame outer = enter(argument);
    bare_expression(*argument, 0, depth);
    out_.want(Gap::comma | Gap::blank);
    leave(outer);
  }
  leave(list);
  out_.want(Gap::closing | Gap::tight);
  symbol(call.right_spacing, Token::right_parenthesis);
}

namespace {

// Where the source leaves out commas that only newer versions of CUE do without, so do we.
// Where older ones too allow it (behind a comprehension or the only element), a comma is
// put: it is what all versions leave alone.
bool needs_no_commas(const ListLiteral& list) {
  if (!list.omits_commas) return false;
  for (std::size_t i = 1; i < list.elements.size(); ++i) {
    if (!list.elements[i]->after_comma && list.elements[i - 1]->kind != NodeKind::comprehension) return true;
  }
  return false;
}

bool stands_within(const CommentGroup& group, const Node& node) {
  if (group.comments.empty()) return false;
  Position position = group.comments.front().position;
  return node.begin < position && position < node.end;
}

bool has_comment_inside(const Node& node) {
  return std::ranges::any_of(node.comments, [](const CommentGroup* group) { return group->position == 1; });
}

}  // namespace

void TreePrinter::print_struct(const StructLiteral& literal) {
  if (!frame_.on_one_line) frame_.on_one_line = stands_on_one_line(literal);
  bool has_braces = literal.left_brace.valid() || !literal.begin.valid();
  symbol(has_braces ? literal.spacing : Spacing::none, Token::left_brace);
  unsigned opened_at = out_.lines_broken();
  Gap inside = Gap::tight | Gap::indent;
  if (literal.elements.empty()) {
    inside = inside | (has_comment_inside(literal) ? line_end(Gap::section) : Gap::blank | Gap::settled);
  } else {
    inside = inside | line_end(Gap::section);
    if (literal.right_spacing == Spacing::none || spacing_of(*literal.elements[0]) == Spacing::none) {
      inside = inside | Gap::line | Gap::settled;
    }
  }
  out_.want(inside);
  out_.brace_on_line = true;

  print_declarations(literal.elements);

  out_.want(Gap::outdent | Gap::tight);
  if (out_.lines_broken() != opened_at) {
    out_.want(Gap::line);
    if (out_.last() != Token::right_brace && out_.last() != Token::right_bracket) out_.want(Gap::settled);
  }
  symbol(literal.right_spacing, Token::right_brace);
}

void TreePrinter::print_list(const ListLiteral& literal) {
  symbol(literal.spacing, Token::left_bracket);
  out_.want(Gap::tight | Gap::indent);
  if (literal.elements.empty() && !has_comment_inside(literal)) out_.want(Gap::blank | Gap::settled);
  print_list_elements(literal);
  out_.want(Gap::closing | Gap::tight);
  print_comments(frame_.parts);
  out_.want(Gap::outdent | Gap::tight);
  symbol(literal.right_spacing, Token::right_bracket);
}

void TreePrinter::print_list_elements(const ListLiteral& literal) {
  Frame list = enter(nullptr);
  bool first = true;
  bool omits_commas = needs_no_commas(literal);
  for (const Expression* element : literal.elements) {
    if (!first && omits_commas) out_.want(Gap::line_comma);
    first = false;
    Frame outer = enter(element);
    // Comments behind the element go behind its comma.
    std::span<CommentGroup* const> later = frame_.comments;
    std::span<CommentGroup* const> later_of_type;
    if (element->begin.valid()) frame_.comments = {};
    if (element->kind == NodeKind::ellipsis) {
      later_of_type = print_ellipsis(*as<Ellipsis>(element));
    } else {
      bare_expression(*element, 0, 1);
    }
    if (!omits_commas) out_.want(Gap::comma | Gap::blank);
    print_late_comments(later_of_type);
    if (element->begin.valid()) frame_.comments = later;
    leave(outer);
  }
  leave(list);
}

// Gives back the comments around the type: they can't stand before it, and in a list they
// have to wait for the comma.
std::span<CommentGroup* const> TreePrinter::print_ellipsis(const Ellipsis& ellipsis) {
  symbol(ellipsis.spacing, Token::ellipsis);
  if (!ellipsis.type || is_top(*ellipsis.type)) return {};
  const Expression& type = *ellipsis.type;
  std::span<CommentGroup* const> comments = type.comments;
  std::size_t inside = 0;
  while (inside < comments.size() && stands_within(*comments[inside], type)) ++inside;
  Frame outer = enter(nullptr);
  frame_.comments = comments.first(inside);
  bare_expression(type, 0, 1);
  leave(outer);
  return comments.subspan(inside);
}

}  // namespace opm::cue::syntax
