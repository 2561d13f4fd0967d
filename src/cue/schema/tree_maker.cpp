#include "cue/schema/tree_maker.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/unicode.h"
#include "cue/syntax/literal.h"

namespace opm::cue::schema {

using namespace syntax;  // NOLINT: everything here is about its nodes

namespace {

// What trees that are made here refer to by name.
constexpr std::array<std::string_view, 26> kReferredTo = {
    "bool",  "bytes",   "close", "error",  "float",   "float32", "float64", "int",    "int32",
    "int64", "list",    "math",  "matchIf", "matchN", "net",     "number",  "regexp", "string",
    "strings", "struct", "time", "uint",   "uint32",  "uint64",  "uint8",   "int8"};

constexpr std::size_t kCommentWidth = 66;

std::size_t characters_in(std::string_view text) {
  std::size_t count = 0;
  for (char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

}  // namespace

diag::Diagnostic schema_error(std::string message, diag::Position position) {
  diag::Diagnostic error;
  error.code = "schema";
  error.message = std::move(message);
  if (position.valid()) error.positions.push_back(position);
  return error;
}

Errors in_order(Errors errors) {
  auto before = [](const diag::Diagnostic& a, const diag::Diagnostic& b) {
    return std::tie(a.positions, a.message) < std::tie(b.positions, b.message);
  };
  std::ranges::stable_sort(errors, before);
  auto same = [](const diag::Diagnostic& a, const diag::Diagnostic& b) {
    return a.positions == b.positions && a.message == b.message;
  };
  errors.erase(std::ranges::unique(errors, same).begin(), errors.end());
  return errors;
}

bool is_top(const Expression* expression) {
  return expression->kind == NodeKind::identifier && as<Identifier>(expression)->name == "_";
}

StructLiteral* TreeMaker::braced(diag::Position position, std::span<Declaration* const> elements) {
  StructLiteral* made = at(position, structure(elements));
  made->left_brace = position;
  return made;
}

void place_below(base::Arena& arena, File& file, const std::vector<std::string>& labels) {
  if (labels.empty()) return;
  TreeMaker make(arena);
  std::vector<Declaration*> outside, inside;
  CommentGroup* comment = nullptr;
  for (Declaration* declaration : file.declarations) {
    bool stays = declaration->kind == NodeKind::package || declaration->kind == NodeKind::import_declaration;
    if (declaration->kind == NodeKind::comment_declaration) comment = as<CommentDeclaration>(declaration)->group;
    else (stays ? outside : inside).push_back(declaration);
  }
  for (Declaration* declaration : inside) {
    if (declaration->spacing == Spacing::new_section && declaration == inside.front()) declaration->spacing = Spacing::newline;
  }
  Expression* value = make.structure(inside);
  if (inside.size() == 1 && inside[0]->kind == NodeKind::embedding) value = as<Embedding>(inside[0])->expression;
  else value->spacing = Spacing::blank;
  Field* made = nullptr;
  for (std::size_t i = labels.size(); i-- > 0;) {
    bool is_special = labels[i].starts_with('#') || labels[i].starts_with('_');
    Node* label = is_special ? make.identifier(labels[i]) : make.label(labels[i]);
    label->spacing = Spacing::blank;
    if (made != nullptr) {
      Declaration* inner[] = {made};
      value = make.structure(inner);
    }
    made = make.field(label, Constraint::none, value);
  }
  TreeMaker::set_spacing(*made, outside.empty() ? Spacing::newline : Spacing::new_section);
  if (comment != nullptr) {
    comment->is_doc = true;
    make.add_comment(*made, comment);
  }
  outside.push_back(made);
  file.declarations = arena.copy(outside);
}

Expression* TreeMaker::quoted(std::string_view text) { return string(quote(text)); }

Expression* TreeMaker::number(std::string_view digits) {
  std::string_view whole = digits.starts_with('-') ? digits.substr(1) : digits;
  bool is_integer = whole.find_first_of(".eE") == std::string_view::npos;
  Expression* result = literal(is_integer ? Token::integer : Token::floating, whole);
  return whole.size() == digits.size() ? result : unary(Token::subtract, result);
}

Node* TreeMaker::data_label(std::string_view name) {
  if (std::ranges::find(kReferredTo, name) != kReferredTo.end()) return literal(Token::string, quote(name));
  return label(name);
}

Identifier* TreeMaker::import(std::string_view path, std::string_view name, diag::Position position) {
  imports_.try_emplace(std::string(path), name);
  return at(position, identifier(name));
}

Expression* TreeMaker::imported(std::string_view package, std::string_view name, diag::Position position) {
  return at(position, selector(import(package, package, position), at(position, identifier(name))));
}

Expression* TreeMaker::conjunction(std::vector<Expression*> operands) {
  if (operands.size() == 1) return operands.front();
  for (Expression*& operand : operands) {
    bool is_loose = operand->kind == NodeKind::binary && as<Binary>(operand)->op == Token::or_value;
    if (is_loose) operand = at(operand->begin, parenthesis(operand));
  }
  Expression* result = chain(Token::and_value, operands);
  return at(operands.front()->begin, result);
}

Expression* TreeMaker::disjunction(std::span<Expression* const> operands) {
  if (operands.size() == 1) return operands.front();
  return at(operands.front()->begin, chain(Token::or_value, operands));
}

Field* TreeMaker::data_field(std::string_view name, Constraint constraint, Expression* value) {
  return field(data_label(name), constraint, value);
}

Declaration* TreeMaker::pattern(Expression* wanted, Expression* value) {
  Expression* elements[] = {wanted};
  Field* made = field(list(elements), Constraint::none, value);
  set_spacing(*made, Spacing::no_space);
  Declaration* declarations[] = {made};
  StructLiteral* body = structure(declarations);
  body->spacing = Spacing::newline;
  body->right_spacing = Spacing::no_space;
  return embedding(body);
}

std::vector<std::string_view> TreeMaker::comment_lines(std::string_view prose) {
  std::vector<std::string_view> lines;
  auto keep = [&](std::string_view line) { lines.push_back(arena().copy_text(line)); };
  for (std::size_t at = 0; at < prose.size();) {
    std::size_t end = std::min(prose.find('\n', at), prose.size());
    std::string_view paragraph = prose.substr(at, end - at);
    at = end + 1;
    std::string line = "//";
    std::size_t width = 2;
    for (std::size_t i = 0; i < paragraph.size();) {
      if (is_space(paragraph[i])) {
        ++i;
        continue;
      }
      std::size_t begin = i;
      while (i < paragraph.size() && !is_space(paragraph[i])) ++i;
      std::string_view word = paragraph.substr(begin, i - begin);
      std::size_t size = characters_in(word) + 1;
      if (width + size > kCommentWidth && width > 3) {
        keep(line);
        line = "//";
        width = 3;
      }
      line.append(" ").append(word);
      width += size;
    }
    keep(line);
  }
  if (!lines.empty() && lines.back() == "//") lines.pop_back();
  return lines;
}

void TreeMaker::document(Node& node, std::string_view prose) {
  std::vector<std::string_view> lines = comment_lines(prose);
  if (!lines.empty()) add_comment(node, documentation(lines));
}

File* TreeMaker::file(const diag::Source& source, std::string_view package_name, std::string_view title,
                      std::vector<Declaration*> declarations, bool documents_package) {
  std::vector<Declaration*> all;
  if (!title.empty() && !documents_package) {
    auto* comment = make<CommentDeclaration>(NodeKind::comment_declaration);
    std::vector<std::string_view> lines = comment_lines(title);
    auto comments = arena().make_array<Comment>(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      comments[i].text = lines[i];
      comments[i].spacing = Spacing::newline;
    }
    comment->group = arena().make<CommentGroup>();
    comment->group->comments = comments;
    comment->begin = source.begin;
    if (!lines.empty()) all.push_back(comment);
  }
  if (!package_name.empty()) {
    auto* package = make<Package>(NodeKind::package);
    package->name = identifier(package_name);
    package->begin = source.begin;
    package->spacing = Spacing::new_section;
    if (documents_package) document(*package, title);
    all.push_back(package);
  }
  if (!imports_.empty()) {
    std::vector<ImportSpec*> specs;
    for (const auto& [path, name] : imports_) {
      auto* spec = make<ImportSpec>(NodeKind::import_spec);
      spec->path = literal(Token::string, quote(path));
      spec->path->begin = spec->begin = source.begin;
      specs.push_back(spec);
    }
    // Standard packages, whose paths name no host, come first.
    auto is_standard = [&](const ImportSpec* spec) {
      return spec->path->text.substr(0, spec->path->text.find('/')).find('.') == std::string_view::npos;
    };
    std::ranges::stable_partition(specs, is_standard);
    auto* import = make<ImportDeclaration>(NodeKind::import_declaration);
    import->specs = arena().copy(specs);
    import->begin = source.begin;
    import->spacing = Spacing::new_section;
    if (specs.size() > 1) import->left_parenthesis = import->right_parenthesis = source.begin;
    all.push_back(import);
  }
  if (!all.empty() && !declarations.empty() && declarations.front()->spacing == Spacing::none)
    declarations.front()->spacing = Spacing::new_section;
  std::ranges::copy(declarations, std::back_inserter(all));
  auto* made = make<File>(NodeKind::file);
  made->declarations = arena().copy(all);
  made->begin = source.begin;
  made->source = &source;
  return made;
}

}  // namespace opm::cue::schema
