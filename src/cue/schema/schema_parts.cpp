// What keywords say about lists and objects.
#include <fmt/core.h>

#include <algorithm>

#include "cue/eval/regular_expression.h"
#include "cue/schema/schema_reader.h"
#include "cue/syntax/literal.h"

namespace opm::cue::schema {

using namespace syntax;  // NOLINT: everything here makes its nodes

namespace {

// More than this many elements are counted rather than written down.
constexpr std::uint64_t kMaxWritten = 32;

// The name of a field as data has it; nothing for patterns and embeddings.
std::optional<std::string> field_name(base::Arena& arena, const Declaration* declaration) {
  if (declaration->kind != NodeKind::field) return std::nullopt;
  const Node* label = as<Field>(declaration)->label;
  if (label->kind == NodeKind::alias) label = as<Alias>(label)->value;
  if (label->kind == NodeKind::identifier) return std::string(as<Identifier>(label)->name);
  if (label->kind != NodeKind::basic_literal) return std::nullopt;
  auto name = unquote(arena, as<BasicLiteral>(label)->text);
  if (!name) return std::nullopt;
  return std::string(*name);
}

}  // namespace

// ---- lists ----

void SchemaReader::set_rest(Draft& draft, Expression* element) {
  bool is_refused = element->kind == NodeKind::call && as<Call>(element)->function->kind == NodeKind::identifier &&
                    as<Identifier>(as<Call>(element)->function)->name == "error";
  if (is_refused) draft.prefix_is_all = true;
  else if (!is_top(element)) draft.rest = element;
}

void SchemaReader::on_items(Draft& draft, const std::string& keyword, const data::Value& value) {
  if (value.is_list()) {
    if (draft.version == Version::draft2020_12 || draft.version == Version::openapi_3_0) {
      fail(value, "from version https://json-schema.org/draft/2020-12/schema onwards, the value of \"items\" must be an "
                  "object or a boolean");
      return;
    }
    draft.items_is_list = true;
    return on_prefix_items(draft, keyword, value);
  }
  if (!value.is_map() && !value.is_bool()) return;
  Expression* element = schema_of(draft, value);
  draft.has_items = true;
  if (draft.has_prefix) return set_rest(draft, element);
  Expression* rest[] = {make_.ellipsis(element)};
  add(draft, Core::list, value, make_.list(rest));
}

void SchemaReader::on_prefix_items(Draft& draft, const std::string& keyword, const data::Value& value) {
  if (!value.is_list()) {
    fail(value, "value of \"prefixItems\" must be an array");
    return;
  }
  for (const data::Value* item : items_of(keyword, value, true)) draft.prefix.push_back(schema_of(draft, *item));
  draft.has_prefix = true;
  draft.prefix_node = &value;
}

void SchemaReader::on_additional_items(Draft& draft, const std::string&, const data::Value& value) {
  Expression* element = nullptr;
  if (value.is_bool()) element = boolean_schema(value.as_bool(), position_of(value));
  else if (value.is_map()) element = schema_of(draft, value);
  else fail(value, "value of \"additionalItems\" must be an object or boolean");
  if (element != nullptr && draft.has_prefix && draft.items_is_list) set_rest(draft, element);
}

void SchemaReader::on_min_contains(Draft& draft, const std::string&, const data::Value& value) {
  draft.min_contains = count_of(value);
  if (!draft.min_contains) fail(value, "value of \"minContains\" must be a non-negative integer value");
}

void SchemaReader::on_max_contains(Draft& draft, const std::string&, const data::Value& value) {
  draft.max_contains = count_of(value);
  if (!draft.max_contains) fail(value, "value of \"maxContains\" must be a non-negative integer value");
}

void SchemaReader::on_contains(Draft& draft, const std::string&, const data::Value& value) {
  Expression* element = schema_of(draft, value);
  auto bound = [&](Token op, std::uint64_t count) { return make_.unary(op, make_.number(std::to_string(count))); };
  Expression* count = bound(Token::greater_equal, draft.min_contains.value_or(1));
  if (draft.max_contains) count = make_.conjunction({count, bound(Token::less_equal, *draft.max_contains)});
  add(draft, Core::list, value, call_imported("list", "MatchN", {count, element}, position_of(value)));
}

void SchemaReader::on_min_items(Draft& draft, const std::string&, const data::Value& value) {
  auto count = count_of(value);
  if (!count) {
    fail(value, "invalid uint");
    return;
  }
  if (*count > kMaxWritten)
    return add(draft, Core::list, value,
               call_imported("list", "MinItems", {count_expression(value)}, position_of(value)));
  std::vector<Expression*> elements;
  for (std::uint64_t i = 0; i < *count; ++i) elements.push_back(make_.identifier("_"));
  elements.push_back(make_.ellipsis(nullptr));
  add(draft, Core::list, value, make_.list(elements));
}

void SchemaReader::on_max_items(Draft& draft, const std::string&, const data::Value& value) {
  add(draft, Core::list, value, call_imported("list", "MaxItems", {count_expression(value)}, position_of(value)));
}

void SchemaReader::on_unique_items(Draft& draft, const std::string&, const data::Value& value) {
  if (flag_of(value)) add(draft, Core::list, value, call_imported("list", "UniqueItems", {}, position_of(value)));
}

// ---- objects ----

void SchemaReader::start_object(Draft& draft, const data::Value& node) {
  if (draft.has_object) return;
  draft.has_object = true;
  draft.object_node = &node;
}

void SchemaReader::on_properties(Draft& draft, const std::string&, const data::Value& value) {
  start_object(draft, value);
  if (!value.is_map()) {
    fail(value, fmt::format("\"properties\" expected an object, found {}", type_name(value)));
    return;
  }
  for (const data::Member& member : value.as_map()) {
    auto [expression, summary] = schema(draft, member.value, kAllTypes);
    Field* field = make_.data_field(member.key, Constraint::optional, expression);
    field->begin = field->label->begin = position_of(member.value);
    std::string comment = comment_of(summary);
    if (!comment.empty()) {
      make_.document(*field, comment);
      if (!draft.object.empty()) field->comments.back()->comments[0].spacing = Spacing::new_section;
    }
    if (summary.deprecated) {
      Attribute* attributes[] = {make_.attribute("@deprecated()")};
      if (expression->kind == NodeKind::struct_literal) {
        Field* marked = make_.data_field(member.key, Constraint::none, make_.identifier("_"));
        marked->constraint = Constraint::optional;
        marked->attributes = make_.copy(std::span<Attribute* const>(attributes));
        draft.object.push_back(marked);
      } else {
        field->attributes = make_.copy(std::span<Attribute* const>(attributes));
      }
    }
    draft.object.push_back(field);
  }
}

void SchemaReader::on_pattern_properties(Draft& draft, const std::string&, const data::Value& value) {
  if (!value.is_map()) {
    fail(value, fmt::format("value of \"patternProperties\" must be an object, found {}", type_name(value)));
    return;
  }
  start_object(draft, value);
  for (const data::Member& member : value.as_map()) {
    if (!is_pattern(member.value, member.key)) continue;
    // additionalProperties are those that no pattern is for.
    draft.patterns.push_back(make_.unary(Token::not_match, make_.quoted(member.key)));
    Declaration* made = make_.pattern(make_.unary(Token::match, make_.quoted(member.key)), schema_of(draft, member.value));
    made->spacing = Spacing::new_section;
    draft.object.push_back(made);
  }
}

void SchemaReader::on_additional_properties(Draft& draft, const std::string&, const data::Value& value) {
  if (value.is_bool()) {
    draft.openness = value.as_bool() ? Openness::open : Openness::closed;
    start_object(draft, value);
    return;
  }
  if (!value.is_map()) {
    fail(value, "value of \"additionalProperties\" must be an object or boolean");
    return;
  }
  start_object(draft, value);
  draft.openness = Openness::covered;
  if (draft.object.empty()) {
    Expression* any[] = {make_.identifier("string")};
    draft.object.push_back(make_.field(make_.list(any), Constraint::none, schema_of(draft, value)));
    return;
  }
  std::vector<Expression*> others = draft.patterns;
  std::string names;
  for (const Declaration* declaration : draft.object) {
    auto name = field_name(make_.arena(), declaration);
    if (!name || name->empty()) continue;
    if (!names.empty()) names += '|';
    names += eval::RegularExpression::quote(*name);
  }
  others.push_back(make_.unary(Token::not_match, make_.quoted("^(" + names + ")$")));
  draft.object.push_back(make_.pattern(make_.conjunction(others), schema_of(draft, value)));
}

void SchemaReader::on_property_names(Draft& draft, const std::string&, const data::Value& value) {
  Expression* names = schema(draft, value, kString).first;
  if (is_top(names)) return;
  Expression* pattern[] = {names};
  Declaration* fields[] = {make_.field(make_.list(pattern), Constraint::none, make_.identifier("_"))};
  add(draft, Core::object, value, make_.structure(fields));
}

void SchemaReader::on_required(Draft& draft, const std::string& keyword, const data::Value& value) {
  if (!value.is_list()) {
    fail(value, fmt::format("value of \"required\" must be list of strings, found {}", type_name(value)));
    return;
  }
  start_object(draft, value);
  std::map<std::string, Field*> fields;
  for (Declaration* declaration : draft.object) {
    if (auto name = field_name(make_.arena(), declaration)) fields[*name] = as<Field>(declaration);
  }
  for (const data::Value* item : items_of(keyword, value, true)) {
    auto name = text_of(*item);
    if (!name) continue;
    Field*& field = fields[*name];
    if (field == nullptr) {
      field = make_.data_field(*name, Constraint::required, make_.identifier("_"));
      field->begin = field->label->begin = position_of(*item);
      draft.object.push_back(field);
      continue;
    }
    if (field->constraint == Constraint::required) fail(*item, "duplicate required field " + quote(*name));
    field->constraint = Constraint::required;
  }
}

// A field that is looked for, and what follows from its presence: `x?: _, if x != _|_ {...}`.
void SchemaReader::on_dependencies(Draft& draft, const std::string& keyword, const data::Value& value) {
  bool takes_schemas = keyword != "dependentRequired";
  bool takes_names = keyword != "dependentSchemas";
  if (!value.is_map()) {
    fail(value, fmt::format("{} expected an object, found {}", quote(keyword), type_name(value)));
    return;
  }
  start_object(draft, value);
  int count = 0;
  for (const data::Member& member : value.as_map()) {
    const data::Value& dependency = member.value;
    std::vector<Declaration*> consequence;
    if (dependency.is_list() && takes_names) {
      for (const data::Value& item : dependency.as_list()) {
        if (auto name = text_of(item))
          consequence.push_back(make_.data_field(*name, Constraint::required, make_.identifier("_")));
      }
    } else if ((dependency.is_map() || dependency.is_bool()) && takes_schemas) {
      consequence = declarations_of(schema_of(draft, dependency));
    } else {
      fail(dependency, fmt::format("expected {} but got {}", takes_schemas ? "schema" : "list of names", type_name(dependency)));
      continue;
    }
    bool is_plain = is_valid_identifier(member.key) && quote_label(member.key) == member.key;
    std::string name = is_plain ? member.key : fmt::format("_t{}", count++);
    Node* label = is_plain ? static_cast<Node*>(make_.identifier(name)) : make_.alias(name, make_.quoted(member.key));
    draft.object.push_back(make_.field(label, Constraint::optional, make_.identifier("_")));
    auto* clause = make_.make<IfClause>(NodeKind::if_clause);
    clause->condition = make_.binary(Token::not_equal, make_.identifier(name), make_.bottom(""));
    auto* comprehension = make_.make<Comprehension>(NodeKind::comprehension);
    Clause* clauses[] = {clause};
    comprehension->clauses = make_.copy(std::span<Clause* const>(clauses));
    comprehension->body = make_.structure(consequence);
    comprehension->begin = clause->begin = position_of(dependency);
    draft.object.push_back(comprehension);
  }
  // A comprehension alone would allow values that are no structs.
  draft.object.push_back(make_.embedding(make_.structure({})));
}

void SchemaReader::on_min_properties(Draft& draft, const std::string&, const data::Value& value) {
  add(draft, Core::object, value, call_imported("struct", "MinFields", {count_expression(value)}, position_of(value)));
}

void SchemaReader::on_max_properties(Draft& draft, const std::string&, const data::Value& value) {
  add(draft, Core::object, value, call_imported("struct", "MaxFields", {count_expression(value)}, position_of(value)));
}

}  // namespace opm::cue::schema
