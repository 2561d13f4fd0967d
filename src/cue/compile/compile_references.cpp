// What an identifier means: the innermost declaration that is visible, else a
// top-level field of the package, else something predeclared.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/suggestion.h"
#include "cue/compile/compiler.h"
#include "cue/compile/features.h"

namespace opm::cue::compile {

namespace {

constexpr KindSet kNoKind = kinds::bottom;

KindSet basic_kind(std::string_view name) {
  if (name == "string") return kinds::string;
  if (name == "bytes") return kinds::bytes;
  if (name == "bool") return kinds::boolean;
  if (name == "int") return kinds::integer;
  if (name == "float") return kinds::floating;
  if (name == "number") return kinds::number;
  return kNoKind;
}

struct SizedNumber {
  std::string_view name;
  bool is_int;
  std::string_view least;
  std::string_view most;  // empty: none
};

constexpr std::array kSizedNumbers = {
    SizedNumber{"rune", true, "0", "1114111"},
    SizedNumber{"int8", true, "-128", "127"},
    SizedNumber{"int16", true, "-32768", "32767"},
    SizedNumber{"int32", true, "-2147483648", "2147483647"},
    SizedNumber{"int64", true, "-9223372036854775808", "9223372036854775807"},
    SizedNumber{"int128", true, "-170141183460469231731687303715884105728", "170141183460469231731687303715884105727"},
    SizedNumber{"uint", true, "0", ""},
    SizedNumber{"uint8", true, "0", "255"},
    SizedNumber{"uint16", true, "0", "65535"},
    SizedNumber{"uint32", true, "0", "4294967295"},
    SizedNumber{"uint64", true, "0", "18446744073709551615"},
    SizedNumber{"uint128", true, "0", "340282366920938463463374607431768211455"},
    SizedNumber{"float32", false, "-3.40282346638528859811704183484516925440e+38",
                "3.40282346638528859811704183484516925440e+38"},
    SizedNumber{"float64", false, "-1.797693134862315708145274237317043567981e+308",
                "1.797693134862315708145274237317043567981e+308"},
};

// Functions of the language that older language versions lack.
struct AddedFunction {
  std::string_view name;
  std::string_view version;
};
constexpr std::array kAddedFunctions = {AddedFunction{"error", "v0.14.0"}};

constexpr std::array<std::string_view, 19> kSuggestedNames = {
    "string", "bytes", "bool",   "int",     "float", "number", "len", "close", "and", "or",
    "div",    "mod",   "quo",    "rem",     "error", "matchN", "matchIf", "uint", "rune"};

}  // namespace

const Expression* Compiler::compile_identifier(const syntax::Identifier& identifier) {
  if (identifier.name == "_") return make<TopExpression>(ExpressionKind::top, identifier);
  base::Name name = names_.intern(identifier.name);
  if (pattern_scope_) check_pattern_reference(identifier, name);

  std::uint32_t up = scope_ ? scope_->level : 0;
  if (std::uint32_t found = find_visible(name); found != kNoBinding) {
    Scope* scope = path_[bindings_[found].scope->depth];
    return refer(identifier, scope, up - scope->level, found);
  }
  if (auto found = package_names_->find(name); found != package_names_->end() && up > 0) {
    return field_reference(identifier, up - 1, found->second);
  }
  if (is_root_expression_) {
    if (const Expression* import = inferred_import(identifier)) return import;
  }
  if (const Expression* known = predeclared(identifier)) return known;
  if (is_root_expression_ && root_is_dynamic_) {
    return field_reference(identifier, up - 1, identifier_label(names_, identifier.name, package_path_));
  }
  return not_found(identifier);
}

const Expression* Compiler::field_reference(const syntax::Identifier& identifier, std::uint32_t up, Label label) {
  auto* reference = make<FieldReference>(ExpressionKind::field_reference, identifier);
  reference->up = up;
  set_label(reference->label, label);
  reference->refers_to_definition = label.is_definition();
  return reference;
}

const Expression* Compiler::refer(const syntax::Identifier& identifier, Scope* scope, std::uint32_t up,
                                  std::uint32_t number) {
  bindings_[number].used = true;
  const Binding binding = bindings_[number];  // a copy: compiling a let may move the table
  switch (binding.kind) {
    case BindingKind::field:
    case BindingKind::field_alias: return field_reference(identifier, up, binding.label);
    case BindingKind::import: return import_reference(identifier, imports_[binding.slot]);
    case BindingKind::let: return refer_let(identifier, scope, up, binding);
    case BindingKind::dynamic_alias: {
      bool is_compiled = binding.slot < scope->dynamic_labels.size() && scope->dynamic_labels[binding.slot];
      if (!is_compiled) return fail(identifier, "cyclic-alias", "cyclic reference in field alias");
      auto* reference = make<DynamicReference>(ExpressionKind::dynamic_reference, identifier);
      reference->up = up;
      reference->label = scope->dynamic_labels[binding.slot];
      reference->name = names_.text(binding.name);
      return reference;
    }
    case BindingKind::label_text: {
      if (!binding.label.is_string()) {
        error(binding.position, "bad-alias", "label alias cannot reference definition or hidden field");
        return make<BottomExpression>(ExpressionKind::bottom, identifier);
      }
      auto* text = make<StringExpression>(ExpressionKind::string, identifier);
      text->value = label_text(names_, binding.label);
      return text;
    }
    case BindingKind::dynamic_label:
      return fail(identifier, "bad-alias",
                  fmt::format("label alias \"{}\" is only visible in the value of its field", identifier.name));
    case BindingKind::scope_label: {
      auto* reference = make<LabelReference>(ExpressionKind::label_reference, identifier);
      reference->up = up;
      reference->name = names_.text(binding.name);
      return reference;
    }
    case BindingKind::scope_node:
    case BindingKind::value_alias: {
      auto* reference = make<ValueReference>(ExpressionKind::value_reference, identifier);
      reference->up = up;
      reference->name = names_.text(binding.name);
      return reference;
    }
    case BindingKind::for_key:
    case BindingKind::for_value: {
      auto* reference = make<ClauseReference>(ExpressionKind::clause_reference, identifier);
      reference->up = up;
      reference->variable = binding.kind == BindingKind::for_key ? ClauseVariable::key : ClauseVariable::value;
      reference->name = names_.text(binding.name);
      return reference;
    }
    case BindingKind::clause_let: {
      auto* reference = make<LetReference>(ExpressionKind::let_reference, identifier);
      reference->up = up;
      reference->slot = 0;
      reference->name = names_.text(binding.name);
      return reference;
    }
  }
  return nullptr;
}

const Expression* Compiler::refer_let(const syntax::Identifier& identifier, Scope* scope, std::uint32_t up,
                                      const Binding& binding) {
  LetEntry& entry = scope->lets[binding.slot];
  if (entry.progress == Progress::running) {
    ++let_cycles_;
    return fail(identifier, "cyclic-let", "cyclic references in let clause or alias");
  }
  if (entry.progress == Progress::pending) {
    // Lets may stand in any order, so the value is compiled when first needed.
    entry.progress = Progress::running;
    const Expression* value = compile_let_value(scope, entry);
    entry.value = value;
    entry.progress = Progress::done;
  }
  auto* reference = make<LetReference>(ExpressionKind::let_reference, identifier);
  reference->up = up;
  reference->slot = binding.slot;
  reference->name = names_.text(binding.name);
  return reference;
}

const Expression* Compiler::import_reference(const syntax::Identifier& identifier, ImportEntry& entry) {
  entry.used = true;
  if (!entry.target) {
    return fail(identifier, "import-not-found", fmt::format("import \"{}\" not found", entry.path));
  }
  auto* reference = make<ImportReference>(ExpressionKind::import_reference, identifier);
  reference->package = entry.target->package;
  reference->name = kept_text(identifier.name);
  reference->path = kept_text(entry.path);
  return reference;
}

// In an expression of the command line, `strings.ToUpper(x)` needs no import.
const Expression* Compiler::inferred_import(const syntax::Identifier& identifier) {
  for (std::string_view folder : {"", "encoding/", "crypto/", "text/", "path/"}) {
    std::string path = fmt::format("{}{}", folder, identifier.name);
    const ImportTarget* target = environment_.import(path);
    if (!target || !target->is_standard || target->name != identifier.name) continue;
    ImportEntry entry{nullptr, target, target->path};
    return import_reference(identifier, entry);
  }
  return nullptr;
}

const Expression* Compiler::predeclared(const syntax::Identifier& identifier) {
  std::string_view name = identifier.name;
  bool reserved_form = name.starts_with("__");
  if (reserved_form) name.remove_prefix(2);

  if (KindSet kind = basic_kind(name); kind != kNoKind) {
    auto* type = make<BasicTypeExpression>(ExpressionKind::basic_type, identifier);
    type->kinds = kind;
    return type;
  }
  if (const Expression* sized = sized_number(identifier, name)) return sized;
  if (name == "self") return self_reference(identifier);

  const BuiltinSignature* builtin = environment_.builtin("", name);
  if (!builtin && reserved_form) builtin = environment_.builtin("", identifier.name);
  if (!builtin) return nullptr;
  for (const AddedFunction& added : kAddedFunctions) {
    if (added.name != name || version_at_least(language_version_, added.version)) continue;
    return fail(identifier, "not-in-version",
                fmt::format("builtin \"{}\" is not available in version {}; it was added in version \"{}\"", name,
                            language_version_, added.version));
  }
  auto* expression = make<BuiltinExpression>(ExpressionKind::builtin, identifier);
  expression->builtin = builtin;
  return expression;
}

// A bound that no source text stands for.
const Expression* Compiler::number_bound(Operator op, std::string_view number) {
  auto* value = arena_.make<NumberExpression>();
  value->kind = ExpressionKind::number;
  value->features = features_;
  bool negative = number.starts_with('-');
  value->value = *base::Number::parse_literal(arena_, negative ? number.substr(1) : number);
  if (negative) value->value = base::Number::negate(arena_, value->value);
  auto* bound = arena_.make<Bound>();
  bound->kind = ExpressionKind::bound;
  bound->features = features_;
  bound->op = op;
  bound->operand = value;
  return bound;
}

// uint8 and the like: a conjunction whose text is the name, and whose parts have none.
const Expression* Compiler::sized_number(const syntax::Identifier& identifier, std::string_view name) {
  const auto* sized = std::ranges::find(kSizedNumbers, name, &SizedNumber::name);
  if (sized == kSizedNumbers.end()) return nullptr;
  auto* range = make<Unify>(ExpressionKind::unify, identifier);
  range->right = number_bound(Operator::greater_equal, sized->least);
  if (!sized->is_int) {
    range->left = range->right;
    range->right = number_bound(Operator::less_equal, sized->most);
    return range;
  }
  auto* type = arena_.make<BasicTypeExpression>();
  type->kind = ExpressionKind::basic_type;
  type->features = features_;
  type->kinds = kinds::integer;
  range->left = type;
  if (sized->most.empty()) return range;
  auto* lower = arena_.make<Unify>();
  lower->kind = ExpressionKind::unify;
  lower->features = features_;
  lower->left = range->left;
  lower->right = range->right;
  range->left = lower;
  range->right = number_bound(Operator::less_equal, sized->most);
  return range;
}

// The struct or list literal around; a list has a scope of its own if someone asks for it.
const Expression* Compiler::self_reference(const syntax::Identifier& identifier) {
  if (!features_.alias_v2) {
    return fail(identifier, "needs-experiment",
                fmt::format("predeclared identifier \"{}\" requires @experiment(aliasv2)", identifier.name));
  }
  std::uint32_t up = 0;
  for (const Scope* scope = scope_; scope; scope = scope->outer) {
    if (scope->kind == ScopeKind::let_value) continue;
    if (scope->kind == ScopeKind::structure || scope->is_list) break;
    ++up;
  }
  auto* reference = make<ValueReference>(ExpressionKind::value_reference, identifier);
  reference->up = up;
  reference->name = kept_text(identifier.name);
  return reference;
}

const Expression* Compiler::not_found(const syntax::Identifier& identifier) {
  diag::Diagnostic& problem =
      error(identifier.begin, "reference-not-found", fmt::format("reference \"{}\" not found", identifier.name));
  std::string closest = closest_name(identifier.name);
  if (!closest.empty()) problem.advice = fmt::format("did you mean \"{}\"?", closest);
  return make<BottomExpression>(ExpressionKind::bottom, identifier);
}

std::string Compiler::closest_name(std::string_view name) const {
  // Advice is worth little after the first few, and every one looks at all names.
  constexpr std::size_t kMostAdvice = 20;
  if (errors_.size() > kMostAdvice) return {};
  base::Suggestion suggestion(name);
  for (const Scope* scope = scope_; scope; scope = scope->outer) {
    for (std::uint32_t i = 0; i < scope->binding_count; ++i) {
      suggestion.consider(names_.text(bindings_[scope->first_binding + i].name));
    }
  }
  // The table has no order of its own, and advice must not depend on chance.
  std::vector<std::string_view> others;
  for (const auto& [other, label] : *package_names_) others.push_back(names_.text(other));
  std::ranges::sort(others);
  for (std::string_view other : others) suggestion.consider(other);
  for (std::string_view predeclared_name : kSuggestedNames) suggestion.consider(predeclared_name);
  for (const SizedNumber& sized : kSizedNumbers) suggestion.consider(sized.name);
  return std::string(suggestion.best());
}

// A pattern may not mention the fields that it would be matched against.
void Compiler::check_pattern_reference(const syntax::Identifier& identifier, base::Name name) {
  for (const Scope* scope = pattern_scope_; scope && !scope->in_value; scope = scope->outer) {
    if (scope->kind == ScopeKind::let_value) return;
    if (find_binding(*scope, name) == kNoBinding) continue;
    error(identifier.begin, "pattern-reference",
          fmt::format("reference \"{}\" in label expression refers to field against which it would be matched",
                      identifier.name),
          Stage::declaration);
  }
}

}  // namespace opm::cue::compile
