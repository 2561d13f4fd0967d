#include "cue/compile/siblings.h"

#include <algorithm>

#include "cue/compile/expression_parts.h"

namespace opm::cue::compile {

namespace {

class SiblingWalk {
 public:
  explicit SiblingWalk(const StructExpression& literal) : literal_(literal) {}

  std::vector<Label> labels;
  bool refers_to_whole = false;

  // `depth`: the scopes between the expression and the literal's.
  void visit(const Expression* expression, std::uint32_t depth) {
    if (expression == nullptr || refers_to_whole) return;
    switch (expression->kind) {
      case ExpressionKind::field_reference: {
        const auto& reference = to<FieldReference>(expression);
        if (reference.up == depth && std::ranges::find(labels, reference.label) == labels.end())
          labels.push_back(reference.label);
        return;
      }
      case ExpressionKind::value_reference:
        refers_to_whole = to<ValueReference>(expression).up == depth;
        return;
      case ExpressionKind::dynamic_reference: {
        const auto& reference = to<DynamicReference>(expression);
        refers_to_whole = reference.up == depth;
        if (reference.up < depth) visit(reference.label, depth - reference.up);
        return;
      }
      case ExpressionKind::let_reference: return visit_let(to<LetReference>(expression), depth);
      default: return each_part(expression, [&](const Expression* part, std::uint32_t scopes) { visit(part, depth + scopes); });
    }
  }

 private:
  void visit_let(const LetReference& reference, std::uint32_t depth) {
    if (reference.up != depth || reference.slot >= literal_.lets.size()) return;
    if (std::ranges::find(lets_, reference.slot) != lets_.end()) return;
    lets_.push_back(reference.slot);
    visit(literal_.lets[reference.slot], 0);
  }

  const StructExpression& literal_;
  std::vector<std::uint32_t> lets_;
};

}  // namespace

std::optional<std::vector<Label>> sibling_references(const StructExpression& literal, const Expression* value) {
  SiblingWalk walk(literal);
  walk.visit(value, 0);
  if (walk.refers_to_whole) return std::nullopt;
  return std::move(walk.labels);
}

}  // namespace opm::cue::compile
