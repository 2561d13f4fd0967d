// What keywords say about values of any type, numbers and text.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "cue/eval/regular_expression.h"
#include "cue/schema/schema_reader.h"
#include "cue/syntax/literal.h"

namespace opm::cue::schema {

using namespace syntax;  // NOLINT: everything here makes its nodes

namespace {

constexpr unsigned bit(Version version) { return static_cast<unsigned>(version); }
constexpr unsigned kDrafts = 31, kOpenApi = 32, kEverywhere = 63;
constexpr unsigned kFrom6 = 30, kFrom7 = 28, kFrom2019 = 24, kFrom2020 = 16, kUpTo2019 = 15;

}  // namespace

const std::map<std::string_view, SchemaReader::Keyword>& SchemaReader::keywords() {
  using R = SchemaReader;
  static const std::map<std::string_view, Keyword> table = {
      {"$anchor", {1, kFrom2019, &R::on_unsupported}},
      {"$comment", {2, kFrom7, &R::on_ignored}},
      {"$defs", {2, kDrafts, &R::on_definitions}},
      {"$dynamicAnchor", {1, kFrom2020, &R::on_unsupported}},
      {"$dynamicRef", {1, kFrom2020, &R::on_unsupported}},
      {"$id", {1, kFrom6, &R::on_id}},
      {"$recursiveAnchor", {1, kFrom2019, &R::on_unsupported}},
      {"$recursiveRef", {1, kFrom2019, &R::on_unsupported}},
      {"$ref", {2, kEverywhere, &R::on_reference}},
      {"$schema", {0, kDrafts, &R::on_schema}},
      {"$vocabulary", {1, kFrom2019, &R::on_unsupported}},
      {"additionalItems", {4, kUpTo2019, &R::on_additional_items}},
      {"additionalProperties", {4, kEverywhere, &R::on_additional_properties}},
      {"allOf", {3, kEverywhere, &R::on_all_of}},
      {"anyOf", {3, kEverywhere, &R::on_any_of}},
      {"const", {2, kFrom6, &R::on_const}},
      {"contains", {2, kFrom6, &R::on_contains}},
      {"contentEncoding", {2, kFrom7, &R::on_ignored}},
      {"contentMediaType", {2, kFrom7, &R::on_ignored}},
      {"contentSchema", {1, kFrom2019, &R::on_unsupported}},
      {"default", {2, kEverywhere, &R::on_ignored}},
      {"definitions", {2, kDrafts, &R::on_definitions}},
      {"dependencies", {2, kDrafts, &R::on_dependencies}},
      {"dependentRequired", {1, kFrom2019, &R::on_dependencies}},
      {"dependentSchemas", {1, kFrom2019, &R::on_dependencies}},
      {"deprecated", {2, kFrom2019 | kOpenApi, &R::on_deprecated}},
      {"description", {2, kEverywhere, &R::on_description}},
      {"discriminator", {1, kOpenApi, &R::on_unsupported}},
      {"else", {1, kFrom7, &R::on_condition}},
      {"enum", {2, kEverywhere, &R::on_enum}},
      {"example", {1, kOpenApi, &R::on_unsupported}},
      {"examples", {2, kFrom6, &R::on_examples}},
      {"exclusiveMaximum", {2, kEverywhere, &R::on_exclusive_maximum}},
      {"exclusiveMinimum", {2, kEverywhere, &R::on_exclusive_minimum}},
      {"externalDocs", {1, kOpenApi, &R::on_unsupported}},
      {"format", {1, kEverywhere, &R::on_format}},
      {"id", {1, bit(Version::draft4), &R::on_id}},
      {"if", {1, kFrom7, &R::on_condition}},
      {"items", {2, kEverywhere, &R::on_items}},
      {"maxContains", {1, kFrom2019, &R::on_max_contains}},
      {"maxItems", {2, kEverywhere, &R::on_max_items}},
      {"maxLength", {2, kEverywhere, &R::on_max_length}},
      {"maxProperties", {2, kEverywhere, &R::on_max_properties}},
      {"maximum", {3, kEverywhere, &R::on_maximum}},
      {"minContains", {1, kFrom2019, &R::on_min_contains}},
      {"minItems", {2, kEverywhere, &R::on_min_items}},
      {"minLength", {2, kEverywhere, &R::on_min_length}},
      {"minProperties", {1, kEverywhere, &R::on_min_properties}},
      {"minimum", {3, kEverywhere, &R::on_minimum}},
      {"multipleOf", {2, kEverywhere, &R::on_multiple_of}},
      {"not", {3, kEverywhere, &R::on_not}},
      {"nullable", {2, kOpenApi, &R::on_nullable}},
      {"oneOf", {3, kEverywhere, &R::on_one_of}},
      {"pattern", {2, kEverywhere, &R::on_pattern}},
      {"patternProperties", {3, kDrafts, &R::on_pattern_properties}},
      {"prefixItems", {1, kFrom2020, &R::on_prefix_items}},
      {"properties", {2, kEverywhere, &R::on_properties}},
      {"propertyNames", {2, kFrom6, &R::on_property_names}},
      {"readOnly", {1, kFrom7 | kOpenApi, &R::on_unsupported}},
      {"required", {3, kEverywhere, &R::on_required}},
      {"then", {1, kFrom7, &R::on_condition}},
      {"title", {2, kEverywhere, &R::on_title}},
      {"type", {2, kEverywhere, &R::on_type}},
      {"unevaluatedItems", {1, kFrom2019, &R::on_unsupported}},
      {"unevaluatedProperties", {1, kFrom2019, &R::on_unsupported}},
      {"uniqueItems", {2, kEverywhere, &R::on_unique_items}},
      {"writeOnly", {1, kFrom7 | kOpenApi, &R::on_unsupported}},
      {"xml", {1, kOpenApi, &R::on_unsupported}},
  };
  return table;
}

// ---- helpers ----

void SchemaReader::add(Draft& draft, Core type, const data::Value& node, Expression* constraint) {
  if (is_top(constraint)) return;
  constraint->begin = position_of(node);
  draft.of(type).constraints.push_back(constraint);
}

void SchemaReader::add_for_all(Draft& draft, const data::Value& node, Expression* constraint) {
  if (is_top(constraint)) return;
  constraint->begin = position_of(node);
  draft.all.push_back(constraint);
}

std::optional<std::string> SchemaReader::text_of(const data::Value& node) {
  if (node.is_string()) return node.as_string();
  fail(node, "invalid string");
  return std::nullopt;
}

bool SchemaReader::flag_of(const data::Value& node) {
  if (node.is_bool()) return node.as_bool();
  fail(node, "invalid bool");
  return false;
}

// Whole numbers may be written as 2.0, too.
std::optional<std::uint64_t> SchemaReader::count_of(const data::Value& node) {
  if (!node.is_number()) return std::nullopt;
  std::string_view text = node.as_number().text;
  if (std::size_t dot = text.find('.'); dot != std::string_view::npos) {
    if (text.find_first_not_of('0', dot + 1) != std::string_view::npos) return std::nullopt;
    text = text.substr(0, dot);
  }
  std::uint64_t count = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

Expression* SchemaReader::count_expression(const data::Value& node) {
  auto count = count_of(node);
  if (!count) fail(node, "invalid uint");
  return TreeMaker::at(position_of(node), make_.number(std::to_string(count.value_or(0))));
}

Expression* SchemaReader::number_of(const data::Value& node) {
  if (!node.is_number()) return fail(node, fmt::format("value must be a number, found {}", type_name(node)));
  return TreeMaker::at(position_of(node), make_.number(node.as_number().text));
}

bool SchemaReader::is_pattern(const data::Value& node, const std::string& pattern) {
  auto complaint = eval::RegularExpression::complaint(pattern);
  if (!complaint) return true;
  // Notation of other engines that linear matching has no place for, or classes that they know more of.
  bool is_foreign = complaint->find("invalid or unsupported Perl syntax") != std::string::npos ||
                    complaint->find("invalid character class range") != std::string::npos;
  if (!is_foreign) fail(node, "invalid regexp " + quote(pattern) + ": " + *complaint);
  else if (options_.strict_features) fail(node, "unsupported Perl regexp syntax in " + quote(pattern) + ": " + *complaint);
  return false;
}

Expression* SchemaReader::constant(const data::Value& node) {
  diag::Position position = position_of(node);
  if (node.is_list()) {
    std::vector<Expression*> elements;
    for (const data::Value& element : node.as_list()) elements.push_back(constant(element));
    return TreeMaker::at(position, make_.list(elements));
  }
  if (node.is_map()) {
    std::vector<Declaration*> fields;
    for (const data::Member& member : node.as_map())
      fields.push_back(make_.data_field(member.key, Constraint::required, constant(member.value)));
    return call("close", {make_.structure(fields)}, position);
  }
  if (node.is_null()) return TreeMaker::at(position, make_.literal(Token::null, "null"));
  if (node.is_bool()) {
    bool is_true = node.as_bool();
    return TreeMaker::at(position, make_.literal(is_true ? Token::true_ : Token::false_, is_true ? "true" : "false"));
  }
  if (node.is_number()) return number_of(node);
  return TreeMaker::at(position, make_.quoted(node.is_string() ? node.as_string() : node.as_bytes().bytes));
}

std::vector<const data::Value*> SchemaReader::items_of(const std::string& keyword, const data::Value& node,
                                                       bool may_be_empty) {
  std::vector<const data::Value*> items;
  if (!node.is_list()) {
    fail(node, fmt::format("value of {} must be an array, found {}", quote(keyword), type_name(node)));
    return items;
  }
  for (const data::Value& item : node.as_list()) items.push_back(&item);
  if (items.empty() && !may_be_empty) fail(node, fmt::format("array for {} must be non-empty", quote(keyword)));
  return items;
}

Expression* SchemaReader::call(std::string_view function, std::vector<Expression*> arguments, diag::Position position) {
  return TreeMaker::at(position, make_.call(TreeMaker::at(position, make_.identifier(function)), arguments));
}

Expression* SchemaReader::call_imported(std::string_view package, std::string_view function,
                                        std::vector<Expression*> arguments, diag::Position position) {
  return TreeMaker::at(position, make_.call(make_.imported(package, function, position), arguments));
}

Expression* SchemaReader::boolean_schema(bool accepts, diag::Position position) {
  if (accepts) return TreeMaker::at(position, make_.identifier("_"));
  return call("error", {make_.quoted("disallowed")}, position);
}

// ---- any type ----

void SchemaReader::on_unsupported(Draft&, const std::string& keyword, const data::Value& value) {
  if (options_.strict_features) fail(value, "keyword " + quote(keyword) + " not yet implemented");
}

void SchemaReader::on_schema(Draft& draft, const std::string&, const data::Value& value) {
  bool is_late = draft.version == Version::draft2019_09 || draft.version == Version::draft2020_12;
  if (!draft.is_root && !is_late) {
    fail(value, "$schema can only appear at the root in this version of JSON Schema");
    return;
  }
  auto text = text_of(value);
  if (!text) return;
  std::string_view name = *text;
  if (name.ends_with('#')) name.remove_suffix(1);
  if (name == "http://json-schema.org/draft-04/schema") draft.version = Version::draft4;
  else if (name == "http://json-schema.org/draft-06/schema") draft.version = Version::draft6;
  else if (name == "http://json-schema.org/draft-07/schema") draft.version = Version::draft7;
  else if (name == "https://json-schema.org/draft/2019-09/schema") draft.version = Version::draft2019_09;
  else if (name == "https://json-schema.org/draft/2020-12/schema") draft.version = Version::draft2020_12;
  else {
    fail(value, "invalid $schema URL " + quote(*text) + ": $schema URI not recognized");
    return;
  }
  draft.has_version = true;
}

void SchemaReader::on_id(Draft& draft, const std::string&, const data::Value& value) {
  auto uri = resolve(draft, value);
  if (!uri) return;
  if (uri->fragment.empty()) draft.id = std::move(uri);
  else if (options_.strict_features) fail(value, "$id URI may not contain a fragment");
}

void SchemaReader::on_reference(Draft& draft, const std::string&, const data::Value& value) {
  auto uri = resolve(draft, value);
  if (!uri) return;
  const Draft& owner = identified(draft);
  if (uri->fragment.empty() && owner.is_root && uri->same_document(*owner.id)) {
    add_for_all(draft, value, reference({}, position_of(value)));
    return;
  }
  auto target = target_of(draft, *uri);
  if (!target) fail(value, std::move(target.error()));
  else add_for_all(draft, value, reference(*target, position_of(value)));
}

void SchemaReader::on_definitions(Draft& draft, const std::string& keyword, const data::Value& value) {
  if (!value.is_map()) {
    fail(value, fmt::format("{} expected an object, found {}", quote(keyword), type_name(value)));
    return;
  }
  for (const data::Member& member : value.as_map()) {
    ensure_definition(member.value);
    schema(draft, member.value, kAllTypes);
  }
}

void SchemaReader::on_title(Draft& draft, const std::string&, const data::Value& value) {
  draft.title = text_of(value).value_or("");
}

void SchemaReader::on_description(Draft& draft, const std::string&, const data::Value& value) {
  draft.description = text_of(value).value_or("");
}

void SchemaReader::on_deprecated(Draft& draft, const std::string&, const data::Value& value) {
  if (flag_of(value)) draft.deprecated = true;
}

void SchemaReader::on_examples(Draft&, const std::string&, const data::Value& value) {
  if (!value.is_list()) fail(value, fmt::format("value of \"examples\" must be an array, found {}", type_name(value)));
}

void SchemaReader::on_type(Draft& draft, const std::string&, const data::Value& value) {
  Types types = 0;
  auto name = [&](const data::Value& node) {
    auto text = text_of(node);
    if (!text) return;
    if (*text == "null") {
      types |= kNull;
    } else if (*text == "boolean") {
      types |= kBool;
    } else if (*text == "string") {
      types |= kString;
    } else if (*text == "number") {
      types |= kNumber;
    } else if (*text == "integer") {
      types |= kInt;
      add(draft, Core::number, node, make_.identifier("int"));
    } else if (*text == "array") {
      types |= kList;
      draft.is_array = true;
    } else if (*text == "object") {
      types |= kStruct;
    } else {
      fail(node, "unknown type " + quote(*text));
    }
  };
  if (value.is_string()) {
    name(value);
  } else if (value.is_list() && draft.version == Version::openapi_3_0) {
    fail(value, "value of \"type\" must be a string in OpenAPI 3.0");
    return;
  } else if (value.is_list()) {
    for (const data::Value& node : value.as_list()) name(node);
  } else {
    fail(value, "value of \"type\" must be a string or list of strings");
  }
  draft.allowed &= types;
}

void SchemaReader::on_const(Draft& draft, const std::string&, const data::Value& value) {
  add_for_all(draft, value, constant(value));
  draft.allowed &= type_of(value);
  draft.known &= type_of(value);
}

void SchemaReader::on_enum(Draft& draft, const std::string& keyword, const data::Value& value) {
  std::vector<Expression*> constants;
  Types types = 0;
  for (const data::Value* item : items_of(keyword, value, true)) {
    if ((draft.allowed & type_of(*item)) == 0) continue;
    constants.push_back(constant(*item));
    types |= type_of(*item);
  }
  draft.known &= types;
  draft.allowed &= types;
  if (!constants.empty()) add_for_all(draft, value, make_.disjunction(constants));
}

void SchemaReader::on_nullable(Draft& draft, const std::string&, const data::Value& value) {
  draft.nullable = TreeMaker::at(position_of(value), make_.literal(Token::null, "null"));
}

void SchemaReader::on_all_of(Draft& draft, const std::string& keyword, const data::Value& value) {
  Types known = 0;
  std::vector<const data::Value*> items = items_of(keyword, value, false);
  std::vector<Expression*> parts;
  for (const data::Value* item : items) {
    auto [part, summary] = schema(draft, *item, draft.allowed);
    draft.allowed &= summary.allowed;
    if (!summary.has_constraints) continue;
    known |= summary.known;
    parts.push_back(part);
  }
  if (parts.empty()) return;
  draft.known &= known;
  if (parts.size() == 1) return add_for_all(draft, value, parts.front());
  add_for_all(draft, value,
              call("matchN", {make_.number(std::to_string(items.size())), make_.list(parts)}, position_of(value)));
}

void SchemaReader::on_any_of(Draft& draft, const std::string& keyword, const data::Value& value) {
  Types types = 0, known = 0;
  std::vector<const data::Value*> items = items_of(keyword, value, false);
  if (items.empty()) return;
  std::vector<Expression*> parts;
  for (const data::Value* item : items) {
    auto [part, summary] = schema(draft, *item, draft.allowed);
    if (summary.allowed == 0) continue;
    types |= summary.allowed;
    known |= summary.known;
    parts.push_back(part);
  }
  if (parts.empty()) {
    draft.allowed = 0;
    return;
  }
  if (parts.size() == 1) return add_for_all(draft, value, parts.front());
  draft.allowed &= types;
  draft.known &= known;
  Expression* some = make_.unary(Token::greater_equal, make_.number("1"));
  add_for_all(draft, value, call("matchN", {some, make_.list(parts)}, position_of(value)));
}

void SchemaReader::on_one_of(Draft& draft, const std::string& keyword, const data::Value& value) {
  Types types = 0, known = 0;
  bool needs_constraint = false;
  std::vector<Expression*> parts;
  std::vector<const data::Value*> items = items_of(keyword, value, false);
  if (items.empty()) return;
  for (const data::Value* item : items) {
    auto [part, summary] = schema(draft, *item, draft.allowed);
    if (summary.allowed == 0) continue;
    // Types that exclude each other need nothing else to be one of them.
    if (summary.has_constraints || (types & summary.allowed) != 0) needs_constraint = true;
    types |= summary.allowed;
    known |= summary.known;
    parts.push_back(part);
  }
  draft.allowed &= types;
  if (parts.empty() || !needs_constraint) return;
  draft.known &= known;
  if (parts.size() == 1) return add_for_all(draft, value, parts.front());
  add_for_all(draft, value, call("matchN", {make_.number("1"), make_.list(parts)}, position_of(value)));
}

void SchemaReader::on_not(Draft& draft, const std::string&, const data::Value& value) {
  Expression* excluded[] = {schema_of(draft, value)};
  add_for_all(draft, value, call("matchN", {make_.number("0"), make_.list(excluded)}, position_of(value)));
}

void SchemaReader::on_condition(Draft& draft, const std::string& keyword, const data::Value& value) {
  if (keyword == "if") draft.if_schema = &value;
  else if (keyword == "then") draft.then_schema = &value;
  else draft.else_schema = &value;
}

// ---- numbers ----

void SchemaReader::add_bound(Draft& draft, const data::Value& value, Token op) {
  Expression* bound = number_of(value);
  if (is_top(bound)) return;
  add(draft, Core::number, value, make_.unary(op, bound));
}

void SchemaReader::on_exclusive_minimum(Draft& draft, const std::string&, const data::Value& value) {
  if (value.is_bool()) draft.exclusive_minimum = true;
  else add_bound(draft, value, Token::greater);
}

void SchemaReader::on_exclusive_maximum(Draft& draft, const std::string&, const data::Value& value) {
  if (value.is_bool()) draft.exclusive_maximum = true;
  else add_bound(draft, value, Token::less);
}

void SchemaReader::on_minimum(Draft& draft, const std::string&, const data::Value& value) {
  add_bound(draft, value, draft.exclusive_minimum ? Token::greater : Token::greater_equal);
}

void SchemaReader::on_maximum(Draft& draft, const std::string&, const data::Value& value) {
  add_bound(draft, value, draft.exclusive_maximum ? Token::less : Token::less_equal);
}

void SchemaReader::on_multiple_of(Draft& draft, const std::string&, const data::Value& value) {
  Expression* step = number_of(value);
  if (is_top(step)) return;
  const std::string& text = value.as_number().text;
  std::string_view digits = std::string_view(text).substr(0, text.find_first_of("eE"));
  bool is_positive = !text.starts_with('-') && digits.find_first_of("123456789") != std::string_view::npos;
  if (!is_positive) fail(value, "\"multipleOf\" value must be > 0; found " + text);
  add(draft, Core::number, value, call_imported("math", "MultipleOf", {step}, position_of(value)));
}

// ---- text ----

void SchemaReader::on_min_length(Draft& draft, const std::string&, const data::Value& value) {
  add(draft, Core::string, value, call_imported("strings", "MinRunes", {count_expression(value)}, position_of(value)));
}

void SchemaReader::on_max_length(Draft& draft, const std::string&, const data::Value& value) {
  add(draft, Core::string, value, call_imported("strings", "MaxRunes", {count_expression(value)}, position_of(value)));
}

void SchemaReader::on_pattern(Draft& draft, const std::string&, const data::Value& value) {
  auto pattern = text_of(value);
  if (!pattern || !is_pattern(value, *pattern)) return;
  Expression* text = TreeMaker::at(position_of(value), make_.quoted(*pattern));
  add(draft, Core::string, value, make_.unary(Token::match, text));
}

void SchemaReader::on_format(Draft& draft, const std::string&, const data::Value& value) {
  enum class Check : std::uint8_t { none, date, time, uri, reference, regex, int32, int64 };
  struct Format {
    unsigned versions;
    Check check;
  };
  static const std::map<std::string_view, Format> formats = {
      {"binary", {kOpenApi, Check::none}},
      {"byte", {kOpenApi, Check::none}},
      {"data", {kOpenApi, Check::none}},
      {"date", {kFrom7 | kOpenApi, Check::date}},
      {"date-time", {kEverywhere, Check::time}},
      {"double", {kOpenApi, Check::none}},
      {"duration", {kFrom2019, Check::none}},
      {"email", {kEverywhere, Check::none}},
      {"float", {kOpenApi, Check::none}},
      {"hostname", {kEverywhere, Check::none}},
      {"idn-email", {kFrom7, Check::none}},
      {"idn-hostname", {kFrom7, Check::none}},
      {"int32", {kOpenApi, Check::int32}},
      {"int64", {kOpenApi, Check::int64}},
      {"ipv4", {kEverywhere, Check::none}},
      {"ipv6", {kEverywhere, Check::none}},
      {"iri", {kFrom7, Check::uri}},
      {"iri-reference", {kFrom7, Check::reference}},
      {"json-pointer", {kFrom6, Check::none}},
      {"password", {kOpenApi, Check::none}},
      {"regex", {kFrom7, Check::regex}},
      {"relative-json-pointer", {kFrom7, Check::none}},
      {"time", {kFrom7, Check::none}},
      {"uri", {kEverywhere, Check::uri}},
      {"uri-reference", {kFrom6, Check::reference}},
      {"uri-template", {kFrom6, Check::none}},
      {"uuid", {kFrom2019, Check::none}},
  };
  auto name = text_of(value);
  if (!name) return;
  // OpenAPI allows any format.
  bool complains = options_.strict_keywords && draft.version != Version::openapi_3_0;
  auto known = formats.find(*name);
  if (known == formats.end()) {
    if (complains) fail(value, "unknown format " + quote(*name));
    return;
  }
  if ((known->second.versions & bit(draft.version)) == 0) {
    if (complains) fail(value, "format " + quote(*name) + " is not recognized in this version of JSON Schema");
    return;
  }
  diag::Position position = position_of(value);
  switch (known->second.check) {
    case Check::none: break;
    case Check::date:
      add(draft, Core::string, value, call_imported("time", "Format", {make_.quoted("2006-01-02")}, position));
      break;
    case Check::time: add(draft, Core::string, value, make_.imported("time", "Time", position)); break;
    case Check::uri: add(draft, Core::string, value, make_.imported("net", "AbsURL", position)); break;
    case Check::reference: add(draft, Core::string, value, make_.imported("net", "URL", position)); break;
    case Check::regex: add(draft, Core::string, value, make_.imported("regexp", "Valid", position)); break;
    case Check::int32: add(draft, Core::number, value, make_.identifier("int32")); break;
    case Check::int64: add(draft, Core::number, value, make_.identifier("int64")); break;
  }
}

}  // namespace opm::cue::schema
