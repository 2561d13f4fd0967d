#include "lsp/cursor.h"

#include "cue/syntax/literal.h"

namespace opm::lsp {

namespace {

namespace syntax = cue::syntax;
using cue::Path;
using syntax::as;
using syntax::NodeKind;

std::optional<Path> below(const std::optional<Path>& path, std::optional<Path::Element> element) {
  if (!path || !element) return std::nullopt;
  Path result = *path;
  result.elements.push_back(std::move(*element));
  return result;
}

class Walk {
 public:
  Walk(const ParsedText& text, std::size_t offset)
      : offset_(text.source.begin.plus(static_cast<std::uint32_t>(offset))) {}

  Cursor take(const syntax::File& file) {
    cursor_.scopes.push_back({&file, Path{}});
    declarations(file.declarations, Path{});
    return std::move(cursor_);
  }

 private:
  bool covers(const syntax::Node* node) const {
    return node != nullptr && node->begin <= offset_ && offset_ <= node->end;
  }

  void found(Cursor::Kind kind, const syntax::Node* node, const std::optional<Path>& path) {
    cursor_.kind = kind;
    cursor_.node = node;
    cursor_.path = path;
  }

  void declarations(std::span<syntax::Declaration* const> list, const std::optional<Path>& path) {
    // Where one ends and the next begins, the next is meant only if the one before has nothing to say.
    for (const syntax::Declaration* one : list) {
      if (!covers(one)) continue;
      std::size_t depth = cursor_.scopes.size();
      declaration(*one, path);
      if (cursor_.kind != Cursor::Kind::nothing) return;
      cursor_.scopes.resize(depth);
    }
  }

  void declaration(const syntax::Declaration& node, const std::optional<Path>& path) {
    switch (node.kind) {
      case NodeKind::field:
        return field(*as<syntax::Field>(&node), path);
      case NodeKind::embedding: {
        const syntax::Expression* inner = as<syntax::Embedding>(&node)->expression;
        if (inner == nullptr) return;
        if (inner->kind == NodeKind::identifier || inner->kind == NodeKind::selector) cursor_.embedding = &node;
        return expression(*inner, path);
      }
      case NodeKind::comprehension:
        return comprehension(*as<syntax::Comprehension>(&node), path);
      case NodeKind::let_clause: {
        const auto& let = *as<syntax::LetClause>(&node);
        if (covers(let.value))
          expression(*let.value, std::nullopt);
        else if (covers(let.name))
          found(Cursor::Kind::reference, let.name, std::nullopt);
        return;
      }
      case NodeKind::import_declaration:
        for (const syntax::ImportSpec* spec : as<syntax::ImportDeclaration>(&node)->specs) {
          if (covers(spec)) return found(Cursor::Kind::import, spec, std::nullopt);
        }
        return;
      case NodeKind::package:
        return found(Cursor::Kind::package, &node, std::nullopt);
      case NodeKind::ellipsis: {
        const auto& ellipsis = *as<syntax::Ellipsis>(&node);
        if (covers(ellipsis.type)) expression(*ellipsis.type, std::nullopt);
        return;
      }
      default:
        return;
    }
  }

  void field(const syntax::Field& node, const std::optional<Path>& path) {
    const syntax::Node* label = node.label;
    if (label == nullptr) return;
    std::optional<Path> own = below(path, path_element(*label));
    if (covers(label)) {
      const syntax::Node* bare = label->kind == NodeKind::alias ? as<syntax::Alias>(label)->value : label;
      if (bare != nullptr && covers(bare)) {
        // Patterns and labels that are computed are expressions.
        if (bare->kind == NodeKind::list_literal || bare->kind == NodeKind::parenthesis ||
            bare->kind == NodeKind::interpolation) {
          expression(*bare, std::nullopt);
          cursor_.in_list = false;
          return;
        }
      }
      cursor_.field = &node;
      return found(Cursor::Kind::label, &node, own);
    }
    if (!covers(node.value)) return;
    cursor_.field = &node;
    cursor_.embedding = nullptr;
    cursor_.in_list = false;
    bool has_names = label->kind == NodeKind::alias || node.alias != nullptr || node.value->kind == NodeKind::alias;
    if (has_names) cursor_.scopes.push_back({&node, own});
    expression(*node.value, own);
  }

  void comprehension(const syntax::Comprehension& node, const std::optional<Path>& path) {
    cursor_.field = nullptr;
    // A clause sees the variables of those before it; to see all of them does no harm.
    cursor_.scopes.push_back({&node, path});
    for (const syntax::Clause* clause : node.clauses) {
      if (!covers(clause)) continue;
      const syntax::Expression* part = nullptr;
      if (clause->kind == NodeKind::for_clause)
        part = as<syntax::ForClause>(clause)->source;
      else if (clause->kind == NodeKind::if_clause)
        part = as<syntax::IfClause>(clause)->condition;
      else if (clause->kind == NodeKind::let_clause)
        part = as<syntax::LetClause>(clause)->value;
      else if (clause->kind == NodeKind::try_clause)
        part = as<syntax::TryClause>(clause)->value;
      if (part != nullptr && covers(part)) return expression(*part, std::nullopt);
    }
    if (covers(node.body)) return expression(*node.body, path);
    if (node.fallback != nullptr && covers(node.fallback->body)) expression(*node.fallback->body, path);
  }

  // What is within something else is not the value of the field.
  void part(const syntax::Expression* node) {
    if (!covers(node)) return;
    cursor_.field = nullptr;
    cursor_.embedding = nullptr;
    cursor_.in_list = false;
    expression(*node, std::nullopt);
  }

  void expression(const syntax::Expression& node, const std::optional<Path>& path) {
    switch (node.kind) {
      case NodeKind::identifier:
        return found(Cursor::Kind::reference, &node, path);
      case NodeKind::basic_literal:
        return found(Cursor::Kind::literal, &node, path);
      case NodeKind::struct_literal:
        cursor_.field = nullptr;
        cursor_.embedding = nullptr;
        cursor_.in_list = false;
        cursor_.scopes.push_back({&node, path});
        return declarations(as<syntax::StructLiteral>(&node)->elements, path);
      case NodeKind::list_literal: {
        std::uint32_t index = 0;
        cursor_.field = nullptr;
        cursor_.embedding = nullptr;
        for (const syntax::Expression* element : as<syntax::ListLiteral>(&node)->elements) {
          if (covers(element)) {
            cursor_.in_list = true;
            bool has_place = element->kind != NodeKind::comprehension && element->kind != NodeKind::ellipsis;
            Path::Element place{Path::Element::Kind::index, {}, index, {}};
            expression(*element, has_place ? below(path, place) : std::nullopt);
            if (cursor_.kind != Cursor::Kind::nothing) return;
          }
          ++index;
        }
        return;
      }
      case NodeKind::comprehension:
        return comprehension(*as<syntax::Comprehension>(&node), path);
      case NodeKind::ellipsis:
        return part(as<syntax::Ellipsis>(&node)->type);
      case NodeKind::selector: {
        const auto& selector = *as<syntax::Selector>(&node);
        if (covers(selector.label) || (selector.period.valid() && offset_ > selector.period))
          return found(Cursor::Kind::member, &node, path);
        return covers(selector.operand) ? operand(*selector.operand) : void();
      }
      case NodeKind::index: {
        const auto& index = *as<syntax::Index>(&node);
        if (covers(index.operand)) return operand(*index.operand);
        return part(index.index);
      }
      case NodeKind::slice: {
        const auto& slice = *as<syntax::Slice>(&node);
        if (covers(slice.operand)) return operand(*slice.operand);
        if (covers(slice.low)) return part(slice.low);
        return part(slice.high);
      }
      case NodeKind::call: {
        const auto& call = *as<syntax::Call>(&node);
        if (covers(call.function)) return operand(*call.function);
        bool is_close = call.function != nullptr && call.function->kind == NodeKind::identifier &&
                        as<syntax::Identifier>(call.function)->name == "close";
        for (const syntax::Expression* argument : call.arguments) {
          if (!covers(argument)) continue;
          if (is_close) return expression(*argument, path);
          return part(argument);
        }
        return;
      }
      case NodeKind::unary: {
        const auto& unary = *as<syntax::Unary>(&node);
        if (unary.op == syntax::Token::multiply && covers(unary.operand)) return expression(*unary.operand, path);
        return part(unary.operand);
      }
      case NodeKind::binary: {
        const auto& binary = *as<syntax::Binary>(&node);
        bool is_same = binary.op == syntax::Token::and_value || binary.op == syntax::Token::or_value;
        for (const syntax::Expression* side : {binary.right, binary.left}) {
          if (!covers(side)) continue;
          if (is_same)
            expression(*side, path);
          else
            part(side);
          if (cursor_.kind != Cursor::Kind::nothing) return;
        }
        return;
      }
      case NodeKind::postfix: {
        const syntax::Expression* inner = as<syntax::Postfix>(&node)->operand;
        return covers(inner) ? expression(*inner, path) : void();
      }
      case NodeKind::parenthesis: {
        const syntax::Expression* inner = as<syntax::Parenthesis>(&node)->inner;
        return covers(inner) ? expression(*inner, path) : void();
      }
      case NodeKind::alias: {
        const syntax::Expression* inner = as<syntax::Alias>(&node)->value;
        return covers(inner) ? expression(*inner, path) : void();
      }
      case NodeKind::interpolation:
        for (const syntax::Node* element : as<syntax::Interpolation>(&node)->elements) {
          if (element->kind != NodeKind::basic_literal && covers(element)) return part(element);
        }
        return;
      default:
        return;
    }
  }

  // Of a selector, index or call: its value is not that of the field, but names in it are looked up as usual.
  void operand(const syntax::Expression& node) {
    cursor_.field = nullptr;
    cursor_.embedding = nullptr;
    expression(node, std::nullopt);
  }

  diag::Position offset_;
  Cursor cursor_;
};

}  // namespace

ParsedText::ParsedText(std::string content) : source{"", std::move(content), diag::Position{1}} {
  file = syntax::parse_file(arena, source).file;
}

std::string_view ParsedText::text_of(const syntax::Node& node) const {
  if (!node.begin.valid() || node.end < node.begin) return {};
  return std::string_view(source.text).substr(offset(node.begin), node.end.value - node.begin.value);
}

Cursor cursor_at(const ParsedText& text, std::size_t offset) { return Walk(text, offset).take(*text.file); }

std::optional<Path::Element> path_element(const syntax::Node& label) {
  using Kind = Path::Element::Kind;
  switch (label.kind) {
    case NodeKind::identifier: {
      std::string name(as<syntax::Identifier>(&label)->name);
      Kind kind = name.starts_with('_') ? Kind::hidden : name.starts_with('#') ? Kind::definition : Kind::field;
      return Path::Element{kind, std::move(name), 0, {}};
    }
    case NodeKind::basic_literal: {
      const auto& literal = *as<syntax::BasicLiteral>(&label);
      if (literal.token != syntax::Token::string) return Path::Element{Kind::field, std::string(literal.text), 0, {}};
      base::Arena arena;
      auto text = syntax::unquote(arena, literal.text);
      if (!text) return std::nullopt;
      return Path::Element{Kind::field, std::string(*text), 0, {}};
    }
    case NodeKind::alias: {
      const syntax::Node* value = as<syntax::Alias>(&label)->value;
      return value == nullptr ? std::nullopt : path_element(*value);
    }
    default:
      return std::nullopt;
  }
}

}  // namespace opm::lsp
