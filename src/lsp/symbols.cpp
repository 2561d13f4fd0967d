#include "lsp/symbols.h"

#include <string>

#include "base/arena.h"
#include "cue/syntax/parser.h"
#include "data/build.h"
#include "lsp/protocol.h"

namespace opm::lsp {

namespace {

namespace syntax = cue::syntax;
using syntax::NodeKind;

// As the protocol numbers them.
enum SymbolKind : int { kModule = 2, kClass = 5, kProperty = 7, kVariable = 13, kArray = 18, kObject = 19 };

constexpr unsigned kDeepest = 64;

class Outline {
 public:
  Outline(const diag::Source& source, Encoding encoding) : source_(source), lines_(source.text), encoding_(encoding) {}

  data::List of(std::span<syntax::Declaration* const> declarations, unsigned depth = 0) const {
    data::List symbols;
    if (depth > kDeepest) return symbols;
    for (const syntax::Declaration* declaration : declarations) add(*declaration, depth, symbols);
    return symbols;
  }

 private:
  void add(const syntax::Declaration& declaration, unsigned depth, data::List& symbols) const {
    switch (declaration.kind) {
      case NodeKind::field: {
        const auto& field = *syntax::as<syntax::Field>(&declaration);
        if (field.label == nullptr || field.value == nullptr) return;
        std::string name(written(*field.label));
        SymbolKind kind = kind_of(*field.value);
        if (name.starts_with('#') || name.starts_with("_#")) kind = kClass;
        symbols.push_back(symbol(name, kind, declaration, *field.label, below(*field.value, depth)));
        return;
      }
      case NodeKind::let_clause: {
        const auto& let = *syntax::as<syntax::LetClause>(&declaration);
        if (let.name == nullptr || let.value == nullptr) return;
        symbols.push_back(
            symbol(std::string(let.name->name), kVariable, declaration, *let.name, below(*let.value, depth)));
        return;
      }
      case NodeKind::package: {
        const auto& package = *syntax::as<syntax::Package>(&declaration);
        if (package.name == nullptr) return;
        symbols.push_back(symbol(std::string(package.name->name), kModule, declaration, *package.name, {}));
        return;
      }
      default:
        return;
    }
  }

  // The fields of struct literals within an expression.
  data::List below(const syntax::Expression& expression, unsigned depth) const {
    if (depth > kDeepest) return {};
    switch (expression.kind) {
      case NodeKind::struct_literal:
        return of(syntax::as<syntax::StructLiteral>(&expression)->elements, depth + 1);
      case NodeKind::parenthesis: {
        const syntax::Expression* inner = syntax::as<syntax::Parenthesis>(&expression)->inner;
        return inner == nullptr ? data::List{} : below(*inner, depth + 1);
      }
      case NodeKind::binary: {
        const auto& binary = *syntax::as<syntax::Binary>(&expression);
        data::List symbols;
        for (const syntax::Expression* side : {binary.left, binary.right}) {
          if (side == nullptr) continue;
          for (data::Value& one : below(*side, depth + 1)) symbols.push_back(std::move(one));
        }
        return symbols;
      }
      default:
        return {};
    }
  }

  static SymbolKind kind_of(const syntax::Expression& value) {
    if (value.kind == NodeKind::struct_literal) return kObject;
    return value.kind == NodeKind::list_literal ? kArray : kProperty;
  }

  std::string_view written(const syntax::Node& node) const {
    std::size_t begin = offset(node.begin);
    return std::string_view(source_.text).substr(begin, offset(node.end) - begin);
  }

  std::size_t offset(diag::Position position) const {
    return position.valid() ? position.value - source_.begin.value : 0;
  }

  TextRange range(const syntax::Node& node) const {
    return {lines_.position(source_.text, offset(node.begin), encoding_),
            lines_.position(source_.text, offset(node.end), encoding_)};
  }

  data::Value symbol(std::string name, SymbolKind kind, const syntax::Node& whole, const syntax::Node& label,
                     data::List children) const {
    data::Value result = data::map({{"name", data::text(std::move(name))},
                                    {"kind", data::integer(kind)},
                                    {"range", to_data(range(whole))},
                                    {"selectionRange", to_data(range(label))}});
    if (!children.empty()) data::set(result, "children", data::list(std::move(children)));
    return result;
  }

  const diag::Source& source_;
  LineIndex lines_;
  Encoding encoding_;
};

}  // namespace

data::Value document_symbols(std::string_view text, Encoding encoding) {
  base::Arena arena;
  diag::Source source{"", std::string(text), diag::Position{1}};
  const syntax::File* file = syntax::parse_file(arena, source).file;
  return data::list(Outline(source, encoding).of(file->declarations));
}

}  // namespace opm::lsp
