#include "cue/load/form.h"

#include <string>

#include "cue/load/walk.h"
#include "cue/load/workspace.h"

namespace opm::cue::load {
namespace {

using syntax::NodeKind;
using syntax::Token;

constexpr std::size_t kMostErrors = 10;

class FormChecker {
 public:
  explicit FormChecker(Form form) : form_(form) {}

  void visit(syntax::Node& node) {
    if (errors.size() > kMostErrors) return;
    if (const char* forbidden = what_is_wrong(node)) {
      errors.push_back(load_error(std::string(forbidden) + " not allowed in " + std::string(name()) + " mode", node.begin));
      if (node.kind != NodeKind::field) return;
    }
    for_each_child(node, [&](syntax::Node& child) { visit(child); });
  }

  std::vector<diag::Diagnostic> errors;

 private:
  std::string_view name() const { return form_ == Form::graph ? "graph" : form_ == Form::dag ? "dag" : "data"; }

  // What kind of thing the node is that may not be there; nullptr: it may.
  const char* what_is_wrong(const syntax::Node& node) const {
    switch (node.kind) {
      case NodeKind::import_declaration:
        return "imports";
      case NodeKind::field: {
        const syntax::Node& label = *syntax::as<syntax::Field>(&node)->label;
        if (label.kind == NodeKind::identifier) {
          std::string_view text = syntax::as<syntax::Identifier>(&label)->name;
          return text.starts_with('#') || text.starts_with("_#") ? "definitions" : nullptr;
        }
        return label.kind == NodeKind::basic_literal ? nullptr : "optional fields";
      }
      case NodeKind::unary:
        return wrong_operator(*syntax::as<syntax::Unary>(&node));
      case NodeKind::binary:
      case NodeKind::parenthesis:
      case NodeKind::index:
      case NodeKind::slice:
      case NodeKind::call:
      case NodeKind::comprehension:
      case NodeKind::interpolation:
        return "expressions";
      case NodeKind::ellipsis:
        return "ellipsis";
      case NodeKind::identifier:
      case NodeKind::selector:
      case NodeKind::alias:
      case NodeKind::let_clause:
        return form_ == Form::data ? "references" : nullptr;
      default:
        return nullptr;
    }
  }

  static const char* wrong_operator(const syntax::Unary& unary) {
    switch (unary.op) {
      case Token::multiply:
        return "default values";
      case Token::add:
      case Token::subtract:
        return unary.operand->kind == NodeKind::basic_literal ? nullptr : "expressions";  // a number with its sign
      case Token::not_:
        return "expressions";
      default:
        return "constraints";
    }
  }

  Form form_;
};

}  // namespace

std::vector<diag::Diagnostic> check_form(syntax::File& file, Form form) {
  if (form != Form::graph && form != Form::dag && form != Form::data) return {};
  FormChecker checker(form);
  checker.visit(file);
  return std::move(checker.errors);
}

}  // namespace opm::cue::load
