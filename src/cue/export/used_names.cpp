#include "cue/export/used_names.h"

#include "cue/compile/expression_parts.h"
#include "cue/compile/label.h"

namespace opm::cue::exporting {

using compile::ExpressionKind;
using compile::to;

namespace {

class Collector {
 public:
  Collector(const base::NameTable& names, const SourceText& text, NameSet& found) : names_(names), text_(text), found_(found) {}

  void visit(const compile::Expression* expression) {
    if (expression == nullptr) return;
    switch (expression->kind) {
      case ExpressionKind::comprehension: return visit_comprehension(to<compile::Comprehension>(expression));
      case ExpressionKind::dynamic_reference: return;
      case ExpressionKind::field: add(to<compile::Field>(expression).label); break;
      case ExpressionKind::field_reference: add(to<compile::FieldReference>(expression).label); break;
      case ExpressionKind::value_reference: found_.emplace(to<compile::ValueReference>(expression).name); break;
      case ExpressionKind::import_reference:
        found_.emplace(to<compile::ImportReference>(expression).path);
        found_.emplace(to<compile::ImportReference>(expression).name);
        break;
      case ExpressionKind::builtin: {
        const compile::BuiltinSignature& builtin = *to<compile::BuiltinExpression>(expression).builtin;
        if (builtin.package.empty()) break;
        found_.emplace(builtin.package);
        found_.emplace(builtin.package.substr(builtin.package.rfind('/') + 1));
        found_.emplace(builtin.name);
        break;
      }
      case ExpressionKind::selector: add(to<compile::Selector>(expression).label); break;
      default: break;
    }
    compile::each_part(expression, [&](const compile::Expression* part, std::uint32_t) { visit(part); });
  }

 private:
  void add(Label label) {
    if (label.valid() && !label.is_integer() && !label.is_hidden()) found_.emplace(label_text(names_, label));
  }

  // What a loop runs over counts as around it.
  void visit_comprehension(const compile::Comprehension& comprehension) {
    for (const compile::Clause& clause : comprehension.clauses) {
      if (clause.kind == compile::ClauseKind::if_) {
        visit(clause.expression);
        continue;
      }
      auto [key, name] = text_.clause_names_at(clause.position);
      found_.emplace(key);
      found_.emplace(name);
      if (clause.kind != compile::ClauseKind::for_) visit(clause.expression);
    }
    visit(comprehension.body);
    visit(comprehension.fallback);
  }

  const base::NameTable& names_;
  const SourceText& text_;
  NameSet& found_;
};

}  // namespace

void collect_names(const compile::Expression* expression, const base::NameTable& names, const SourceText& text, NameSet& found) {
  Collector(names, text, found).visit(expression);
}

}  // namespace opm::cue::exporting
