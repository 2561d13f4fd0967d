#include "cue/export/used_names.h"

#include "cue/compile/label.h"

namespace opm::cue::exporting {

using compile::ExpressionKind;

namespace {

template <typename T>
const T& as(const compile::Expression* expression) {
  return *static_cast<const T*>(expression);
}

class Collector {
 public:
  Collector(const base::NameTable& names, const SourceText& text, NameSet& found) : names_(names), text_(text), found_(found) {}

  void visit(const compile::Expression* expression) {
    if (expression == nullptr) return;
    switch (expression->kind) {
      case ExpressionKind::field:
        add(as<compile::Field>(expression).label);
        visit(as<compile::Field>(expression).value);
        break;
      case ExpressionKind::pattern:
        visit(as<compile::Pattern>(expression).pattern);
        visit(as<compile::Pattern>(expression).value);
        break;
      case ExpressionKind::dynamic_field:
        visit(as<compile::DynamicField>(expression).label);
        visit(as<compile::DynamicField>(expression).value);
        break;
      case ExpressionKind::structure:
        for (const compile::Declaration& declaration : as<compile::StructExpression>(expression).declarations) {
          visit(declaration.expression);
        }
        break;
      case ExpressionKind::list:
        for (const compile::Expression* element : as<compile::ListExpression>(expression).elements) visit(element);
        break;
      case ExpressionKind::ellipsis: visit(as<compile::EllipsisExpression>(expression).type); break;
      case ExpressionKind::comprehension: visit_comprehension(as<compile::Comprehension>(expression)); break;
      case ExpressionKind::field_reference: add(as<compile::FieldReference>(expression).label); break;
      case ExpressionKind::value_reference: found_.emplace(as<compile::ValueReference>(expression).name); break;
      case ExpressionKind::import_reference:
        found_.emplace(as<compile::ImportReference>(expression).path);
        found_.emplace(as<compile::ImportReference>(expression).name);
        break;
      case ExpressionKind::builtin: {
        const compile::BuiltinSignature& builtin = *as<compile::BuiltinExpression>(expression).builtin;
        if (builtin.package.empty()) break;
        found_.emplace(builtin.package);
        found_.emplace(builtin.package.substr(builtin.package.rfind('/') + 1));
        found_.emplace(builtin.name);
        break;
      }
      case ExpressionKind::selector:
        visit(as<compile::Selector>(expression).operand);
        add(as<compile::Selector>(expression).label);
        break;
      case ExpressionKind::index:
        visit(as<compile::Index>(expression).operand);
        visit(as<compile::Index>(expression).index);
        break;
      case ExpressionKind::slice:
        visit(as<compile::Slice>(expression).operand);
        visit(as<compile::Slice>(expression).low);
        visit(as<compile::Slice>(expression).high);
        break;
      case ExpressionKind::interpolation:
        for (const compile::Expression* part : as<compile::Interpolation>(expression).parts) visit(part);
        break;
      case ExpressionKind::alias: visit(as<compile::AliasExpression>(expression).value); break;
      case ExpressionKind::open: visit(as<compile::Open>(expression).operand); break;
      case ExpressionKind::bound: visit(as<compile::Bound>(expression).operand); break;
      case ExpressionKind::unary: visit(as<compile::Unary>(expression).operand); break;
      case ExpressionKind::binary:
        visit(as<compile::Binary>(expression).left);
        visit(as<compile::Binary>(expression).right);
        break;
      case ExpressionKind::unify:
        visit(as<compile::Unify>(expression).left);
        visit(as<compile::Unify>(expression).right);
        break;
      case ExpressionKind::call:
        visit(as<compile::Call>(expression).function);
        for (const compile::Expression* argument : as<compile::Call>(expression).arguments) visit(argument);
        break;
      case ExpressionKind::disjunction:
        for (const compile::Disjunct& disjunct : as<compile::Disjunction>(expression).disjuncts) visit(disjunct.value);
        break;
      default: break;
    }
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
