#include "cue/syntax/format_simplify.h"

#include <unordered_map>

#include "cue/syntax/literal.h"

namespace opm::cue::syntax {

std::string_view label_text(const BasicLiteral& label) {
  std::string_view text = label.text;
  if (text.size() < 2 || !text.starts_with('"') || !text.ends_with('"')) return {};
  return text.substr(1, text.size() - 2);
}

namespace {

// Calls `visit` with each node right below `node`.
template <typename Visit>
void for_each_child(const Node& node, Visit&& visit) {
  auto one = [&](const Node* child) {
    if (child) visit(*child);
  };
  auto all = [&](const auto& children) {
    for (const Node* child : children) one(child);
  };
  switch (node.kind) {
    case NodeKind::interpolation: all(as<Interpolation>(&node)->elements); break;
    case NodeKind::struct_literal: all(as<StructLiteral>(&node)->elements); break;
    case NodeKind::list_literal: all(as<ListLiteral>(&node)->elements); break;
    case NodeKind::ellipsis: one(as<Ellipsis>(&node)->type); break;
    case NodeKind::selector:
      one(as<Selector>(&node)->operand);
      one(as<Selector>(&node)->label);
      break;
    case NodeKind::index:
      one(as<Index>(&node)->operand);
      one(as<Index>(&node)->index);
      break;
    case NodeKind::slice:
      one(as<Slice>(&node)->operand);
      one(as<Slice>(&node)->low);
      one(as<Slice>(&node)->high);
      break;
    case NodeKind::call:
      one(as<Call>(&node)->function);
      all(as<Call>(&node)->arguments);
      break;
    case NodeKind::unary: one(as<Unary>(&node)->operand); break;
    case NodeKind::binary: {
      const Node* left = &node;
      for (; left->kind == NodeKind::binary; left = as<Binary>(left)->left) one(as<Binary>(left)->right);
      one(left);
      break;
    }
    case NodeKind::postfix: one(as<Postfix>(&node)->operand); break;
    case NodeKind::parenthesis: one(as<Parenthesis>(&node)->inner); break;
    case NodeKind::alias:
      one(as<Alias>(&node)->name);
      one(as<Alias>(&node)->value);
      break;
    case NodeKind::comprehension:
      all(as<Comprehension>(&node)->clauses);
      one(as<Comprehension>(&node)->body);
      one(as<Comprehension>(&node)->fallback);
      break;
    case NodeKind::field:
      one(as<Field>(&node)->label);
      one(as<Field>(&node)->value);
      break;
    case NodeKind::let_clause:
      one(as<LetClause>(&node)->name);
      one(as<LetClause>(&node)->value);
      break;
    case NodeKind::embedding: one(as<Embedding>(&node)->expression); break;
    case NodeKind::for_clause:
      one(as<ForClause>(&node)->key);
      one(as<ForClause>(&node)->value);
      one(as<ForClause>(&node)->source);
      break;
    case NodeKind::if_clause: one(as<IfClause>(&node)->condition); break;
    case NodeKind::try_clause:
      one(as<TryClause>(&node)->name);
      one(as<TryClause>(&node)->value);
      break;
    case NodeKind::fallback_clause: one(as<FallbackClause>(&node)->body); break;
    case NodeKind::import_declaration: all(as<ImportDeclaration>(&node)->specs); break;
    case NodeKind::import_spec: one(as<ImportSpec>(&node)->name); break;
    case NodeKind::file: all(as<File>(&node)->declarations); break;
    default: break;
  }
}

bool can_be_name(std::string_view text) {
  return !text.starts_with('#') && !text.starts_with('_') && is_valid_identifier(text);
}

// The names that a struct declares, quoted or not; true until some identifier means one.
struct Scope {
  Scope* parent;
  std::unordered_map<std::string_view, bool> unused;
};

class QuoteFinder {
 public:
  LabelSet found;

  void find_in(const Node& node, Scope* scope);

 private:
  void find_in_declarations(std::span<Declaration* const> declarations, Scope* parent);
  void declare(const Node& label, Scope& scope);
};

void QuoteFinder::find_in(const Node& node, Scope* scope) {
  switch (node.kind) {
    case NodeKind::file: find_in_declarations(as<File>(&node)->declarations, scope); break;
    case NodeKind::struct_literal: find_in_declarations(as<StructLiteral>(&node)->elements, scope); break;
    case NodeKind::selector: find_in(*as<Selector>(&node)->operand, scope); break;
    case NodeKind::identifier:
      for (Scope* at = scope; at; at = at->parent) {
        auto declared = at->unused.find(as<Identifier>(&node)->name);
        if (declared == at->unused.end()) continue;
        declared->second = false;
        break;
      }
      break;
    default: for_each_child(node, [&](const Node& child) { find_in(child, scope); });
  }
}

void QuoteFinder::find_in_declarations(std::span<Declaration* const> declarations, Scope* parent) {
  Scope scope{parent, {}};
  for (const Declaration* declaration : declarations) {
    if (declaration->kind == NodeKind::field) declare(*as<Field>(declaration)->label, scope);
  }
  for (const Declaration* declaration : declarations) {
    if (declaration->kind == NodeKind::field) {
      if (as<Field>(declaration)->value) find_in(*as<Field>(declaration)->value, &scope);
    } else {
      find_in(*declaration, &scope);
    }
  }
  for (const Declaration* declaration : declarations) {
    if (declaration->kind != NodeKind::field) continue;
    const Node* label = as<Field>(declaration)->label;
    if (label->kind != NodeKind::basic_literal) continue;
    std::string_view text = label_text(*as<BasicLiteral>(label));
    if (!can_be_name(text)) continue;  // "#x" is not the field #x
    auto declared = scope.unused.find(text);
    if (declared != scope.unused.end() && declared->second) found.insert(label);
  }
}

void QuoteFinder::declare(const Node& label, Scope& scope) {
  switch (label.kind) {
    case NodeKind::basic_literal: {
      std::string_view text = label_text(*as<BasicLiteral>(&label));
      if (can_be_name(text)) scope.unused[text] = true;
      break;
    }
    case NodeKind::identifier: scope.unused[as<Identifier>(&label)->name] = true; break;
    case NodeKind::list_literal:
    case NodeKind::interpolation: break;
    default: for_each_child(label, [&](const Node& child) { declare(child, scope); });
  }
}

}  // namespace

LabelSet find_needless_quotes(const Node& root) {
  QuoteFinder finder;
  finder.find_in(root, nullptr);
  return std::move(finder.found);
}

}  // namespace opm::cue::syntax
