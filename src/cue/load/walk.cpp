#include "cue/load/walk.h"

#include <span>

namespace opm::cue::load {

using syntax::as;
using syntax::NodeKind;

void for_each_child(syntax::Node& node, const std::function<void(syntax::Node&)>& visit) {
  auto one = [&](syntax::Node* child) {
    if (child != nullptr) visit(*child);
  };
  auto all = [&](auto children) {
    for (auto* child : children) one(child);
  };
  switch (node.kind) {
    case NodeKind::file:
      return all(as<syntax::File>(&node)->declarations);
    case NodeKind::struct_literal:
      return all(as<syntax::StructLiteral>(&node)->elements);
    case NodeKind::list_literal:
      return all(as<syntax::ListLiteral>(&node)->elements);
    case NodeKind::interpolation:
      return all(as<syntax::Interpolation>(&node)->elements);
    case NodeKind::field:
      return one(as<syntax::Field>(&node)->value);
    case NodeKind::embedding:
      return one(as<syntax::Embedding>(&node)->expression);
    case NodeKind::let_clause:
      return one(as<syntax::LetClause>(&node)->value);
    case NodeKind::alias:
      return one(as<syntax::Alias>(&node)->value);
    case NodeKind::ellipsis:
      return one(as<syntax::Ellipsis>(&node)->type);
    case NodeKind::parenthesis:
      return one(as<syntax::Parenthesis>(&node)->inner);
    case NodeKind::unary:
      return one(as<syntax::Unary>(&node)->operand);
    case NodeKind::postfix:
      return one(as<syntax::Postfix>(&node)->operand);
    case NodeKind::binary:
      one(as<syntax::Binary>(&node)->left);
      return one(as<syntax::Binary>(&node)->right);
    case NodeKind::selector:
      return one(as<syntax::Selector>(&node)->operand);
    case NodeKind::index:
      one(as<syntax::Index>(&node)->operand);
      return one(as<syntax::Index>(&node)->index);
    case NodeKind::slice:
      one(as<syntax::Slice>(&node)->operand);
      one(as<syntax::Slice>(&node)->low);
      return one(as<syntax::Slice>(&node)->high);
    case NodeKind::call:
      one(as<syntax::Call>(&node)->function);
      return all(as<syntax::Call>(&node)->arguments);
    case NodeKind::comprehension: {
      auto* comprehension = as<syntax::Comprehension>(&node);
      all(comprehension->clauses);
      one(comprehension->body);
      return one(comprehension->fallback);
    }
    case NodeKind::for_clause:
      return one(as<syntax::ForClause>(&node)->source);
    case NodeKind::if_clause:
      return one(as<syntax::IfClause>(&node)->condition);
    case NodeKind::try_clause:
      return one(as<syntax::TryClause>(&node)->value);
    case NodeKind::fallback_clause:
      return one(as<syntax::FallbackClause>(&node)->body);
    default:
      return;
  }
}

}  // namespace opm::cue::load
