#include <fmt/core.h>

#include "cue/compile/compiler.h"

namespace opm::cue::compile {

using syntax::as;
using syntax::NodeKind;

namespace {

std::string_view fallback_keyword(const syntax::FallbackClause& clause) {
  switch (clause.keyword) {
    case syntax::Token::fallback: return "fallback";
    case syntax::Token::otherwise: return "otherwise";
    default: return "else";
  }
}

}  // namespace

bool Compiler::check_clauses(const syntax::Comprehension& node) {
  if (node.clauses.empty()) {
    fail(node, "bad-clause", "comprehension value without clauses");
    return false;
  }
  if (node.clauses[0]->kind == NodeKind::let_clause) {
    fail(node, "bad-clause", "first comprehension clause must be 'if' or 'for'");
    return false;
  }
  for (std::size_t i = 0; i + 1 < node.clauses.size(); ++i) {
    if (node.clauses[i]->kind != NodeKind::try_clause || as<syntax::TryClause>(node.clauses[i])->name) continue;
    fail(*node.clauses[i], "bad-clause", "struct-form try clause must be the last clause in a comprehension");
    return false;
  }
  return true;
}

// Compiles a clause and pushes its scope, if it has one. False: it can't be used at all.
bool Compiler::compile_clause(const syntax::Clause& node, std::vector<Clause>& clauses, std::vector<Scope*>& scopes) {
  if (scope_->depth >= 2 * kMaxDepth) {
    too_deep(node);
    return false;
  }
  Clause clause{};
  clause.position = node.begin;
  auto bind = [&](const syntax::Identifier& name, BindingKind kind) {
    check_reserved(name);
    Binding binding{.name = base::kNoName, .kind = kind};
    declare(scopes.back(), name.name, binding, name.begin);
  };
  auto push = [&] {
    scopes.push_back(push_scope(ScopeKind::clause));
    scopes.back()->step = &node;
  };
  switch (node.kind) {
    case NodeKind::for_clause: {
      const auto& source = *as<syntax::ForClause>(&node);
      clause.kind = ClauseKind::for_;
      clause.expression = compile(*source.source);
      clause.pushes_scope = true;
      push();
      if (source.key) bind(*source.key, BindingKind::for_key);
      // `for x, x in y`: the value is what x means.
      if (source.value) {
        std::uint32_t key = find_binding(*scopes.back(), names_.intern(source.value->name));
        if (key != kNoBinding) {
          bindings_[key].kind = BindingKind::for_value;
        } else {
          bind(*source.value, BindingKind::for_value);
        }
      }
      break;
    }
    case NodeKind::if_clause:
      clause.kind = ClauseKind::if_;
      clause.expression = compile(*as<syntax::IfClause>(&node)->condition);
      break;
    case NodeKind::let_clause: {
      const auto& source = *as<syntax::LetClause>(&node);
      clause.kind = ClauseKind::let;
      clause.expression = compile(*source.value);
      clause.pushes_scope = true;
      push();
      bind(*source.name, BindingKind::clause_let);
      break;
    }
    case NodeKind::try_clause: {
      const auto& source = *as<syntax::TryClause>(&node);
      if (!features_.try_clause) {
        fail(node, "needs-experiment", "try clause requires the try experiment (language version v0.16.0 or later)");
        return false;
      }
      clause.kind = ClauseKind::try_;
      if (source.name) {
        ++try_depth_;
        clause.expression = compile(*source.value);
        --try_depth_;
        clause.pushes_scope = true;
        push();
        bind(*source.name, BindingKind::clause_let);
      }
      break;
    }
    default: fail(node, "bad-clause", "invalid comprehension clause"); return false;
  }
  clauses.push_back(clause);
  return true;
}

const Expression* Compiler::compile_comprehension(const syntax::Comprehension& node) {
  if (!check_clauses(node)) return make<BottomExpression>(ExpressionKind::bottom, node);
  Scope* outer = scope_;
  std::vector<Clause> clauses;
  std::vector<Scope*> scopes;
  bool usable = true;
  for (const syntax::Clause* clause : node.clauses) {
    usable = usable && compile_clause(*clause, clauses, scopes);
  }
  auto* comprehension = make<Comprehension>(ExpressionKind::comprehension, node);
  if (usable) {
    bool is_try_body = clauses.back().kind == ClauseKind::try_ && !clauses.back().expression;
    try_depth_ += is_try_body ? 1 : 0;
    comprehension->body = compile_struct(*node.body, node.body->elements, false);
    try_depth_ -= is_try_body ? 1 : 0;
  }
  for (std::size_t i = clauses.size(); i-- > 0;) {
    if (!clauses[i].pushes_scope) continue;
    Scope* scope = scopes.back();
    for (std::uint32_t binding = 0; binding < scope->binding_count; ++binding) {
      const Binding& variable = bindings_[scope->first_binding + binding];
      if (variable.kind == BindingKind::for_key && variable.used) clauses[i].has_key = true;
      if (variable.kind == BindingKind::for_value && variable.used) clauses[i].has_value = true;
    }
    scopes.pop_back();
    pop_scope(scope);
  }
  stand_in(outer);
  if (!usable) return make<BottomExpression>(ExpressionKind::bottom, node);
  comprehension->clauses = arena_.copy(clauses);
  if (!node.fallback) return comprehension;

  // What stands instead does not see the variables of the clauses.
  if (!features_.try_clause) {
    error(node.fallback->begin, "needs-experiment",
          fmt::format("{} requires @experiment(try)", fallback_keyword(*node.fallback)), Stage::declaration);
    return comprehension;
  }
  comprehension->fallback = compile_struct(*node.fallback->body, node.fallback->body->elements, false);
  return comprehension;
}

}  // namespace opm::cue::compile
