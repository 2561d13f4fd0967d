// Which fields a task may add to what it is a task of, as far as that can be told without running it.
#include <algorithm>

#include "cue/eval/evaluator.h"
#include "cue/eval/missing_part.h"

namespace opm::cue::eval {

using compile::ExpressionKind;

namespace {

bool makes_other_fields(const compile::StructExpression& body, Label label) {
  if (body.find(label) != nullptr) return false;
  if (!body.has_embedding) return true;
  return std::ranges::all_of(body.declarations, [&](const compile::Declaration& declaration) {
    if (declaration.kind == compile::DeclarationKind::comprehension) {
      const auto& inner = *static_cast<const compile::Comprehension*>(declaration.expression);
      return inner.fallback == nullptr && makes_other_fields(*inner.body, label);
    }
    if (declaration.kind != compile::DeclarationKind::embedding) return true;
    return declaration.expression->kind == ExpressionKind::structure &&
           makes_other_fields(*static_cast<const compile::StructExpression*>(declaration.expression), label);
  });
}

bool names_field(const compile::StructExpression& body, Label label) {
  if (body.find(label) != nullptr) return true;
  return body.has_embedding && std::ranges::any_of(body.declarations, [&](const compile::Declaration& declaration) {
    if (declaration.kind == compile::DeclarationKind::comprehension) {
      return names_field(*static_cast<const compile::Comprehension*>(declaration.expression)->body, label);
    }
    return declaration.kind == compile::DeclarationKind::embedding && declaration.expression->kind == ExpressionKind::structure &&
           names_field(*static_cast<const compile::StructExpression*>(declaration.expression), label);
  });
}

// What is written as a scalar, or gives one, adds no fields.
bool is_never_struct(const Expression& written) {
  return written.kind <= ExpressionKind::bytes || written.kind == ExpressionKind::interpolation || written.kind == ExpressionKind::bound ||
         written.kind == ExpressionKind::unary || written.kind == ExpressionKind::binary;
}

}  // namespace

bool makes_other_fields(const Task& task, Label label) {
  if (task.kind != TaskKind::comprehension) return false;
  return makes_other_fields(*static_cast<const compile::Comprehension*>(task.expression)->body, label);
}

bool names_field(const Task& task, Label label) {
  if (task.kind != TaskKind::comprehension) return false;
  return names_field(*static_cast<const compile::Comprehension*>(task.expression)->body, label);
}

bool Evaluator::body_may_contribute(const compile::StructExpression& body, std::span<const Label> path) const {
  Label label = path.front();
  if (label.is_regular() && (body.has_dynamic || body.has_pattern)) return true;
  for (const compile::Field* field = body.find(label); field != nullptr;
       field = field->next_same == 0 ? nullptr : body.fields[field->next_same]) {
    if (path.size() == 1) return true;
    if (is_never_struct(*field->value)) continue;
    if (field->value->kind != ExpressionKind::structure) return true;
    if (body_may_contribute(*static_cast<const compile::StructExpression*>(field->value), path.subspan(1))) return true;
  }
  if (!body.has_embedding) return false;
  for (const compile::Declaration& declaration : body.declarations) {
    if (declaration.kind == compile::DeclarationKind::embedding) {
      if (declaration.expression->kind == ExpressionKind::list && !label.is_integer()) continue;
      if (declaration.expression->kind != ExpressionKind::structure) return true;
      if (body_may_contribute(*static_cast<const compile::StructExpression*>(declaration.expression), path)) return true;
    } else if (declaration.kind == compile::DeclarationKind::comprehension) {
      const auto& inner = *static_cast<const compile::Comprehension*>(declaration.expression);
      if (body_may_contribute(*inner.body, path)) return true;
      if (inner.fallback != nullptr && body_may_contribute(*inner.fallback, path)) return true;
    }
  }
  return false;
}

bool Evaluator::may_contribute(const Task& task, std::span<const Label> path) const {
  switch (task.kind) {
    case TaskKind::comprehension: {
      const auto& comprehension = *static_cast<const compile::Comprehension*>(task.expression);
      if (body_may_contribute(*comprehension.body, path)) return true;
      return comprehension.fallback != nullptr && body_may_contribute(*comprehension.fallback, path);
    }
    case TaskKind::dynamic_field:
    case TaskKind::pattern:
      return path.front().is_regular();
    case TaskKind::list:
    case TaskKind::list_node:
      return path.front().is_integer();
    case TaskKind::evaluate:
      if (task.expression->kind == ExpressionKind::call) {
        const Expression* function = static_cast<const compile::Call*>(task.expression)->function;
        if (function->kind != ExpressionKind::builtin) return true;
        const Builtin& builtin = builtin_of(function);
        return builtin.takes_conjuncts || (builtin.result & kinds::composite) != 0;
      }
      return !is_never_struct(*task.expression);
    case TaskKind::resolve:
      return true;
  }
  return true;
}

}  // namespace opm::cue::eval
