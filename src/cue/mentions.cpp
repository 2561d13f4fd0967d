#include "cue/mentions.h"

#include <algorithm>
#include <set>
#include <utility>

#include "cue/program_parts.h"

namespace opm::cue {

namespace {

using compile::Expression;
using compile::ExpressionKind;
using compile::StructExpression;

class MentionWalk {
 public:
  explicit MentionWalk(const Program::Parts& parts) : parts_(parts) {}

  std::set<std::string> names;

  void visit(const PackageField& field) {
    wait_for(field.package, field.label);
    while (!waiting_.empty()) {
      auto [package, label] = waiting_.back();
      waiting_.pop_back();
      package_ = package;
      for (const StructExpression* file : parts_.packages.package(package)->files) {
        for (const compile::Field* declared : file->fields) {
          if (declared->label == label) visit(declared->value);
        }
      }
    }
  }

 private:
  template <typename T>
  static const T& to(const Expression* expression) {
    return *static_cast<const T*>(expression);
  }

  void mention(Label label) {
    if (label.is_definition() && !label.is_hidden()) names.emplace(label_text(parts_.names, label));
  }

  void wait_for(std::uint32_t package, Label label) {
    if (package >= parts_.packages.size() || parts_.packages.package(package) == nullptr) return;
    // What a file says beside its fields goes for any of them.
    if (packages_.insert(package).second) {
      std::uint32_t around = std::exchange(package_, package);
      for (const StructExpression* file : parts_.packages.package(package)->files) {
        for (const compile::Declaration& declaration : file->declarations) {
          if (declaration.kind != compile::DeclarationKind::field) visit(declaration.expression);
        }
      }
      package_ = around;
    }
    if (known_.emplace(package, label.bits).second) waiting_.emplace_back(package, label);
  }

  void visit(const Expression* expression) {
    if (expression == nullptr) return;
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
      case ExpressionKind::value_reference:
      case ExpressionKind::let_reference:  // lets are declarations of the structs that have them
      case ExpressionKind::builtin: return;
      case ExpressionKind::field_reference:
        // To one at the top of the package, or to one that is declared around it.
        return wait_for(package_, to<compile::FieldReference>(expression).label);
      case ExpressionKind::dynamic_reference: return visit(to<compile::DynamicReference>(expression).label);
      case ExpressionKind::import_reference: return visit_package(to<compile::ImportReference>(expression).package);
      case ExpressionKind::selector: {
        const auto& selector = to<compile::Selector>(expression);
        if (selector.operand->kind != ExpressionKind::import_reference) {
          mention(selector.label);
          return visit(selector.operand);
        }
        return wait_for(to<compile::ImportReference>(selector.operand).package, selector.label);
      }
      case ExpressionKind::structure:
        for (const compile::Declaration& declaration : to<StructExpression>(expression).declarations) visit(declaration.expression);
        return;
      case ExpressionKind::list:
        for (const Expression* element : to<compile::ListExpression>(expression).elements) visit(element);
        return;
      case ExpressionKind::ellipsis: return visit(to<compile::EllipsisExpression>(expression).type);
      case ExpressionKind::index:
        visit(to<compile::Index>(expression).operand);
        return visit(to<compile::Index>(expression).index);
      case ExpressionKind::slice:
        visit(to<compile::Slice>(expression).operand);
        visit(to<compile::Slice>(expression).low);
        return visit(to<compile::Slice>(expression).high);
      case ExpressionKind::interpolation:
        for (const Expression* part : to<compile::Interpolation>(expression).parts) visit(part);
        return;
      case ExpressionKind::bound: return visit(to<compile::Bound>(expression).operand);
      case ExpressionKind::unary: return visit(to<compile::Unary>(expression).operand);
      case ExpressionKind::binary:
        visit(to<compile::Binary>(expression).left);
        return visit(to<compile::Binary>(expression).right);
      case ExpressionKind::unify:
        visit(to<compile::Unify>(expression).left);
        return visit(to<compile::Unify>(expression).right);
      case ExpressionKind::disjunction:
        for (const compile::Disjunct& disjunct : to<compile::Disjunction>(expression).disjuncts) visit(disjunct.value);
        return;
      case ExpressionKind::call:
        visit(to<compile::Call>(expression).function);
        for (const Expression* argument : to<compile::Call>(expression).arguments) visit(argument);
        return;
      case ExpressionKind::open: return visit(to<compile::Open>(expression).operand);
      case ExpressionKind::alias: return visit(to<compile::AliasExpression>(expression).value);
      case ExpressionKind::comprehension: {
        const auto& comprehension = to<compile::Comprehension>(expression);
        for (const compile::Clause& clause : comprehension.clauses) visit(clause.expression);
        visit(comprehension.body);
        return visit(comprehension.fallback);
      }
      case ExpressionKind::field:
        mention(to<compile::Field>(expression).label);
        return visit(to<compile::Field>(expression).value);
      case ExpressionKind::pattern:
        visit(to<compile::Pattern>(expression).pattern);
        return visit(to<compile::Pattern>(expression).value);
      case ExpressionKind::dynamic_field:
        visit(to<compile::DynamicField>(expression).label);
        return visit(to<compile::DynamicField>(expression).value);
    }
  }

  // All that it has.
  void visit_package(std::uint32_t package) {
    if (package >= parts_.packages.size() || parts_.packages.package(package) == nullptr) return;
    for (const StructExpression* file : parts_.packages.package(package)->files) {
      for (const compile::Field* field : file->fields) wait_for(package, field->label);
    }
  }

  const Program::Parts& parts_;
  std::uint32_t package_ = 0;  // whose fields are visited
  std::set<std::uint32_t> packages_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> known_;
  std::vector<std::pair<std::uint32_t, Label>> waiting_;
};

}  // namespace

std::vector<std::string> mentioned_definitions(const Program& program, std::span<const PackageField> fields) {
  MentionWalk walk(program.parts());
  for (const PackageField& field : fields) walk.visit(field);
  return {walk.names.begin(), walk.names.end()};
}

}  // namespace opm::cue
