#include "cue/compile/mentions.h"

#include <vector>

namespace opm::cue::compile {

using syntax::as;
using syntax::Node;
using syntax::NodeKind;

bool mentions_self(const syntax::ListLiteral& list) {
  std::vector<const Node*> pending(list.elements.begin(), list.elements.end());
  auto visit = [&](const Node* node) {
    if (node) pending.push_back(node);
  };
  while (!pending.empty()) {
    const Node* node = pending.back();
    pending.pop_back();
    switch (node->kind) {
      case NodeKind::identifier: {
        std::string_view name = as<syntax::Identifier>(node)->name;
        if (name == "self" || name == "__self") return true;
        break;
      }
      case NodeKind::interpolation:
        for (const Node* element : as<syntax::Interpolation>(node)->elements) visit(element);
        break;
      case NodeKind::ellipsis: visit(as<syntax::Ellipsis>(node)->type); break;
      case NodeKind::selector: visit(as<syntax::Selector>(node)->operand); break;
      case NodeKind::index:
        visit(as<syntax::Index>(node)->operand);
        visit(as<syntax::Index>(node)->index);
        break;
      case NodeKind::slice:
        visit(as<syntax::Slice>(node)->operand);
        visit(as<syntax::Slice>(node)->low);
        visit(as<syntax::Slice>(node)->high);
        break;
      case NodeKind::call:
        visit(as<syntax::Call>(node)->function);
        for (const Node* argument : as<syntax::Call>(node)->arguments) visit(argument);
        break;
      case NodeKind::unary: visit(as<syntax::Unary>(node)->operand); break;
      case NodeKind::binary:
        visit(as<syntax::Binary>(node)->left);
        visit(as<syntax::Binary>(node)->right);
        break;
      case NodeKind::postfix: visit(as<syntax::Postfix>(node)->operand); break;
      case NodeKind::parenthesis: visit(as<syntax::Parenthesis>(node)->inner); break;
      case NodeKind::comprehension:
        for (const Node* clause : as<syntax::Comprehension>(node)->clauses) visit(clause);
        break;
      case NodeKind::for_clause: visit(as<syntax::ForClause>(node)->source); break;
      case NodeKind::if_clause: visit(as<syntax::IfClause>(node)->condition); break;
      case NodeKind::let_clause: visit(as<syntax::LetClause>(node)->value); break;
      case NodeKind::try_clause: visit(as<syntax::TryClause>(node)->value); break;
      default: break;
    }
  }
  return false;
}

}  // namespace opm::cue::compile
