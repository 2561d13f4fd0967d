#include "debug_text.h"

#include <fmt/format.h>

#include "cue/eval/text.h"

namespace opm::inline_test {

using eval::ArcKind;
using eval::BaseKind;
using eval::Node;

namespace {

class DebugText {
 public:
  explicit DebugText(Engine& engine) : engine_(engine), evaluator_(engine.evaluator()) {}
  std::string text;

  void value(const Subject& subject, const std::string& indent) {
    Node* node = engine_.node(subject);
    if (node == nullptr) {
      text += eval::value_text(evaluator_, subject.value);
      return;
    }
    if (subject.value.node->is_shared && !node->arcs.empty()) {
      text += fmt::format("~({})", eval::path_text(evaluator_, node));
      return;
    }
    const eval::Error* error = engine_.error(subject);
    std::string kind = error != nullptr ? "_|_" : eval::kinds_text(engine_.kinds(subject));
    bool is_closed = node->base == BaseKind::structure ? evaluator_.is_closed_struct(node) : !node->list_is_open;
    if (is_closed && (node->base == BaseKind::structure || node->base == BaseKind::list)) kind = "#" + kind;
    text += fmt::format("({}){{", kind);
    std::string inner = indent + "  ";
    if (error != nullptr) {
      text += fmt::format("\n{}// [{}]", inner, eval::error_code_text(error->code));
      if (!error->is_child_error || node->arcs.empty()) {
        details(subject, inner + "// ");
        if (error->code == eval::ErrorCode::cycle || error->code == eval::ErrorCode::structural_cycle) {
          text += fmt::format("\n{}}}", indent);
          return;
        }
      }
    } else if (std::optional<eval::Value> scalar = engine_.terminal(subject)) {
      if (node->arcs.empty()) {
        text += fmt::format(" {} }}", constraint(*scalar));
        return;
      }
      text += fmt::format("\n{}{}", inner, constraint(*scalar));
    }
    for (std::uint32_t i = 0; i < node->arcs.size(); ++i) {
      Node* arc = node->arcs[i];
      if (arc->arc == ArcKind::absent) continue;
      std::string_view mark = arc->arc == ArcKind::optional ? "?" : arc->arc == ArcKind::required ? "!" : "";
      text += fmt::format("\n{}{}{}: ", inner, label(arc->label), mark);
      value(engine_.of(arc), inner);
    }
    text += fmt::format("\n{}}}", indent);
  }

 private:
  std::string constraint(const eval::Value& value) {
    if (value.kind == eval::ValueKind::conjunction) {
      std::string result = "&(";
      for (const eval::Value& part : value.list->values) {
        if (result.size() > 2) result += ", ";
        result += constraint(part);
      }
      return result + ")";
    }
    return eval::value_text(evaluator_, value);
  }

  std::string label(Label label) {
    std::string name = cue::selector_text(evaluator_.names(), label);
    std::string_view package = cue::hidden_package(evaluator_.names(), label);
    if (package.empty() || package == "_") return name;
    return fmt::format("{}({})", name, package.substr(0, package.find('@')));
  }

  void details(const Subject& subject, const std::string& indent) {
    bool first = true;
    for (const ErrorView& error : engine_.errors(subject)) {
      text += first ? " " : "\n" + indent;
      first = false;
      if (!error.path.empty()) text += error.path + ": ";
      text += error.message;
      if (!error.positions.empty()) text += ":";
      for (diag::Position position : error.positions) {
        text += fmt::format("\n{}    {}", indent, engine_.show_positions({position}));
      }
    }
  }

  Engine& engine_;
  eval::Evaluator& evaluator_;
};

}  // namespace

std::string debug_text(Engine& engine, const Subject& subject) {
  DebugText printer(engine);
  printer.value(subject, "");
  return std::move(printer.text);
}

}  // namespace opm::inline_test
