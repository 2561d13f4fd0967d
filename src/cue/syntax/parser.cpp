#include "cue/syntax/parser.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/unicode.h"
#include "cue/syntax/literal.h"
#include "cue/syntax/parser_state.h"

namespace opm::cue::syntax {

namespace {

bool is_definition(std::string_view name) { return name.starts_with('#') || name.starts_with("_#"); }

bool is_for_loader(std::string_view attribute) {
  attribute.remove_prefix(1);
  return attribute.starts_with("tag") || attribute.starts_with("extern") || attribute.starts_with("embed");
}

bool is_label(const Node* node) {
  switch (node->kind) {
    case NodeKind::identifier:
    case NodeKind::basic_literal:
    case NodeKind::interpolation:
    case NodeKind::list_literal:
    case NodeKind::parenthesis:
    case NodeKind::alias: return true;
    default: return false;
  }
}

bool is_valid_import_path(base::Arena& arena, std::string_view token) {
  auto unquoted = unquote(arena, token);
  if (!unquoted) return false;
  std::string_view path = *unquoted;
  if (std::size_t qualifier = path.rfind(':'); qualifier != path.npos) path = path.substr(0, qualifier);
  if (path.empty()) return false;
  constexpr std::string_view kIllegal = " !\"#$%&'()*,:;<=>?[\\]^{|}`";
  for (std::size_t i = 0; i < path.size();) {
    base::DecodedCharacter c = base::decode_utf8(path.substr(i));
    if (!c.valid || c.value == base::kReplacementCharacter || !base::is_printable(c.value)) return false;
    if (c.value < 0x80 && kIllegal.find(static_cast<char>(c.value)) != kIllegal.npos) return false;
    i += c.size;
  }
  return true;
}

}  // namespace

std::string_view File::package_name() const {
  for (const Declaration* declaration : declarations) {
    if (declaration->kind == NodeKind::package) {
      std::string_view name = as<Package>(declaration)->name->name;
      return name == "_" ? std::string_view{} : name;
    }
    if (declaration->kind != NodeKind::attribute && declaration->kind != NodeKind::comment_declaration) break;
  }
  return {};
}

ParsedFile parse_file(base::Arena& arena, const diag::Source& source, const ParseOptions& options) {
  Parser parser(arena, source, options);
  ParsedFile result;
  result.file = parser.parse_file();
  result.errors = parser.take_errors();
  result.has_loader_attributes = parser.has_loader_attributes();
  return result;
}

ParsedExpression parse_expression(base::Arena& arena, const diag::Source& source, const ParseOptions& options) {
  Parser parser(arena, source, options);
  ParsedExpression result;
  result.expression = parser.parse_single_expression();
  result.errors = parser.take_errors();
  return result;
}

File* Parser::parse_file() {
  File* file = make<File>(NodeKind::file, Mark{position_of(0)});
  file->source = &source_;
  file->end = position_of(static_cast<std::uint32_t>(source_.text.size()));
  // An error in the very first token: most likely not a CUE source at all.
  if (errors_.has_lexical()) return file;

  CommentScope list;
  comments_.open_list(list);
  while (at(Token::attribute)) {
    children_.push_back(parse_attribute());
    take_declaration_comma();
  }
  if (at(Token::identifier) && token_.text == "package") parse_package();
  while (at(Token::attribute)) {
    children_.push_back(parse_attribute());
    take_declaration_comma();
  }
  while (at(Token::identifier) && token_.text == "import") children_.push_back(parse_imports());
  if (!options_.only_imports) {
    parse_declarations();
    expect(Token::end_of_file);
  }
  comments_.close_list();
  file->declarations = take_children<Declaration>(0, file);
  if (!file->declarations.empty()) {
    const Node* first = file->declarations.front();
    file->begin = first->begin;
    file->spacing = first->spacing;
  }
  comments_.close(comments_.root(), file);
  return file;
}

void Parser::parse_package() {
  CommentScope scope;
  comments_.open(scope);
  Package* package = make_here<Package>(NodeKind::package);
  next();
  package->name = parse_identifier();
  if (is_definition(package->name->name)) error_here(fmt::format("invalid package name {}", package->name->name));
  package->end = package->name->end;
  raise(package, package->name);
  children_.push_back(package);
  expect_comma();
  comments_.close(scope, package);
}

ImportDeclaration* Parser::parse_imports() {
  CommentScope scope;
  comments_.open(scope);
  ImportDeclaration* declaration = make_here<ImportDeclaration>(NodeKind::import_declaration);
  parse_identifier();
  std::size_t from = children_.size();
  if (at(Token::left_parenthesis)) {
    declaration->left_parenthesis = mark().position;
    declaration->left_spacing = token_.spacing;
    next();
    CommentScope list;
    comments_.open_list(list);
    while (!at(Token::right_parenthesis) && !at(Token::end_of_file)) children_.push_back(parse_import_spec());
    comments_.close_list();
    Mark right = expect(Token::right_parenthesis);
    declaration->right_parenthesis = right.position;
    declaration->right_spacing = right.spacing;
    declaration->end = last_end();
    expect_comma();
  } else {
    children_.push_back(parse_import_spec());
    declaration->end = children_.back()->end;
  }
  declaration->specs = take_children<ImportSpec>(from, declaration);
  comments_.close(scope, declaration);
  return declaration;
}

ImportSpec* Parser::parse_import_spec() {
  CommentScope scope;
  comments_.open(scope);
  ImportSpec* spec = make_here<ImportSpec>(NodeKind::import_spec);
  if (at(Token::identifier)) {
    spec->name = parse_declared_identifier();
    if (is_definition(spec->name->name)) error_here("cannot import package as definition identifier");
  }
  spec->path = make_literal_here();
  spec->path->token = Token::string;
  Mark path = expect(Token::string);
  if (path.position.valid() && !is_valid_import_path(arena_, spec->path->text)) {
    error(offset_of(path.position), fmt::format("invalid import path: {}", spec->path->text));
  }
  expect_comma();
  spec->end = spec->path->end;
  raise(spec, spec->path);
  comments_.close(scope, spec);
  return spec;
}

// What stands between braces, or at the top of a file.
void Parser::parse_declarations() {
  CommentScope list;
  comments_.open_list(list);
  while (!at(Token::right_brace) && !at(Token::end_of_file)) {
    if (token_.offset < next_part_ || !take_part()) parse_element();
  }
  comments_.close_list();
}

void Parser::parse_element() {
  if (at(Token::attribute)) {
    children_.push_back(parse_attribute());
    take_declaration_comma();
  } else if (at(Token::ellipsis)) {
    Ellipsis* ellipsis = make_here<Ellipsis>(NodeKind::ellipsis);
    ellipsis->end = position_of(token_.end);
    children_.push_back(finish_leaf(ellipsis));
    take_declaration_comma();
  } else {
    CommentScope scope;
    comments_.open(scope);
    Declaration* declaration = parse_declaration();
    comments_.close(scope, declaration);
    children_.push_back(declaration);
  }
}

Declaration* Parser::make_embedding(Expression* expression) {
  Embedding* embedding = make_from<Embedding>(NodeKind::embedding, expression);
  embedding->expression = expression;
  embedding->end = expression->end;
  raise(embedding, expression);
  return embedding;
}

Declaration* Parser::make_bad_declaration(const Mark& from) {
  BadDeclaration* bad = make<BadDeclaration>(NodeKind::bad_declaration, from);
  bad->end = mark().position;
  return bad;
}

Declaration* Parser::parse_declaration() {
  const Mark start = mark();
  const Token first = token_.kind;
  LabelOrExpression read = parse_label(false);
  if (read.declaration) return read.declaration;

  if (!read.label) {
    Expression* expression = read.expression ? read.expression : parse_expression();
    if (expression->kind == NodeKind::alias) {
      error_expected("label or ':'");
      take_declaration_comma();
      return make_bad_declaration(start);
    }
    Declaration* embedding = make_embedding(expression);
    take_declaration_comma();
    return embedding;
  }

  PostfixAlias* alias = at(Token::tilde) ? parse_postfix_alias() : nullptr;
  Constraint constraint = parse_constraint();
  if (at(Token::colon)) {
    if (read.label->kind == NodeKind::identifier) check_declared(as<Identifier>(read.label));
    Field* field = make_from<Field>(NodeKind::field, read.label);
    field->label = read.label;
    field->alias = alias;
    field->constraint = constraint;
    return parse_field(field);
  }

  // No colon: what looked like a label may be an embedding.
  bool ends_here = at(Token::right_brace) || at(Token::end_of_file);
  if (at(Token::comma)) {
    expect_comma();
    ends_here = true;
  }
  if (ends_here && read.expression->kind != NodeKind::alias) {
    switch (first) {
      case Token::identifier:
      case Token::left_bracket:
      case Token::left_parenthesis:
      case Token::string:
      case Token::interpolation:
      case Token::null:
      case Token::true_:
      case Token::false_:
      case Token::for_:
      case Token::if_:
      case Token::let:
      case Token::in:
      case Token::try_:
      case Token::else_:
      case Token::fallback:
      case Token::otherwise: return make_embedding(read.expression);
      default: break;
    }
  }
  error_expected("label or ':'");
  return make_bad_declaration(start);
}

// `a: b: c: 1`: one field a label, each the only element of a struct without braces.
Declaration* Parser::parse_field(Node* first) {
  Field* field = as<Field>(first);
  const std::size_t from = children_.size();
  Expression* value = nullptr;
  for (;;) {
    Mark colon = expect(Token::colon);
    field->colon = colon.position;
    field->colon_spacing = colon.spacing;
    if (field->label->kind == NodeKind::list_literal && as<ListLiteral>(field->label)->elements.size() != 1) {
      error(offset_of(field->label->begin), "square bracket must have exactly one element");
    }
    if (2 * (children_.size() - from) > kMaxTreeHeight) too_deep(kMaxTreeHeight);

    LabelOrExpression read = parse_label(true);
    bool is_label_here = at(Token::colon) || at(Token::question) || at(Token::not_) || at(Token::tilde);
    if (!read.label || !is_label_here) {
      value = read.expression ? read.expression : parse_expression();
      break;
    }
    children_.push_back(field);
    field = make_from<Field>(NodeKind::field, read.label);
    field->label = read.label;
    field->alias = parse_postfix_alias();
    field->constraint = parse_constraint();
  }
  finish_field(field, value, parse_attributes());
  if (children_.size() > from) {
    children_.push_back(field);
    finish_field_chain(from);
  }
  take_declaration_comma();
  return first;
}

void Parser::finish_field(Field* field, Expression* value, std::span<Attribute*> attributes) {
  field->value = value;
  field->attributes = attributes;
  field->end = attributes.empty() ? value->end : attributes.back()->end;
  raise(field, field->label);
  raise(field, value);
}

// From the inside out: the last field is finished, the others get it as their value.
void Parser::finish_field_chain(std::size_t from) {
  for (std::size_t i = children_.size() - 1; i-- > from;) {
    Field* inner = as<Field>(children_[i + 1]);
    StructLiteral* literal = make_from<StructLiteral>(NodeKind::struct_literal, inner);
    literal->elements = arena_.make_array<Declaration*>(1);
    literal->elements[0] = inner;
    literal->end = inner->end;
    raise(literal, inner);
    finish_field(as<Field>(children_[i]), literal, {});
  }
  children_.cut(from);
}

Constraint Parser::parse_constraint() {
  Constraint constraint = at(Token::question) ? Constraint::optional
                          : at(Token::not_)   ? Constraint::required
                                              : Constraint::none;
  if (constraint != Constraint::none) next();
  return constraint;
}

// Reads as far as is needed to know whether this is a label; if it is not, it is (the
// start of) an expression.
Parser::LabelOrExpression Parser::parse_label(bool is_value) {
  LabelOrExpression read;
  switch (token_.kind) {
    case Token::for_:
    case Token::if_:
    case Token::try_: {
      if (is_value) {
        read.expression = parse_expression();
        break;
      }
      Identifier* identifier = nullptr;
      if (Comprehension* comprehension = parse_comprehension(identifier)) {
        read.declaration = comprehension;
        return read;
      }
      read.expression = identifier;
      break;
    }
    case Token::let: {
      Identifier* identifier = nullptr;
      if (LetClause* let = parse_let_declaration(identifier)) {
        read.declaration = let;
        return read;
      }
      read.expression = identifier;
      break;
    }
    case Token::identifier:
    case Token::string:
    case Token::interpolation:
    case Token::left_parenthesis:
    case Token::left_bracket:
    case Token::null:
    case Token::true_:
    case Token::false_:
    case Token::in:
    case Token::func:
    case Token::else_:
    case Token::fallback:
    case Token::otherwise: read.expression = parse_expression(); break;
    default: return read;
  }

  switch (read.expression->kind) {
    case NodeKind::identifier:
      if (at(Token::bind)) read.expression = parse_alias(read.expression);
      if (read.expression->kind != NodeKind::alias || is_label(as<Alias>(read.expression)->value)) {
        read.label = read.expression;
      }
      break;
    case NodeKind::basic_literal: {
      Token kind = as<BasicLiteral>(read.expression)->token;
      if (kind != Token::integer && kind != Token::floating) read.label = read.expression;
      break;
    }
    default:
      if (is_label(read.expression)) read.label = read.expression;
      break;
  }
  return read;
}

PostfixAlias* Parser::parse_postfix_alias() {
  if (!at(Token::tilde)) return nullptr;
  PostfixAlias* alias = make_here<PostfixAlias>(NodeKind::postfix_alias);
  next();
  if (at(Token::identifier)) {
    alias->field_name = parse_identifier();
    alias->end = last_end();
    raise(alias, alias->field_name);
    return alias;
  }
  if (!at(Token::left_parenthesis)) {
    error_expected("identifier or '('");
    return nullptr;
  }
  Mark left = mark();
  alias->left_parenthesis = left.position;
  alias->left_spacing = left.spacing;
  next();
  if (!at(Token::identifier)) {
    error_expected("identifier for label alias");
    return nullptr;
  }
  alias->field_name = parse_identifier();
  raise(alias, alias->field_name);
  if (!at(Token::right_parenthesis)) {
    Mark comma = expect(Token::comma);
    alias->comma = comma.position;
    alias->comma_spacing = comma.spacing;
    if (!comma.position.valid()) {
      alias->end = alias->field_name->end;
      return alias;
    }
    alias->label_name = alias->field_name;
    if (!at(Token::identifier)) {
      error_expected("identifier for field alias");
      alias->end = last_end();
      return alias;
    }
    alias->field_name = parse_identifier();
  }
  Mark right = expect(Token::right_parenthesis);
  alias->right_parenthesis = right.position;
  alias->right_spacing = right.spacing;
  alias->end = last_end();
  return alias;
}

LetClause* Parser::parse_let_declaration(Identifier*& identifier) {
  CommentScope scope;
  comments_.open(scope);
  const Mark start = mark();
  next();
  if (!at(Token::identifier)) {
    identifier = make<Identifier>(NodeKind::identifier, start);
    identifier->name = "let";
    identifier->end = start.position.plus(3);
    comments_.close(scope, identifier);
    return nullptr;
  }
  LetClause* let = make<LetClause>(NodeKind::let_clause, start);
  let->name = parse_declared_identifier();
  Mark equal = expect(Token::bind);
  let->equal = equal.position;
  let->equal_spacing = equal.spacing;
  let->value = parse_expression();
  let->end = let->value->end;
  raise(let, let->value);
  take_declaration_comma();
  comments_.close(scope, let);
  return let;
}

Attribute* Parser::parse_attribute() {
  Attribute* attribute = make_here<Attribute>(NodeKind::attribute);
  attribute->text = token_.text;
  attribute->end = position_of(token_.end);
  if (is_for_loader(attribute->text)) has_loader_attributes_ = true;
  return finish_leaf(attribute);
}

std::span<Attribute*> Parser::parse_attributes() {
  if (!at(Token::attribute)) {
    comments_.pass_list();
    return {};
  }
  CommentScope list;
  comments_.open_list(list);
  std::size_t from = children_.size();
  while (at(Token::attribute)) children_.push_back(parse_attribute());
  Node parent{NodeKind::field};
  std::span<Attribute*> attributes = take_children<Attribute>(from, &parent);
  comments_.close_list();
  return attributes;
}

void Parser::check_declared(const Identifier* identifier) {
  if (identifier->name.starts_with("__")) {
    error(offset_of(identifier->begin), "identifiers starting with '__' are reserved");
  }
}

}  // namespace opm::cue::syntax
