// What names a scope declares, and which declarations exclude each other.
#include <fmt/core.h>

#include <bit>

#include "cue/compile/compiler.h"
#include "cue/syntax/literal.h"

namespace opm::cue::compile {

using syntax::as;
using syntax::NodeKind;

namespace {

constexpr std::size_t kLinearBindings = 8;

bool is_blank(const syntax::Identifier* name) { return !name || name->name == "_"; }

std::size_t name_slot(base::Name name, std::size_t mask) {
  std::uint32_t hash = static_cast<std::uint32_t>(name) * 0x9E3779B1u;
  return (hash ^ (hash >> 15)) & mask;
}

}  // namespace

Scope* Compiler::push_scope(ScopeKind kind, std::size_t most_bindings) {
  Scope* scope = scratch_.make<Scope>();
  scope->kind = kind;
  scope->outer = scope_;
  scope->depth = scope_ ? scope_->depth + 1 : 0;
  scope->try_depth = try_depth_;
  scope->first_binding = static_cast<std::uint32_t>(bindings_.size());
  if (most_bindings > kLinearBindings) {
    scope->index = scratch_.make_array<std::uint32_t>(std::bit_ceil(most_bindings * 2));
  }
  scope_ = scope;
  return scope;
}

void Compiler::pop_scope(Scope* scope) {
  scope_ = scope->outer;
  for (std::size_t i = scope->first_binding; i < scope->first_binding + scope->binding_count; ++i) {
    const Binding& binding = bindings_[i];
    if (!binding.must_be_used || binding.used) continue;
    error(binding.position, "unused-name",
          fmt::format("unreferenced alias or let clause {}", names_.text(binding.name)));
  }
  bindings_.resize(scope->first_binding);
}

std::uint32_t Compiler::find_binding(const Scope& scope, base::Name name) const {
  if (scope.index.empty()) {
    for (std::uint32_t i = scope.first_binding; i < scope.first_binding + scope.binding_count; ++i) {
      if (bindings_[i].name == name) return i;
    }
    return kNoBinding;
  }
  std::size_t mask = scope.index.size() - 1;
  for (std::size_t slot = name_slot(name, mask); scope.index[slot] != 0; slot = (slot + 1) & mask) {
    std::uint32_t binding = scope.index[slot] - 1;
    if (bindings_[binding].name == name) return binding;
  }
  return kNoBinding;
}

// Adds a name to `scope`, which must be the innermost. False: it is in conflict with
// another (reported at `position`), or repeats a field.
bool Compiler::declare(Scope* scope, std::string_view text, Binding binding, Position position) {
  if (text.empty() || text == "_") return false;
  binding.name = names_.intern(text);
  const Scope* hiding = nullptr;
  for (const Scope* outer = scope; outer; outer = outer->outer) {
    if (outer->kind == ScopeKind::let_value && outer->hidden == binding.name) hiding = outer->outer;
    std::uint32_t found = outer == hiding ? kNoBinding : find_binding(*outer, binding.name);
    if (found == kNoBinding) continue;
    const Binding& existing = bindings_[found];
    if (existing.is_alias() != binding.is_alias()) {
      error(position, "name-conflict",
            fmt::format("cannot have both alias and field with name \"{}\" in same scope", text), Stage::declaration);
      return false;
    }
    if (outer != scope) break;
    if (existing.kind == BindingKind::import) return false;  // the import is what complains
    if (existing.is_unique() || binding.is_unique()) {
      error(position, "name-conflict", fmt::format("alias \"{}\" redeclared in same scope", text), Stage::declaration);
    }
    return false;
  }
  if (!scope->index.empty()) {
    std::size_t mask = scope->index.size() - 1;
    std::size_t slot = name_slot(binding.name, mask);
    while (scope->index[slot] != 0) slot = (slot + 1) & mask;
    scope->index[slot] = static_cast<std::uint32_t>(bindings_.size()) + 1;
  }
  bindings_.push_back(binding);
  ++scope->binding_count;
  return true;
}

const syntax::Node& Compiler::bare_label(const syntax::Field& field) {
  return field.label->kind == NodeKind::alias ? *as<syntax::Alias>(field.label)->value : *field.label;
}

// Whether the field is one that only evaluation can name, referred to by an alias.
bool Compiler::has_dynamic_alias(const syntax::Field& field) {
  NodeKind kind = bare_label(field).kind;
  if (kind == NodeKind::identifier || kind == NodeKind::basic_literal || kind == NodeKind::list_literal) return false;
  return field.label->kind == NodeKind::alias || (field.alias && !is_blank(field.alias->field_name));
}

// The label of an identifier or literal; invalid (and reported) if there is none.
Label Compiler::static_label(const syntax::Node& node) {
  if (node.kind == NodeKind::identifier) {
    std::string_view name = as<syntax::Identifier>(&node)->name;
    return name == "_" ? Label() : identifier_label(names_, name, package_path_);
  }
  if (node.kind != NodeKind::basic_literal) return {};
  const auto& literal = *as<syntax::BasicLiteral>(&node);
  switch (literal.token) {
    case syntax::Token::string: {
      auto text = syntax::unquote(scratch_, literal.text);
      if (text) return string_label(names_, *text);
      error(node.begin, "bad-label", fmt::format("invalid string label: {}", text.error().message));
      return {};
    }
    case syntax::Token::integer: {
      auto number = base::Number::parse_literal(scratch_, literal.text);
      auto value = number ? number->to_int64() : std::nullopt;
      if (value && *value >= 0 && *value <= Label::kMaxIndex) return Label::integer(static_cast<std::uint32_t>(*value));
      error(node.begin, "bad-label", fmt::format("invalid int label: {}", literal.text));
      return {};
    }
    case syntax::Token::floating:
      error(node.begin, "bad-label", fmt::format("float {} cannot be used as label", literal.text));
      return {};
    default: return string_label(names_, literal.text);
  }
}

void Compiler::check_reserved(const syntax::Identifier& name) {
  if (!name.name.starts_with("__")) return;
  error(name.begin, "reserved-name", "identifiers starting with '__' are reserved", Stage::declaration);
}

// Whether the aliases of a field are of the kind that the file's features allow.
void Compiler::check_aliases(const syntax::Field& field) {
  auto reject_old_style = [&](const syntax::Alias& alias) {
    check_reserved(*alias.name);
    if (!features_.alias_v2) return;
    error(alias.equal, "old-alias",
          "old-style alias syntax (=) is not allowed with @experiment(aliasv2); use postfix syntax (~X or ~(K,V))",
          Stage::declaration);
  };
  const syntax::Node& label = bare_label(field);
  if (field.label->kind == NodeKind::alias) reject_old_style(*as<syntax::Alias>(field.label));
  if (label.kind == NodeKind::list_literal) {
    const auto& pattern = *as<syntax::ListLiteral>(&label);
    if (pattern.elements.size() == 1 && pattern.elements[0]->kind == NodeKind::alias) {
      reject_old_style(*as<syntax::Alias>(pattern.elements[0]));
      if (field.alias) {
        error(field.begin, "two-aliases", "pattern constraint has both label alias and postfix alias",
              Stage::declaration);
      }
    }
  }
  if (field.value->kind == NodeKind::alias) reject_old_style(*as<syntax::Alias>(field.value));

  if (!field.alias) return;
  if (!features_.alias_v2) {
    error(field.alias->begin, "needs-experiment", "postfix alias syntax requires @experiment(aliasv2)",
          Stage::declaration);
    return;
  }
  if (field.label->kind == NodeKind::alias) {
    error(field.begin, "two-aliases", "field has both label alias and postfix alias", Stage::declaration);
  }
  if (field.alias->label_name) check_reserved(*field.alias->label_name);
  if (field.alias->field_name) check_reserved(*field.alias->field_name);
  if (!is_blank(field.alias->field_name) || !is_blank(field.alias->label_name)) return;
  error(field.alias->begin, "blank-alias",
        field.alias->label_name ? "both label and field in postfix alias cannot be the blank identifier"
                                : "single postfix alias \"_\" field cannot be the blank identifier",
        Stage::declaration);
}

void Compiler::declare_field_names(Scope* scope, const syntax::Field& field) {
  check_aliases(field);
  const syntax::Node& label = bare_label(field);
  bool is_pattern = label.kind == NodeKind::list_literal;
  bool is_static = label.kind == NodeKind::identifier || label.kind == NodeKind::basic_literal;
  Binding alias{.name = base::kNoName, .kind = is_static ? BindingKind::field_alias : BindingKind::dynamic_alias};
  alias.must_be_used = true;
  if (is_static) alias.label = static_label(label);

  auto declare_alias = [&](const syntax::Identifier& name, Position position, Position conflict) {
    if (name.name == "_") {
      error(name.begin, "blank-alias", "cannot use _ as alias or let clause");
      return;
    }
    alias.position = position;
    declare(scope, name.name, alias, conflict);
  };
  if (has_dynamic_alias(field)) alias.slot = scope->dynamic_aliases++;
  if (!is_pattern && field.label->kind == NodeKind::alias) {
    const auto& named = *as<syntax::Alias>(field.label);
    declare_alias(*named.name, named.begin, field.begin);
  }
  if (!is_pattern && field.alias && features_.alias_v2) {
    if (!is_blank(field.alias->label_name)) {
      Binding text{.name = base::kNoName, .kind = is_static ? BindingKind::label_text : BindingKind::dynamic_label};
      text.label = alias.label;
      text.position = field.alias->label_name->begin;
      declare(scope, field.alias->label_name->name, text, field.alias->label_name->begin);
    }
    if (!is_blank(field.alias->field_name)) {
      declare_alias(*field.alias->field_name, field.alias->begin, field.begin);
    }
  }
  if (label.kind == NodeKind::identifier) {
    const auto& name = *as<syntax::Identifier>(&label);
    check_reserved(name);
    if (name.name == "_") return;
    Binding binding{.name = base::kNoName, .kind = BindingKind::field};
    binding.label = alias.label;
    const syntax::Node& value =
        field.value->kind == NodeKind::alias ? *as<syntax::Alias>(field.value)->value : *field.value;
    declare(scope, name.name, binding, value.begin);
  }
}

void Compiler::declare_struct_names(Scope* scope, std::span<syntax::Declaration* const> declarations) {
  std::uint32_t slot = 0;
  for (const syntax::Declaration* declaration : declarations) {
    if (declaration->kind == NodeKind::field) {
      declare_field_names(scope, *as<syntax::Field>(declaration));
    } else if (declaration->kind == NodeKind::let_clause) {
      const auto& clause = *as<syntax::LetClause>(declaration);
      check_reserved(*clause.name);
      Binding binding{.name = base::kNoName, .kind = BindingKind::let};
      binding.must_be_used = true;
      binding.slot = slot++;
      binding.position = clause.begin;
      if (clause.name->name == "_") {
        error(clause.name->begin, "blank-alias", "cannot use _ as alias or let clause");
      } else {
        declare(scope, clause.name->name, binding, clause.begin);
      }
    }
  }
}

}  // namespace opm::cue::compile
