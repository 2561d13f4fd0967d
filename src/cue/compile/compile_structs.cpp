#include <fmt/core.h>

#include <algorithm>

#include "cue/compile/compiler.h"
#include "cue/compile/data_expression.h"
#include "cue/compile/label_table.h"
#include "cue/syntax/literal.h"

namespace opm::cue::compile {

using syntax::as;
using syntax::NodeKind;

namespace {

FieldKind field_kind(syntax::Constraint constraint) {
  switch (constraint) {
    case syntax::Constraint::none: return FieldKind::member;
    case syntax::Constraint::optional: return FieldKind::optional;
    case syntax::Constraint::required: return FieldKind::required;
  }
  return FieldKind::member;
}

bool is_blank(const syntax::Identifier* name) { return !name || name->name == "_"; }

}  // namespace

std::span<const std::uint32_t> link_fields(base::Arena& arena, std::span<Field* const> fields) {
  if (fields.size() <= kLinearFields) {
    for (std::uint32_t i = 1; i < fields.size(); ++i) {
      for (std::uint32_t before = i; before-- > 0;) {
        if (fields[before]->label != fields[i]->label) continue;
        fields[before]->next_same = i;
        break;
      }
    }
    return {};
  }
  std::vector<std::uint32_t> last(fields.size());  // by first field: the last one linked so far
  auto table = arena.make_array<std::uint32_t>(label_table_size(fields.size()));
  std::size_t mask = table.size() - 1;
  for (std::uint32_t i = 0; i < fields.size(); ++i) {
    std::size_t slot = label_slot(fields[i]->label, mask);
    while (table[slot] != 0 && fields[table[slot] - 1]->label != fields[i]->label) slot = (slot + 1) & mask;
    if (table[slot] == 0) {
      table[slot] = i + 1;
      last[i] = i;
    } else {
      std::uint32_t first = table[slot] - 1;
      fields[last[first]]->next_same = i;
      last[first] = i;
    }
  }
  return table;
}

const StructExpression* Compiler::compile_struct(const syntax::Node& node,
                                                 std::span<syntax::Declaration* const> declarations, bool is_file) {
  StructParts parts(arena_, declarations.size());
  parts.structure = make<StructExpression>(ExpressionKind::structure, node);
  parts.structure->is_file = is_file;
  Scope* scope = parts.scope = push_scope(ScopeKind::structure);
  if (is_file) declare_imports();
  parts.labels = declare_struct_names(scope, declarations);

  // Labels that aliases refer to come first, so that any field may use the alias.
  scope->dynamic_labels = scratch_.make_array<const Expression*>(scope->dynamic_aliases);
  if (scope->dynamic_aliases > 0) {
    for (std::size_t slot = 0; const syntax::Declaration* declaration : declarations) {
      if (declaration->kind != NodeKind::field || !has_dynamic_alias(*as<syntax::Field>(declaration))) continue;
      scope->dynamic_labels[slot] = compile(bare_label(*as<syntax::Field>(declaration)));
      ++slot;
    }
  }
  bool is_divided = threads_ > 1 && compile_in_parts(parts, declarations);
  if (!is_divided) {
    for (const syntax::Declaration* declaration : declarations) compile_declaration(parts, *declaration);
  }
  pop_scope(scope);
  return finish_struct(parts.structure, parts);
}

// A table of labels that will be others is made later.
std::span<const std::uint32_t> Compiler::link(StructExpression* structure, std::span<Field* const> fields) {
  bool is_young_table = fields.size() > kLinearFields &&
                        std::ranges::any_of(fields, [&](const Field* field) { return is_young(field->label); });
  if (!is_young_table) return link_fields(arena_, fields);
  young_tables_.emplace_back(structure, std::vector(fields.begin(), fields.end()));
  return {};
}

const StructExpression* Compiler::finish_struct(StructExpression* structure, StructParts& parts) {
  structure->declarations = parts.declarations.all();
  structure->attributes = arena_.copy(parts.attributes);
  structure->table = link(structure, parts.fields.all());
  structure->fields = parts.fields.all();
  if (std::span<LetEntry> entries = parts.scope->lets; !entries.empty()) {
    auto lets = arena_.make_array<const Expression*>(entries.size());
    auto let_names = arena_.make_array<std::string_view>(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      lets[i] = entries[i].value;
      let_names[i] = kept_text(entries[i].clause->name->name);
    }
    structure->lets = lets;
    structure->let_names = let_names;
  }
  structure->only_fields =
      !structure->has_embedding && !structure->has_dynamic && !structure->has_pattern && !structure->ellipsis;
  return structure;
}

void Compiler::compile_declaration(StructParts& parts, const syntax::Declaration& declaration) {
  StructExpression& structure = *parts.structure;
  auto embed = [&](const syntax::Node& expression) {
    structure.has_embedding = true;
    parts.declarations.push_back({DeclarationKind::embedding, compile(expression)});
  };
  switch (declaration.kind) {
    case NodeKind::field: compile_field(parts, *as<syntax::Field>(&declaration)); break;
    case NodeKind::let_clause: compile_let_declaration(parts, *as<syntax::LetClause>(&declaration)); break;
    case NodeKind::comprehension:
      structure.has_embedding = true;
      parts.declarations.push_back(
          {DeclarationKind::comprehension, compile_comprehension(*as<syntax::Comprehension>(&declaration))});
      break;
    case NodeKind::ellipsis: {
      const EllipsisExpression* ellipsis = compile_ellipsis(*as<syntax::Ellipsis>(&declaration));
      structure.ellipsis = ellipsis;
      parts.declarations.push_back({DeclarationKind::ellipsis, ellipsis});
      break;
    }
    case NodeKind::attribute: {
      const auto& attribute = *as<syntax::Attribute>(&declaration);
      parts.attributes.push_back({attribute.text, declaration.begin});
      if (const data::Value* embedded = environment_.embedded(attribute)) {
        structure.has_embedding = true;
        parts.declarations.push_back({DeclarationKind::embedding, compile_data(declaration, *embedded)});
      }
      break;
    }
    case NodeKind::embedding: {
      const syntax::Node& expression = *as<syntax::Embedding>(&declaration)->expression;
      if (expression.kind == NodeKind::alias) {
        fail(expression, "old-alias", "old-style alias no longer supported: use let clause; use cue fix to update.");
      } else {
        embed(expression);
      }
      break;
    }
    case NodeKind::import_declaration:
    case NodeKind::package:
    case NodeKind::comment_declaration: break;
    case NodeKind::bad_declaration: fail(declaration, "bad-expression", "invalid declaration"); break;
    default: embed(declaration); break;
  }
}

void Compiler::compile_field(StructParts& parts, const syntax::Field& field) {
  const syntax::Node& label = bare_label(field);
  bool is_known = parts.next_label < parts.labels.size();
  Label known = is_known ? parts.labels[parts.next_label++] : Label();
  switch (label.kind) {
    case NodeKind::identifier:
    case NodeKind::basic_literal: return compile_static_field(parts, field, is_known ? known : static_label(label));
    case NodeKind::list_literal: return compile_pattern(parts, field);
    case NodeKind::parenthesis:
    case NodeKind::interpolation: return compile_dynamic_field(parts, field);
    default: fail(*field.label, "bad-label", "alias expression is not a valid label");
  }
}

// The value of a field in the scope that is current, with the scope of its alias if it has one.
const Expression* Compiler::compile_field_value(const syntax::Field& field) {
  if (field.value->kind != NodeKind::alias) return compile(*field.value);
  const auto& named = *as<syntax::Alias>(field.value);
  // What is wrong with the alias itself is told of the struct, not of the field.
  Scope* structure = scope_;
  while (structure->kind != ScopeKind::structure) structure = structure->outer;
  const syntax::Node* step = std::exchange(structure->step, nullptr);
  Scope* scope = push_scope(ScopeKind::alias);
  scope->in_value = true;
  Binding binding{.name = base::kNoName, .kind = BindingKind::value_alias};
  binding.must_be_used = true;
  binding.position = named.begin;
  if (named.name->name == "_") {
    error(named.name->begin, "blank-alias", "cannot use _ as alias or let clause");
  } else {
    declare(scope, named.name->name, binding, named.begin);
  }
  auto* alias = make<AliasExpression>(ExpressionKind::alias, named);
  structure->step = step;
  alias->value = compile(*named.value);
  structure->step = nullptr;
  pop_scope(scope);
  structure->step = step;
  return alias;
}

void Compiler::compile_static_field(StructParts& parts, const syntax::Field& source, Label label) {
  parts.scope->step = &source;
  parts.scope->in_value = true;
  const Expression* value = compile_field_value(source);
  parts.scope->in_value = false;
  parts.scope->step = nullptr;

  if (!label.valid()) {
    bool is_blank_label = bare_label(source).kind == NodeKind::identifier;
    if (is_blank_label) fail(source, "bad-label", "cannot use _ as label");
    return;
  }
  auto* field = make<Field>(ExpressionKind::field, source);
  field->position = source.label->begin;
  set_label(field->label, label);
  field->field_kind = field_kind(source.constraint);
  if (field->field_kind != FieldKind::member) parts.structure->has_required_or_optional = true;
  field->value = value;
  if (!source.attributes.empty()) {
    field->attributes = attributes_of(source.attributes);
    field->value = with_embedded(source, source.attributes, value);
  }
  if (!source.comments.empty()) field->documentation = documentation_of(source);
  parts.fields.push_back(field);
  parts.declarations.push_back({DeclarationKind::field, field});
}

const Expression* Compiler::compile_data(const syntax::Node& node, const data::Value& data) {
  if (first_young_ == ~std::uint32_t{0}) return data_expression(arena_, names_, data);
  is_unfit_ = true;
  return make<BottomExpression>(ExpressionKind::bottom, node);
}

// What @embed attributes of a field bring in is unified with its value.
const Expression* Compiler::with_embedded(const syntax::Node& node, std::span<syntax::Attribute* const> attributes,
                                          const Expression* value) {
  for (const syntax::Attribute* attribute : attributes) {
    const data::Value* embedded = environment_.embedded(*attribute);
    if (!embedded) continue;
    auto* both = make<Unify>(ExpressionKind::unify, node);
    both->left = value;
    both->right = compile_data(node, *embedded);
    value = both;
  }
  return value;
}

void Compiler::compile_pattern(StructParts& parts, const syntax::Field& source) {
  const auto& label = *as<syntax::ListLiteral>(&bare_label(source));
  if (label.elements.size() != 1) {
    fail(source, "bad-label", "square bracket must have exactly one element");
    return;
  }
  parts.structure->has_pattern = true;
  auto* pattern = make<Pattern>(ExpressionKind::pattern, source);
  pattern->position = source.label->begin;
  pattern->attributes = attributes_of(source.attributes);

  const syntax::Node* condition = label.elements[0];
  const syntax::Alias* label_alias = condition->kind == NodeKind::alias ? as<syntax::Alias>(condition) : nullptr;
  const syntax::Alias* node_alias = source.label->kind == NodeKind::alias ? as<syntax::Alias>(source.label) : nullptr;
  const syntax::PostfixAlias* postfix = features_.alias_v2 ? source.alias : nullptr;
  if (label_alias) condition = label_alias->value;
  pattern->label_scope = label_alias || node_alias || postfix;

  // The aliases exist while the pattern itself is compiled too, so that a reference to
  // them is known to be wrong there; but the scope is only there for the value.
  Scope* scope = push_scope(ScopeKind::label);
  if (node_alias) {
    Binding binding{.name = base::kNoName, .kind = BindingKind::scope_node};
    binding.must_be_used = true;
    binding.position = node_alias->begin;
    declare(scope, node_alias->name->name, binding, source.begin);
  }
  if (label_alias) {
    Binding binding{.name = base::kNoName, .kind = BindingKind::scope_label};
    declare(scope, label_alias->name->name, binding, label_alias->value->begin);
  } else if (postfix) {
    if (!is_blank(postfix->label_name)) {
      Binding binding{.name = base::kNoName, .kind = BindingKind::scope_label};
      declare(scope, postfix->label_name->name, binding, postfix->label_name->begin);
    }
    if (!is_blank(postfix->field_name)) {
      Binding binding{.name = base::kNoName, .kind = BindingKind::scope_node};
      binding.must_be_used = true;
      binding.position = postfix->begin;
      declare(scope, postfix->field_name->name, binding, source.begin);
    }
  }
  stand_in(scope->outer);
  const Scope* outer_pattern = std::exchange(pattern_scope_, scope);
  pattern->pattern = compile(*condition);
  pattern_scope_ = outer_pattern;

  stand_in(pattern->label_scope ? scope : scope->outer);
  parts.scope->step = &source;
  scope->in_value = true;
  parts.scope->in_value = true;
  pattern->value = with_embedded(source, source.attributes, compile_field_value(source));
  parts.scope->in_value = false;
  parts.scope->step = nullptr;
  pop_scope(scope);
  parts.declarations.push_back({DeclarationKind::pattern, pattern});
}

void Compiler::compile_dynamic_field(StructParts& parts, const syntax::Field& source) {
  parts.structure->has_dynamic = true;
  auto* field = make<DynamicField>(ExpressionKind::dynamic_field, source);
  field->position = source.label->begin;
  field->field_kind = field_kind(source.constraint);
  field->attributes = attributes_of(source.attributes);
  field->label =
      has_dynamic_alias(source) ? parts.scope->dynamic_labels[parts.next_dynamic++] : compile(bare_label(source));

  field->label_scope = features_.alias_v2 && source.alias && !is_blank(source.alias->label_name);
  Scope* scope = nullptr;
  parts.scope->step = &source;
  parts.scope->in_value = true;
  if (field->label_scope) {
    scope = push_scope(ScopeKind::label);
    scope->in_value = true;
    Binding binding{.name = base::kNoName, .kind = BindingKind::scope_label};
    declare(scope, source.alias->label_name->name, binding, source.alias->label_name->begin);
  }
  field->value = with_embedded(source, source.attributes, compile_field_value(source));
  if (scope) pop_scope(scope);
  parts.scope->in_value = false;
  parts.scope->step = nullptr;
  parts.declarations.push_back({DeclarationKind::dynamic, field});
}

void Compiler::compile_let_declaration(StructParts& parts, const syntax::LetClause&) {
  LetEntry& entry = parts.scope->lets[parts.next_let++];
  if (entry.progress == Progress::pending) {
    // A cycle is told at the reference that closes it when one starts from a reference to
    // a let; so the declaration alone does not count as a start. It costs compiling values
    // in a cycle twice, which nesting multiplies, so there is an end to it.
    if (let_cycles_ >= kMostLetCycles) entry.progress = Progress::running;
    const Expression* value = compile_let_value(parts.scope, entry);
    if (entry.progress != Progress::done) entry.value = value;
    entry.progress = Progress::done;
  }
  parts.declarations.push_back({DeclarationKind::let, entry.value});
}

// The value of a let of `scope`, compiled as it stands there, wherever the compiler is.
const Expression* Compiler::compile_let_value(Scope* scope, LetEntry& entry) {
  Scope* current_scope = scope_;
  stand_in(scope);
  const Scope* outer_pattern = std::exchange(pattern_scope_, nullptr);
  const syntax::Node* outer_step = std::exchange(scope->step, entry.clause);
  unsigned outer_try = std::exchange(try_depth_, scope->try_depth);
  Scope* value_scope = push_scope(ScopeKind::let_value);
  value_scope->hidden = names_.intern(entry.clause->name->name);
  value_scope->in_value = true;
  const Expression* value = compile(*entry.clause->value);
  pop_scope(value_scope);
  try_depth_ = outer_try;
  scope->step = outer_step;
  pattern_scope_ = outer_pattern;
  stand_in(current_scope);
  return value;
}

std::span<const Attribute> Compiler::attributes_of(std::span<syntax::Attribute* const> attributes) {
  auto copies = arena_.make_array<Attribute>(attributes.size());
  for (std::size_t i = 0; i < copies.size(); ++i) copies[i] = {attributes[i]->text, attributes[i]->begin};
  return copies;
}

std::span<const std::string_view> Compiler::documentation_of(const syntax::Node& node) {
  std::vector<std::string_view> lines;
  for (const syntax::CommentGroup* group : node.comments) {
    if (!group->is_doc) continue;
    for (const syntax::Comment& comment : group->comments) lines.push_back(comment.text);
  }
  return arena_.copy(lines);
}

}  // namespace opm::cue::compile
