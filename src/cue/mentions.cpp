#include "cue/mentions.h"

#include <algorithm>
#include <set>
#include <utility>

#include "cue/compile/expression_parts.h"
#include "cue/program_parts.h"

namespace opm::cue {

namespace {

using compile::Expression;
using compile::ExpressionKind;
using compile::StructExpression;
using compile::to;

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
      case ExpressionKind::field_reference:
        // To one at the top of the package, or to one that is declared around it.
        return wait_for(package_, to<compile::FieldReference>(expression).label);
      case ExpressionKind::import_reference: return visit_package(to<compile::ImportReference>(expression).package);
      case ExpressionKind::selector: {
        const auto& selector = to<compile::Selector>(expression);
        if (selector.operand->kind == ExpressionKind::import_reference)
          return wait_for(to<compile::ImportReference>(selector.operand).package, selector.label);
        mention(selector.label);
        break;
      }
      case ExpressionKind::field: mention(to<compile::Field>(expression).label); break;
      default: break;  // lets are declarations of the structs that have them
    }
    compile::each_part(expression, [&](const Expression* part, std::uint32_t) { visit(part); });
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
