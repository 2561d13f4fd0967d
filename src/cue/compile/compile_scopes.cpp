// What names a scope declares, and which declarations exclude each other.
#include <fmt/core.h>

#include <algorithm>

#include "cue/compile/compiler.h"
#include "cue/syntax/literal.h"

namespace opm::cue::compile {

using syntax::as;
using syntax::NodeKind;

namespace {

bool is_blank(const syntax::Identifier* name) { return !name || name->name == "_"; }

}  // namespace

void BindingIndex::grow() {
  std::vector<Slot> before(std::max<std::size_t>(64, 2 * slots_.size()));
  before.swap(slots_);
  for (const Slot& slot : before) {
    if (slot.name != base::kNoName) slots_[place(slot.name)] = slot;
  }
}

Scope* Compiler::push_scope(ScopeKind kind) {
  Scope* scope = scratch_.make<Scope>();
  scope->kind = kind;
  scope->outer = scope_;
  scope->depth = scope_ ? scope_->depth + 1 : 0;
  scope->level = (scope_ ? scope_->level : 0) + (kind == ScopeKind::let_value ? 0 : 1);
  scope->try_depth = try_depth_;
  scope->first_binding = static_cast<std::uint32_t>(bindings_.size());
  stand_in(scope);
  return scope;
}

// From now on what is compiled stands there, wherever the compiler was.
void Compiler::stand_in(Scope* scope) {
  scope_ = scope;
  std::size_t length = scope ? scope->depth + 1 : 0;
  if (length == path_.size() + 1) path_.push_back(scope);
  else path_.resize(length);
  for (; scope && path_[scope->depth] != scope; scope = scope->outer) path_[scope->depth] = scope;
}

void Compiler::pop_scope(Scope* scope) {
  stand_in(scope->outer);
  for (std::size_t i = scope->first_binding; i < scope->first_binding + scope->binding_count; ++i) {
    const Binding& binding = bindings_[i];
    if (!binding.must_be_used || binding.used) continue;
    error(binding.position, "unused-name",
          fmt::format("unreferenced alias or let clause {}", names_.text(binding.name)));
  }
  for (; bindings_.size() > scope->first_binding; bindings_.pop_back()) newest_.at(bindings_.back().name) = bindings_.back().covered;
}

std::uint32_t Compiler::find_binding(const Scope& scope, base::Name name) const {
  std::uint32_t found = newest_.find(name);
  while (found != kNoBinding && bindings_[found].scope != &scope) found = bindings_[found].covered;
  return found;
}

// The innermost that is seen from where the compiler stands. Where the value of a let is compiled when it is first referred
// to, the bindings between the two are not.
std::uint32_t Compiler::first_visible(std::uint32_t newest, base::Name name) const {
  for (std::uint32_t found = newest; found != kNoBinding; found = bindings_[found].covered) {
    const Scope& scope = *bindings_[found].scope;
    if (scope.depth >= path_.size() || path_[scope.depth] != &scope) continue;
    const Scope* inner = scope.depth + 1 < path_.size() ? path_[scope.depth + 1] : nullptr;
    if (inner && inner->kind == ScopeKind::let_value && inner->hidden == name) continue;
    return found;
  }
  return kNoBinding;
}

// Adds a name to `scope`, which must be the innermost. False: it is in conflict with
// another (reported at `position`), or repeats a field.
bool Compiler::declare(Scope* scope, std::string_view text, Binding binding, Position position) {
  if (text.empty() || text == "_") return false;
  if (binding.name == base::kNoName) binding.name = names_.intern(text);
  std::uint32_t& newest = newest_.at(binding.name);
  std::uint32_t found = first_visible(newest, binding.name);
  if (found != kNoBinding) {
    const Binding& existing = bindings_[found];
    if (existing.is_alias() != binding.is_alias()) {
      error(position, "name-conflict",
            fmt::format("cannot have both alias and field with name \"{}\" in same scope", text), Stage::declaration);
      return false;
    }
    if (existing.scope == scope) {
      if (existing.kind == BindingKind::import) return false;  // the import is what complains
      if (existing.is_unique() || binding.is_unique()) {
        error(position, "name-conflict", fmt::format("alias \"{}\" redeclared in same scope", text), Stage::declaration);
      }
      return false;
    }
  }
  binding.scope = scope;
  binding.covered = std::exchange(newest, static_cast<std::uint32_t>(bindings_.size()));
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

// The label, unless it has to be evaluated.
Label Compiler::declare_field_names(Scope* scope, const syntax::Field& field) {
  bool is_plain = !field.alias && (field.label->kind == NodeKind::identifier || field.label->kind == NodeKind::basic_literal);
  if (!is_plain || field.value->kind == NodeKind::alias) check_aliases(field);
  const syntax::Node& node = bare_label(field);
  bool is_static = node.kind == NodeKind::identifier || node.kind == NodeKind::basic_literal;
  Label label = is_static ? static_label(node) : Label();
  if (!is_plain) declare_aliases(scope, field, label);
  if (node.kind == NodeKind::identifier) {
    const auto& name = *as<syntax::Identifier>(&node);
    check_reserved(name);
    if (name.name == "_") return label;
    Binding binding{.name = label.is_string() ? label.name() : base::kNoName, .kind = BindingKind::field};
    binding.label = label;
    const syntax::Node& value =
        field.value->kind == NodeKind::alias ? *as<syntax::Alias>(field.value)->value : *field.value;
    declare(scope, name.name, binding, value.begin);
  }
  return label;
}

// Those of the field itself, which the struct sees.
void Compiler::declare_aliases(Scope* scope, const syntax::Field& field, Label label) {
  NodeKind kind = bare_label(field).kind;
  bool is_pattern = kind == NodeKind::list_literal;
  bool is_static = kind == NodeKind::identifier || kind == NodeKind::basic_literal;
  Binding alias{.name = base::kNoName, .kind = is_static ? BindingKind::field_alias : BindingKind::dynamic_alias};
  alias.must_be_used = true;
  alias.label = label;

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
      text.label = label;
      text.position = field.alias->label_name->begin;
      declare(scope, field.alias->label_name->name, text, field.alias->label_name->begin);
    }
    if (!is_blank(field.alias->field_name)) {
      declare_alias(*field.alias->field_name, field.alias->begin, field.begin);
    }
  }
}

// The labels of all fields. The scope knows its lets then.
std::span<const Label> Compiler::declare_struct_names(Scope* scope, std::span<syntax::Declaration* const> declarations) {
  std::uint32_t slot = 0;
  std::span<Label> labels = scratch_.make_array<Label>(declarations.size());
  std::size_t fields = 0;
  for (const syntax::Declaration* declaration : declarations) {
    if (declaration->kind == NodeKind::field) {
      labels[fields++] = declare_field_names(scope, *as<syntax::Field>(declaration));
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
  scope->lets = scratch_.make_array<LetEntry>(slot);
  for (slot = 0; const syntax::Declaration* declaration : declarations) {
    if (slot == scope->lets.size()) break;
    if (declaration->kind == NodeKind::let_clause) scope->lets[slot++].clause = as<syntax::LetClause>(declaration);
  }
  return labels.first(fields);
}

}  // namespace opm::cue::compile
