#include "cue/syntax/format.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/arena.h"
#include "cue/syntax/format_printer.h"
#include "cue/syntax/literal.h"

namespace opm::cue::syntax {

namespace {

constexpr unsigned kTabWidth = 8;

bool is_elided(const StructLiteral& literal) {
  // A synthesised struct asks for its braces by saying what stands before them.
  if (literal.begin.valid()) return !literal.left_brace.valid();
  return literal.spacing == Spacing::none || literal.spacing == Spacing::elided;
}

const Identifier* name_of_label(const Node& label) {
  const Node* node = &label;
  if (node->kind == NodeKind::alias) node = as<Alias>(node)->value;
  return node->kind == NodeKind::identifier ? as<Identifier>(node) : nullptr;
}

bool is_definition(const Node& label) {
  const Identifier* name = name_of_label(label);
  return name && (name->name.starts_with('#') || name->name.starts_with("_#"));
}

bool is_regular(const Field& field) {
  const Identifier* name = name_of_label(*field.label);
  return !name || !(name->name.starts_with('#') || name->name.starts_with('_'));
}

// Comments of the declaration or of the name that it declares.
bool has_comments(const Declaration& declaration) {
  if (!declaration.comments.empty()) return true;
  switch (declaration.kind) {
    case NodeKind::field: return !as<Field>(&declaration)->label->comments.empty();
    case NodeKind::alias: return !as<Alias>(&declaration)->name->comments.empty();
    case NodeKind::let_clause: return !as<LetClause>(&declaration)->name->comments.empty();
    default: return false;
  }
}

// How many labels lead to a value in `a: b: c: 1`; 0 for whatever does not stand in a
// column with such fields.
int chain_length(const Declaration& declaration) {
  if (declaration.kind != NodeKind::field) return 0;
  int length = 0;
  for (const Field* field = as<Field>(&declaration);; ++length) {
    if (!field->value || field->value->kind != NodeKind::struct_literal) return length + 1;
    const auto& elements = as<StructLiteral>(field->value)->elements;
    if (elements.size() != 1) return length;
    if (elements[0]->kind != NodeKind::field) return length + 1;
    field = as<Field>(elements[0]);
  }
}

// `...`, or `[string]: _` and `[_]: _`, which say the same.
bool is_open_ended(const Declaration& declaration) {
  if (declaration.kind == NodeKind::ellipsis) return true;
  if (declaration.kind != NodeKind::field) return false;
  const Field& field = *as<Field>(&declaration);
  if (!field.value || !is_top(*field.value) || field.label->kind != NodeKind::list_literal) return false;
  const ListLiteral& pattern = *as<ListLiteral>(field.label);
  if (pattern.elements.size() != 1 || pattern.elements[0]->kind != NodeKind::identifier) return false;
  std::string_view name = as<Identifier>(pattern.elements[0])->name;
  return name == "string" || name == "_";
}

// Values that may span lines end the columns above them.
bool may_span_lines(const Expression* node) {
  while (node) {
    switch (node->kind) {
      case NodeKind::struct_literal:
      case NodeKind::list_literal: return true;
      case NodeKind::basic_literal: return as<BasicLiteral>(node)->text.find('\n') != std::string_view::npos;
      case NodeKind::parenthesis: node = as<Parenthesis>(node)->inner; break;
      case NodeKind::unary: node = as<Unary>(node)->operand; break;
      case NodeKind::postfix: node = as<Postfix>(node)->operand; break;
      case NodeKind::index: node = as<Index>(node)->operand; break;
      case NodeKind::selector: node = as<Selector>(node)->operand; break;
      case NodeKind::binary:
        if (may_span_lines(as<Binary>(node)->right)) return true;
        node = as<Binary>(node)->left;
        break;
      case NodeKind::call: return std::ranges::any_of(as<Call>(node)->arguments, may_span_lines);
      default: return false;
    }
  }
  return false;
}

std::string with_spaces(std::string_view text, unsigned spaces) {
  std::string result;
  result.reserve(text.size() * 2);
  for (char byte : text) {
    if (byte == '\t') {
      result.append(spaces, ' ');
    } else {
      result.push_back(byte);
    }
  }
  return result;
}

}  // namespace

TreePrinter::TreePrinter(const FormatOptions& options)
    : options_(options),
      out_(options.source ? options.source->text.size() + options.source->text.size() / 8 : 256, options.initial_indent,
           options.indent_spaces > 0 ? options.indent_spaces : kTabWidth) {}

std::string TreePrinter::print(const Node& root) {
  if (options_.simplify) simplified_ = find_needless_quotes(root);
  switch (root.kind) {
    case NodeKind::file: print_file(*as<File>(&root)); break;
    case NodeKind::field:
    case NodeKind::let_clause:
    case NodeKind::embedding:
    case NodeKind::attribute:
    case NodeKind::import_declaration:
    case NodeKind::package:
    case NodeKind::comment_declaration:
    case NodeKind::bad_declaration:
    case NodeKind::comprehension: print_declaration(root); break;
    case NodeKind::import_spec: print_import_spec(*as<ImportSpec>(&root)); break;
    case NodeKind::for_clause:
    case NodeKind::if_clause:
    case NodeKind::try_clause: print_clause(root); break;
    default: expression(root); break;
  }
  return out_.take();
}

// Comments

void TreePrinter::print_comments(int until) {
  bool first = true;
  while (!frame_.comments.empty() && frame_.comments.front()->position <= until) {
    if (!first) out_.want(Gap::empty_line);
    first = false;
    const CommentGroup& group = *frame_.comments.front();
    frame_.comments = frame_.comments.subspan(1);
    print_comment(group);
  }
}

void TreePrinter::print_late_comments(std::span<CommentGroup* const> groups) {
  if (groups.empty()) return;
  std::swap(frame_.comments, groups);
  print_comments(kAllParts);
  frame_.comments = groups;
}

void TreePrinter::print_comment(const CommentGroup& group) {
  if (group.comments.empty()) return;
  switch (group.is_line ? Spacing::blank : group.comments.front().spacing) {
    case Spacing::blank:
    case Spacing::elided:
      out_.want(Gap::blank);
      [[fallthrough]];
    case Spacing::no_space: out_.unwant(Gap::line | Gap::empty_line | Gap::section | Gap::line_comma); break;
    default: break;
  }
  if (group.is_doc && !out_.at_start()) out_.want(Gap::line);
  bool is_first = true;
  for (const Comment& comment : group.comments) {
    if (!std::exchange(is_first, false) && comment.spacing == Spacing::newline) {
      out_.next_comment(comment.text);
      continue;
    }
    // Comments behind something stand in a column of their own.
    if (out_.past_margin()) out_.want(Gap::column);
    out_.place(comment.spacing);
    out_.comment(comment.text);
    out_.want(group.is_doc ? Gap::line | Gap::settled : Gap::line);
  }
}

bool TreePrinter::stands_on_one_line(const StructLiteral& literal) const {
  if (literal.elements.size() > 1) return false;
  if (!literal.begin.valid() || !literal.end.valid()) {
    return !is_elided(literal) && literal.right_spacing != Spacing::none;
  }
  if (!options_.source) {
    return literal.right_spacing < Spacing::newline && (literal.elements.empty() || !breaks_line(*literal.elements[0]));
  }
  std::uint32_t begin = literal.begin.value - options_.source->begin.value;
  std::uint32_t end = literal.end.value - options_.source->begin.value;
  std::string_view text = options_.source->text;
  if (begin > end || end > text.size()) return false;
  return !std::memchr(text.data() + begin, '\n', end - begin);
}

// A label that loses its quotes is a new name, and that has no place in the source.
Spacing TreePrinter::spacing_of(const Node& node) const {
  bool is_new = node.kind == NodeKind::field && is_simplified(*as<Field>(&node)->label);
  return is_new ? Spacing::none : node.spacing;
}

bool TreePrinter::has_place(const Node& label) const {
  return (label.begin.valid() || label.spacing != Spacing::none) && !is_simplified(label);
}

// Declarations

void TreePrinter::print_file(const File& file) {
  Frame outer = enter(&file);
  print_declarations(file.declarations);
  leave(outer);
  out_.end_of_file();
}

void TreePrinter::print_declarations(std::span<Declaration* const> declarations) {
  Frame outer = enter(nullptr);
  const Declaration* open_ended = nullptr;
  const Declaration* printed = nullptr;
  for (std::size_t i = 0; i < declarations.size(); ++i) {
    const Declaration& declaration = *declarations[i];
    if (i > 0) {
      out_.want(Gap::line_comma);
      // Fields of unlike depth don't share columns.
      int chain = printed && !frame_.on_one_line ? chain_length(*printed) : 0;
      if (!frame_.on_one_line && (chain == 0 || chain != chain_length(declaration))) out_.want(Gap::section);
      const Declaration& previous = *declarations[i - 1];
      if (has_comments(declaration) &&
          (previous.kind != NodeKind::field || is_definition(*as<Field>(&previous)->label))) {
        out_.want(Gap::empty_line);
      }
    }
    if (options_.simplify && is_open_ended(declaration)) {
      open_ended = &declaration;
      continue;
    }
    print_declaration(declaration);
    printed = &declaration;
    print_gap_after(declarations.subspan(i + 1));
  }
  if (open_ended) {
    print_simplified_ellipsis(*open_ended);
    out_.want(line_end(Gap::line));
  }
  leave(outer);
}

void TreePrinter::print_gap_after(std::span<Declaration* const> following) {
  Gap end = Gap::line;
  if (!following.empty() && following[0]->kind == NodeKind::field) {
    const Expression* value = as<Field>(following[0])->value;
    if (value && value->kind == NodeKind::list_literal) end = Gap::section;
    if (value && value->kind == NodeKind::struct_literal) {
      const StructLiteral& literal = *as<StructLiteral>(value);
      if (!is_elided(literal) || literal.elements.size() != 1) end = Gap::section;
    }
  }
  out_.want(line_end(end));
}

void TreePrinter::print_simplified_ellipsis(const Declaration& original) {
  Ellipsis ellipsis{};
  ellipsis.kind = NodeKind::ellipsis;
  ellipsis.comments = original.comments;
  print_declaration(ellipsis);
}

void TreePrinter::start_on_new_line(const Node& node) {
  if (spacing_of(node) == Spacing::none || breaks_line(node)) out_.want(Gap::section);
}

void TreePrinter::print_declaration(const Declaration& declaration) {
  Frame outer = enter(&declaration);
  switch (declaration.kind) {
    case NodeKind::field: print_field(*as<Field>(&declaration)); break;
    case NodeKind::bad_declaration:
      word(declaration.spacing, "*bad decl*", Token::string);
      out_.want(Gap::line_comma);
      break;
    case NodeKind::package:
      word(declaration.spacing, "package", Token::string);
      out_.want(Gap::blank);
      out_.word(as<Package>(&declaration)->name->name, Token::identifier);
      out_.want(Gap::empty_line | Gap::settled);
      break;
    case NodeKind::import_declaration: print_imports(*as<ImportDeclaration>(&declaration)); break;
    case NodeKind::let_clause: {
      const LetClause& let = *as<LetClause>(&declaration);
      start_on_new_line(let);
      symbol(let.spacing, Token::let);
      out_.want(Gap::blank | Gap::settled);
      expression(*let.name);
      out_.want(Gap::blank | Gap::settled);
      joined_symbol(Spacing::none, Token::bind);
      out_.want(Gap::blank);
      expression(*let.value);
      out_.want(Gap::line_comma);
      break;
    }
    case NodeKind::embedding:
      start_on_new_line(declaration);
      expression(*as<Embedding>(&declaration)->expression);
      out_.want(Gap::line);
      break;
    case NodeKind::attribute:
      out_.place(declaration.spacing);
      out_.word(as<Attribute>(&declaration)->text, Token::attribute);
      break;
    case NodeKind::comment_declaration:
      print_comment(*as<CommentDeclaration>(&declaration)->group);
      out_.want(Gap::empty_line);
      break;
    case NodeKind::comprehension:
      start_on_new_line(declaration);
      print_comprehension(*as<Comprehension>(&declaration));
      break;
    case NodeKind::alias: {
      const Alias& alias = *as<Alias>(&declaration);
      start_on_new_line(alias);
      expression(*alias.name);
      out_.want(Gap::blank);
      symbol(alias.equal_spacing, Token::bind);
      out_.want(Gap::blank);
      expression(*alias.value);
      out_.want(Gap::line_comma);
      break;
    }
    default: bare_expression(declaration, 0, 1); break;
  }
  leave(outer);
}

void TreePrinter::print_field(const Field& field) {
  print_label(*field.label);
  if (field.alias) print_postfix_alias(*field.alias);
  if (field.constraint == Constraint::optional) joined_symbol(Spacing::none, Token::question);
  if (field.constraint == Constraint::required) joined_symbol(Spacing::none, Token::not_);
  out_.want(Gap::tight | Gap::settled);
  joined_symbol(Spacing::none, Token::colon);
  print_comments(frame_.parts);

  if (const Field* inner = joined_field(field)) {
    if (!options_.simplify && breaks_line(*inner->label)) {
      out_.want(Gap::indent | Gap::section);
      print_declaration(*inner);
      out_.close_indent();
    } else {
      out_.want(Gap::blank | Gap::settled);
      print_declaration(*inner);
    }
    return;
  }

  bool spans_lines = may_span_lines(field.value);
  Gap before_value = spans_lines || out_.brace_on_line ? Gap::blank : Gap::column;
  out_.want(before_value);
  if (!field.value) {
    finish_part();
  } else if (field.value->kind == NodeKind::list_literal || field.value->kind == NodeKind::struct_literal) {
    expression(*field.value);
  } else {
    out_.want(Gap::indent);
    expression(*field.value);
    out_.close_indent();
  }

  Gap before_attribute = before_value;
  for (const Attribute* attribute : field.attributes) {
    Frame outer = enter(attribute);
    out_.want(before_attribute);
    if (!out_.after_comment()) out_.place(attribute->spacing);
    out_.joined_word(attribute->text, Token::attribute);
    leave(outer);
    before_attribute = Gap::blank;
  }
  if (spans_lines) out_.want(Gap::section);
}

// The field b of `a: b: 1`, if a is to be printed like that.
const Field* TreePrinter::joined_field(const Field& field) const {
  if (!has_place(*field.label) && !(options_.simplify && is_regular(field))) return nullptr;
  if (!field.value || field.value->kind != NodeKind::struct_literal || !field.attributes.empty()) return nullptr;
  const StructLiteral& literal = *as<StructLiteral>(field.value);
  if (literal.elements.size() != 1 || literal.elements[0]->kind != NodeKind::field) return nullptr;
  if (!is_elided(literal) && (!options_.simplify || has_comments(field))) return nullptr;
  const Field& inner = *as<Field>(literal.elements[0]);
  return inner.attributes.empty() && !has_comments(inner) ? &inner : nullptr;
}

void TreePrinter::print_postfix_alias(const PostfixAlias& alias) {
  symbol(alias.spacing, Token::tilde);
  out_.want(Gap::tight);
  bool parenthesised = alias.left_parenthesis.valid() || alias.label_name;
  if (parenthesised) {
    symbol(alias.left_spacing, Token::left_parenthesis);
    out_.want(Gap::tight);
  }
  if (alias.label_name) {
    expression(*alias.label_name);
    joined_symbol(alias.comma_spacing, Token::comma);
    out_.want(Gap::tight);
  }
  if (alias.field_name) expression(*alias.field_name);
  if (parenthesised) {
    joined_symbol(alias.right_spacing, Token::right_parenthesis);
    out_.want(Gap::tight);
  }
}

void TreePrinter::print_imports(const ImportDeclaration& imports) {
  word(imports.spacing, "import", Token::string);
  out_.want(Gap::blank);
  if (imports.specs.empty()) {
    symbol(imports.left_spacing, Token::left_parenthesis);
    symbol(imports.right_spacing, Token::right_parenthesis);
    out_.want(Gap::line);
    return;
  }
  // Comments other than behind the path need lines of their own; CUE draws those below into parentheses with it.
  bool needs_lines = imports.specs.size() > 1 || imports.left_parenthesis.valid() ||
                     std::ranges::any_of(imports.specs[0]->comments, [](const CommentGroup* group) { return !group->is_line; });
  if (needs_lines) {
    symbol(imports.left_spacing, Token::left_parenthesis);
    out_.want(Gap::line | Gap::indent);
  }
  Frame outer = enter(nullptr);
  for (const ImportSpec* spec : imports.specs) {
    // A comma at the start of a line separated it from the one before; without it only the line does.
    Spacing spacing = spec->name ? spec->name->spacing : spec->path->spacing;
    bool is_behind_comma = spacing == Spacing::no_space || spacing == Spacing::blank;
    if (spec != imports.specs.front() && is_behind_comma) out_.want(Gap::line | Gap::settled);
    print_import_spec(*spec);
  }
  leave(outer);
  if (needs_lines) {
    out_.want(Gap::outdent | Gap::line);
    symbol(imports.right_spacing, Token::right_parenthesis);
    out_.want(Gap::line);
  }
  out_.want(Gap::empty_line | Gap::settled);
}

void TreePrinter::print_import_spec(const ImportSpec& spec) {
  Frame outer = enter(&spec);
  if (spec.name) {
    print_label(*spec.name);
    out_.want(Gap::blank);
  } else {
    finish_part();
  }
  expression(*spec.path);
  out_.want(Gap::line);
  leave(outer);
}

void TreePrinter::print_label(const Node& label) {
  if (label.kind == NodeKind::identifier && label.begin.valid() && label.comments.empty()) {
    out_.place(label.spacing);
    out_.word(as<Identifier>(&label)->name, Token::string);
    finish_part();
    return;
  }
  Frame outer = enter(&label);
  switch (label.kind) {
    case NodeKind::identifier: {
      std::string_view name = as<Identifier>(&label)->name;
      // A synthesised tree may have names that aren't.
      if (label.begin.valid() || is_valid_identifier(name)) {
        word(label.spacing, name, Token::string);
      } else {
        word(label.spacing, quote(name), Token::string);
      }
      break;
    }
    case NodeKind::basic_literal: {
      const BasicLiteral& literal = *as<BasicLiteral>(&label);
      if (is_simplified(label)) {
        word(Spacing::none, label_text(literal), Token::string);
      } else if (literal.text.starts_with("\"\"\"") || literal.text.starts_with('#')) {
        base::Arena arena;
        auto text = unquote(arena, literal.text);
        word(label.spacing, text ? quote(*text) : std::string(literal.text), Token::string);
      } else {
        word(label.spacing, literal.text, Token::string);
      }
      break;
    }
    default: expression(label); break;
  }
  leave(outer);
}

// Comprehensions

void TreePrinter::print_comprehension(const Comprehension& comprehension) {
  print_clauses(comprehension.clauses);
  out_.want(Gap::blank | Gap::settled);
  expression(*comprehension.body);
  if (const FallbackClause* fallback = comprehension.fallback) {
    // `else` belongs to a single condition; `fallback` is the old word for `otherwise`.
    bool is_else = comprehension.clauses.size() == 1 && comprehension.clauses[0]->kind != NodeKind::for_clause;
    out_.want(Gap::blank);
    joined_symbol(fallback->spacing, is_else ? Token::else_ : Token::otherwise);
    out_.want(Gap::blank);
    expression(*fallback->body);
  }
}

void TreePrinter::print_clauses(std::span<Clause* const> clauses) {
  Frame list = enter(nullptr);
  bool first = true;
  for (const Clause* clause : clauses) {
    Frame outer = enter(clause);
    if (!first) out_.want(Gap::blank);
    first = false;
    print_clause(*clause);
    leave(outer);
  }
  leave(list);
}

void TreePrinter::print_clause(const Clause& clause) {
  auto binding = [this](const Identifier& name, const Expression& value) {
    out_.want(Gap::blank | Gap::settled | Gap::indent);
    expression(name);
    out_.want(Gap::blank | Gap::settled);
    joined_symbol(Spacing::none, Token::bind);
    out_.want(Gap::blank);
    expression(value);
    out_.close_indent();
  };
  switch (clause.kind) {
    case NodeKind::for_clause: {
      const ForClause& loop = *as<ForClause>(&clause);
      word(loop.spacing, "for", Token::string);
      out_.want(Gap::blank | Gap::indent);
      if (loop.key) {
        print_label(*loop.key);
        joined_symbol(loop.comma_spacing, Token::comma);
        out_.want(Gap::blank);
      } else {
        finish_part();
      }
      // The line can't end on either side of `in`: comments there go behind the source.
      std::span<CommentGroup* const> later = std::exchange(frame_.comments, {});
      std::span<CommentGroup* const> of_value = loop.value->comments;
      while (!of_value.empty() && of_value.front()->position <= 0) {
        print_comment(*of_value.front());
        of_value = of_value.subspan(1);
      }
      word(loop.value->spacing, loop.value->name, Token::string);
      out_.want(Gap::blank);
      symbol(loop.in_spacing, Token::in);
      out_.want(Gap::blank);
      expression(*loop.source);
      print_late_comments(of_value);
      frame_.comments = later;
      out_.close_indent();
      break;
    }
    case NodeKind::if_clause:
      word(clause.spacing, "if", Token::string);
      out_.want(Gap::blank | Gap::indent);
      expression(*as<IfClause>(&clause)->condition);
      out_.close_indent();
      break;
    case NodeKind::let_clause:
      symbol(clause.spacing, Token::let);
      binding(*as<LetClause>(&clause)->name, *as<LetClause>(&clause)->value);
      break;
    case NodeKind::try_clause: {
      const TryClause& attempt = *as<TryClause>(&clause);
      symbol(attempt.spacing, Token::try_);
      if (attempt.name) binding(*attempt.name, *attempt.value);
      break;
    }
    default: break;
  }
}

std::string format(const File& file, const FormatOptions& options) {
  return format(static_cast<const Node&>(file), options);
}

std::string format(const Node& node, const FormatOptions& options) {
  FormatOptions all = options;
  if (node.kind == NodeKind::file && as<File>(&node)->source) all.source = as<File>(&node)->source;
  std::string text = TreePrinter(all).print(node);
  if (options.indent_spaces > 0) text = with_spaces(text, options.indent_spaces);
  return text;
}

}  // namespace opm::cue::syntax
