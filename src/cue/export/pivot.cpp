#include "cue/export/pivot.h"

#include <algorithm>
#include <utility>

#include "cue/eval/text.h"

namespace opm::cue::exporting {

using compile::ExpressionKind;
using eval::Node;
using eval::Scope;

namespace {

constexpr int kDeepest = 200;

template <typename T>
const T& as(const compile::Expression* expression) {
  return *static_cast<const T*>(expression);
}

// How many labels the reference is made of.
std::size_t reference_length(const compile::Expression* reference) {
  std::size_t length = 0;
  for (;;) {
    switch (reference->kind) {
      case ExpressionKind::selector:
        reference = as<compile::Selector>(reference).operand;
        break;
      case ExpressionKind::index:
        reference = as<compile::Index>(reference).operand;
        break;
      case ExpressionKind::field_reference:
      case ExpressionKind::dynamic_reference:
      case ExpressionKind::let_reference:
      case ExpressionKind::value_reference: return length + 1;
      default: return length;
    }
    ++length;
  }
}

bool has_let_above(const Node* node) {
  for (; node != nullptr; node = node->parent) {
    if (node->is_let) return true;
  }
  return false;
}

}  // namespace

Pivot::Pivot(eval::Evaluator& evaluator, Node* root, bool with_imports, const UniqueName& unique_name)
    : evaluator_(evaluator), nothing_(evaluator.make_struct_node()), with_imports_(with_imports) {
  visit_conjuncts(root);
  std::size_t referred = targets_.size();
  include(root);
  for (Target& each : targets_) {
    for (const Node* above = each.node->parent; above != nullptr; above = above->parent) {
      if (auto found = by_node_.find(above); found != by_node_.end()) each.around = found->second;
    }
  }
  for (Target& each : targets_) {
    if (each.around != nullptr) ++each.around->uses;
  }
  for (std::size_t i = 0; i < referred; ++i) {
    Target& each = targets_[i];
    if (each.around != nullptr || each.is_included || !each.node->label.valid()) continue;
    std::string name = each.node->label.is_integer() ? "Index" + std::to_string(each.node->label.index())
                                                     : std::string(label_text(evaluator_.names(), each.node->label));
    name.erase(0, name.find_first_not_of("_#"));
    if (!each.node->label.is_integer()) std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
    each.name = unique_name(name);
    each.is_definition = each.node->closed_recursively;
  }
}

const Pivot::Target& Pivot::outermost(const Target& target) {
  return target.around != nullptr ? *target.around : target;
}

Pivot::Target* Pivot::target_of(const compile::Expression* reference) const {
  auto found = by_reference_.find(reference);
  return found != by_reference_.end() ? found->second : nullptr;
}

std::vector<Label> Pivot::path_within(const Target& target, const compile::Expression* reference) {
  std::vector<Label> path;
  for (const Node* node = target.node; node != target.around->node && node != nullptr; node = node->parent) {
    path.insert(path.begin(), node->label);
  }
  std::size_t length = reference_length(reference);
  bool is_enough = target.is_included ? path.size() <= length : path.size() < length;
  if (!is_enough) path.clear();
  return path;
}

Pivot::Target& Pivot::target(Node* node) {
  auto [found, is_new] = by_node_.try_emplace(node, nullptr);
  if (is_new) {
    targets_.emplace_back();
    targets_.back().node = node;
    found->second = &targets_.back();
  }
  return *found->second;
}

void Pivot::include(Node* node) {
  target(node).is_included = true;
  for (Node* arc : node->arcs) include(arc);
}

Scope* Pivot::unknown_scope(Scope* up, const compile::StructExpression* literal) {
  Scope* scope = evaluator_.make_scope(up, nothing_);
  scope->literal = literal;
  return scope;
}

void Pivot::visit_conjuncts(Node* node) {
  Node* before = std::exchange(visiting_, node);
  for (std::uint32_t i = 0; i < node->conjuncts.size(); ++i) {
    const eval::Conjunct& conjunct = node->conjuncts[i];
    if (conjunct.expression != nullptr) visit(conjunct.expression, conjunct.scope);
  }
  visiting_ = before;
}

void Pivot::visit(const compile::Expression* expression, Scope* scope) {
  if (expression == nullptr || depth_ > kDeepest || !evaluator_.spend()) return;
  ++depth_;
  switch (expression->kind) {
    case ExpressionKind::field: visit(as<compile::Field>(expression).value, scope); break;
    case ExpressionKind::pattern: {
      const auto& pattern = as<compile::Pattern>(expression);
      visit(pattern.value, pattern.label_scope && !(scope != nullptr && scope->label.valid()) ? unknown_scope(scope) : scope);
      break;
    }
    case ExpressionKind::dynamic_field: visit(as<compile::DynamicField>(expression).value, scope); break;
    case ExpressionKind::alias: visit(as<compile::AliasExpression>(expression).value, unknown_scope(scope)); break;
    case ExpressionKind::open: visit(as<compile::Open>(expression).operand, scope); break;
    case ExpressionKind::unify:
      visit(as<compile::Unify>(expression).left, scope);
      visit(as<compile::Unify>(expression).right, scope);
      break;
    case ExpressionKind::binary:
      visit(as<compile::Binary>(expression).left, scope);
      visit(as<compile::Binary>(expression).right, scope);
      break;
    case ExpressionKind::unary: visit(as<compile::Unary>(expression).operand, scope); break;
    case ExpressionKind::bound: visit(as<compile::Bound>(expression).operand, scope); break;
    case ExpressionKind::interpolation:
      for (const compile::Expression* part : as<compile::Interpolation>(expression).parts) visit(part, scope);
      break;
    case ExpressionKind::call:
      visit(as<compile::Call>(expression).function, scope);
      for (const compile::Expression* argument : as<compile::Call>(expression).arguments) visit(argument, scope);
      break;
    case ExpressionKind::disjunction:
      for (const compile::Disjunct& disjunct : as<compile::Disjunction>(expression).disjuncts) visit(disjunct.value, scope);
      break;
    case ExpressionKind::slice:
      visit(as<compile::Slice>(expression).operand, scope);
      visit(as<compile::Slice>(expression).low, scope);
      visit(as<compile::Slice>(expression).high, scope);
      break;
    case ExpressionKind::list:
      for (const compile::Expression* element : as<compile::ListExpression>(expression).elements) visit(element, scope);
      break;
    case ExpressionKind::ellipsis: visit(as<compile::EllipsisExpression>(expression).type, scope); break;
    case ExpressionKind::structure: visit_struct(as<compile::StructExpression>(expression), scope); break;
    case ExpressionKind::comprehension: visit_comprehension(as<compile::Comprehension>(expression), scope); break;
    case ExpressionKind::field_reference:
    case ExpressionKind::value_reference:
    case ExpressionKind::dynamic_reference:
    case ExpressionKind::clause_reference:
    case ExpressionKind::let_reference:
    case ExpressionKind::selector:
    case ExpressionKind::index: visit_reference(expression, scope); break;
    default: break;
  }
  --depth_;
}

void Pivot::visit_struct(const compile::StructExpression& literal, Scope* scope) {
  Scope* inner = unknown_scope(scope, &literal);
  for (const compile::Declaration& declaration : literal.declarations) {
    switch (declaration.kind) {
      case compile::DeclarationKind::let: break;
      case compile::DeclarationKind::pattern: visit(as<compile::Pattern>(declaration.expression).pattern, inner); break;
      case compile::DeclarationKind::dynamic: {
        const auto& field = as<compile::DynamicField>(declaration.expression);
        visit(field.label, inner);
        visit(field.value, field.label_scope ? unknown_scope(inner) : inner);
        continue;
      }
      default: break;
    }
    if (declaration.kind != compile::DeclarationKind::let) visit(declaration.expression, inner);
  }
}

void Pivot::visit_comprehension(const compile::Comprehension& comprehension, Scope* scope) {
  for (const compile::Clause& clause : comprehension.clauses) {
    visit(clause.expression, scope);
    if (!clause.pushes_scope) continue;
    scope = unknown_scope(scope);
    if (clause.kind != compile::ClauseKind::for_) scope->clause_let = clause.expression;
  }
  visit(comprehension.body, scope);
  if (comprehension.fallback != nullptr) visit(comprehension.fallback, scope);
}

void Pivot::visit_reference(const compile::Expression* reference, Scope* scope) {
  std::pair place(reference, scope);
  if (std::ranges::find(visited_, place) != visited_.end()) return;
  visited_.push_back(place);
  auto visit_operands = [&] {
    if (reference->kind == ExpressionKind::selector) visit(as<compile::Selector>(reference).operand, scope);
    if (reference->kind == ExpressionKind::index) {
      visit(as<compile::Index>(reference).operand, scope);
      visit(as<compile::Index>(reference).index, scope);
    }
  };
  Scope* found = scope;
  auto up_to = [&](std::uint32_t up) {
    for (; up > 0 && found != nullptr; --up) found = found->up;
    return found != nullptr && found->node != nothing_;
  };
  if (reference->kind == ExpressionKind::clause_reference) {
    if (!up_to(as<compile::ClauseReference>(reference).up) || found->value == nullptr) return;
  }
  if (reference->kind == ExpressionKind::let_reference && !up_to(as<compile::LetReference>(reference).up)) return;
  Node* node = evaluator_.referred_node(reference, scope);
  if (node == nullptr || node == nothing_) {
    visit_operands();
    return;
  }
  if (node->not_rooted || node->is_dynamic || has_let_above(node)) {
    visit_conjuncts(node);
    visit_operands();
    return;
  }
  // The root of a package is not to be had, and what refers to itself can go on doing so.
  if (node == visiting_ || node->lazy_root || evaluator_.package_of(node)) return;
  const Node* top = node;
  while (top->parent != nullptr) top = top->parent;
  std::string_view import_path;
  if (top->lazy_root) {
    std::optional<std::uint32_t> package = with_imports_ ? evaluator_.package_of(top) : std::nullopt;
    if (!package) return;
    import_path = evaluator_.program().packages->package(*package)->path;
    if (!import_path.contains('.')) return;  // a standard package: what it has is more than CUE says of it
  }
  bool is_new = !by_node_.contains(node);
  Target& made = target(node);
  made.import_path = import_path.substr(0, import_path.find('@'));
  ++made.uses;
  by_reference_.try_emplace(reference, &made);
  if (is_new) {
    evaluator_.finalize(node);
    visit_conjuncts(node);
  }
}

}  // namespace opm::cue::exporting
