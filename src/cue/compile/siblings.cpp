#include "cue/compile/siblings.h"

#include <algorithm>

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
      case ExpressionKind::null:
      case ExpressionKind::boolean:
      case ExpressionKind::number:
      case ExpressionKind::string:
      case ExpressionKind::bytes:
      case ExpressionKind::basic_type:
      case ExpressionKind::top:
      case ExpressionKind::bottom:
      case ExpressionKind::label_reference:
      case ExpressionKind::clause_reference:
      case ExpressionKind::import_reference:
      case ExpressionKind::builtin: return;
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
      case ExpressionKind::structure: return visit_struct(to<StructExpression>(expression), depth + 1);
      case ExpressionKind::list:
        for (const Expression* element : to<ListExpression>(expression).elements) visit(element, depth);
        return;
      case ExpressionKind::ellipsis: return visit(to<EllipsisExpression>(expression).type, depth);
      case ExpressionKind::selector: return visit(to<Selector>(expression).operand, depth);
      case ExpressionKind::index:
        visit(to<Index>(expression).operand, depth);
        return visit(to<Index>(expression).index, depth);
      case ExpressionKind::slice:
        visit(to<Slice>(expression).operand, depth);
        visit(to<Slice>(expression).low, depth);
        return visit(to<Slice>(expression).high, depth);
      case ExpressionKind::interpolation:
        for (const Expression* part : to<Interpolation>(expression).parts) visit(part, depth);
        return;
      case ExpressionKind::bound: return visit(to<Bound>(expression).operand, depth);
      case ExpressionKind::unary: return visit(to<Unary>(expression).operand, depth);
      case ExpressionKind::binary:
        visit(to<Binary>(expression).left, depth);
        return visit(to<Binary>(expression).right, depth);
      case ExpressionKind::unify:
        visit(to<Unify>(expression).left, depth);
        return visit(to<Unify>(expression).right, depth);
      case ExpressionKind::disjunction:
        for (const Disjunct& disjunct : to<Disjunction>(expression).disjuncts) visit(disjunct.value, depth);
        return;
      case ExpressionKind::call:
        visit(to<Call>(expression).function, depth);
        for (const Expression* argument : to<Call>(expression).arguments) visit(argument, depth);
        return;
      case ExpressionKind::open: return visit(to<Open>(expression).operand, depth);
      case ExpressionKind::alias: return visit(to<AliasExpression>(expression).value, depth + 1);
      case ExpressionKind::comprehension: return visit_comprehension(to<Comprehension>(expression), depth);
      case ExpressionKind::field: return visit(to<Field>(expression).value, depth);
      case ExpressionKind::pattern:
        visit(to<Pattern>(expression).pattern, depth);
        return visit(to<Pattern>(expression).value, depth + to<Pattern>(expression).label_scope);
      case ExpressionKind::dynamic_field:
        visit(to<DynamicField>(expression).label, depth);
        return visit(to<DynamicField>(expression).value, depth + to<DynamicField>(expression).label_scope);
    }
  }

 private:
  template <typename T>
  static const T& to(const Expression* expression) {
    return *static_cast<const T*>(expression);
  }

  void visit_struct(const StructExpression& nested, std::uint32_t depth) {
    for (const Declaration& declaration : nested.declarations) visit(declaration.expression, depth);
  }

  void visit_comprehension(const Comprehension& comprehension, std::uint32_t depth) {
    std::uint32_t inner = depth;
    for (const Clause& clause : comprehension.clauses) {
      visit(clause.expression, inner);
      inner += clause.pushes_scope;
    }
    visit_struct(*comprehension.body, inner + 1);
    if (comprehension.fallback != nullptr) visit_struct(*comprehension.fallback, depth + 1);
  }

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
