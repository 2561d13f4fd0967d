#include "cue/export/source_trees.h"

#include "cue/syntax/parser.h"

namespace opm::cue::exporting {

using syntax::as;
using syntax::Node;
using syntax::NodeKind;

namespace {

// The only field of a struct without braces.
const syntax::Field* only_field(const syntax::Field& field) {
  if (field.value == nullptr || field.value->kind != NodeKind::struct_literal) return nullptr;
  const auto& literal = *as<syntax::StructLiteral>(field.value);
  bool is_joined = !literal.left_brace.valid() && literal.elements.size() == 1 && literal.elements[0]->kind == NodeKind::field;
  return is_joined ? as<syntax::Field>(literal.elements[0]) : nullptr;
}

}  // namespace

bool SourceTrees::is_shorthand(const syntax::Field& field) {
  const syntax::Field* inner = only_field(field);
  if (inner == nullptr) return false;
  NodeKind label = inner->label->kind;
  if (label == NodeKind::alias) label = as<syntax::Alias>(inner->label)->value->kind;
  return label == NodeKind::identifier || label == NodeKind::basic_literal;
}

const syntax::File* SourceTrees::file_at(diag::Position position) {
  const diag::Source* source = position.valid() ? sources_.find(position) : nullptr;
  if (source == nullptr || source->text.empty()) return nullptr;
  auto [found, is_new] = files_.try_emplace(source, nullptr);
  if (is_new) {
    syntax::ParsedFile parsed = syntax::parse_file(arena_, *source);
    // Some sources are data in another notation.
    if (parsed.errors.empty() && parsed.file != nullptr) {
      found->second = parsed.file;
      for (syntax::Declaration* declaration : parsed.file->declarations) add(declaration, nullptr);
    }
  }
  return found->second;
}

const syntax::Field* SourceTrees::field_at(diag::Position position) {
  if (file_at(position) == nullptr) return nullptr;
  auto found = fields_.find(position.value);
  return found != fields_.end() ? found->second : nullptr;
}

const syntax::Node* SourceTrees::node_at(NodeKind kind, diag::Position position) {
  if (file_at(position) == nullptr) return nullptr;
  auto found = nodes_.find({position.value, kind});
  return found != nodes_.end() ? found->second : nullptr;
}

const syntax::Field* SourceTrees::field_around(const syntax::Field& field) const {
  auto found = around_.find(&field);
  return found != around_.end() ? found->second : nullptr;
}

// The parser caps how high a tree is.
void SourceTrees::add(Node* node, const syntax::Field* around) {
  if (node == nullptr) return;
  auto remember = [&] { nodes_.try_emplace({node->begin.value, node->kind}, node); };
  auto all = [&](auto nodes) {
    for (auto* each : nodes) add(each, nullptr);
  };
  switch (node->kind) {
    case NodeKind::field: {
      auto* field = as<syntax::Field>(node);
      fields_.try_emplace(field->label->begin.value, field);
      if (around != nullptr) around_.emplace(field, around);
      add(field->label, nullptr);
      all(field->attributes);
      if (only_field(*field) != nullptr) add(as<syntax::StructLiteral>(field->value)->elements[0], field);
      else add(field->value, nullptr);
      break;
    }
    case NodeKind::embedding:
      remember();
      add(as<syntax::Embedding>(node)->expression, nullptr);
      break;
    case NodeKind::attribute: remember(); break;
    case NodeKind::comprehension: {
      remember();
      auto* comprehension = as<syntax::Comprehension>(node);
      all(comprehension->clauses);
      add(comprehension->body, nullptr);
      add(comprehension->fallback, nullptr);
      break;
    }
    case NodeKind::for_clause:
      remember();
      add(as<syntax::ForClause>(node)->source, nullptr);
      break;
    case NodeKind::if_clause:
      remember();
      add(as<syntax::IfClause>(node)->condition, nullptr);
      break;
    case NodeKind::let_clause:
      remember();
      add(as<syntax::LetClause>(node)->value, nullptr);
      break;
    case NodeKind::try_clause:
      remember();
      add(as<syntax::TryClause>(node)->value, nullptr);
      break;
    case NodeKind::fallback_clause: add(as<syntax::FallbackClause>(node)->body, nullptr); break;
    case NodeKind::struct_literal: all(as<syntax::StructLiteral>(node)->elements); break;
    case NodeKind::list_literal: all(as<syntax::ListLiteral>(node)->elements); break;
    case NodeKind::interpolation: all(as<syntax::Interpolation>(node)->elements); break;
    case NodeKind::alias: add(as<syntax::Alias>(node)->value, nullptr); break;
    case NodeKind::ellipsis: add(as<syntax::Ellipsis>(node)->type, nullptr); break;
    case NodeKind::parenthesis: add(as<syntax::Parenthesis>(node)->inner, nullptr); break;
    case NodeKind::unary: add(as<syntax::Unary>(node)->operand, nullptr); break;
    case NodeKind::postfix: add(as<syntax::Postfix>(node)->operand, nullptr); break;
    case NodeKind::binary:
      add(as<syntax::Binary>(node)->left, nullptr);
      add(as<syntax::Binary>(node)->right, nullptr);
      break;
    case NodeKind::selector: add(as<syntax::Selector>(node)->operand, nullptr); break;
    case NodeKind::index:
      add(as<syntax::Index>(node)->operand, nullptr);
      add(as<syntax::Index>(node)->index, nullptr);
      break;
    case NodeKind::slice:
      add(as<syntax::Slice>(node)->operand, nullptr);
      add(as<syntax::Slice>(node)->low, nullptr);
      add(as<syntax::Slice>(node)->high, nullptr);
      break;
    case NodeKind::call:
      add(as<syntax::Call>(node)->function, nullptr);
      all(as<syntax::Call>(node)->arguments);
      break;
    default: break;
  }
}

}  // namespace opm::cue::exporting
