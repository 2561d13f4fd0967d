#include "cue/schema/schema_reader.h"

#include <fmt/core.h>

#include <algorithm>

#include "cue/syntax/literal.h"

namespace opm::cue::schema {

using namespace syntax;  // NOLINT: everything here makes its nodes
using Draft = SchemaReader::Draft;

namespace {

constexpr unsigned kMaxDepth = 300;
constexpr int kMaxPasses = 10;
constexpr int kPhases = 5;
constexpr std::string_view kDefaultId = "https://cue.jsonschema.invalid";
constexpr std::string_view kRootName = "_schema";
constexpr std::array<Types, 6> kTypesOf = {kNull, kBool, kNumber, kString, kList, kStruct};
constexpr std::array<std::string_view, 6> kCoreNames = {"null", "bool", "number", "string", "array", "object"};

std::string without_space_around(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(kSpace) - begin + 1));
}

}  // namespace

Types type_of(const data::Value& value) {
  if (value.is_null()) return kNull;
  if (value.is_bool()) return kBool;
  if (value.is_number()) return value.as_number().is_integer ? kInt : kFloat;
  if (value.is_list()) return kList;
  return value.is_map() ? kStruct : kString;
}

std::string_view type_name(const data::Value& value) {
  switch (type_of(value)) {
    case kNull: return "null";
    case kBool: return "bool";
    case kInt: return "int";
    case kFloat: return "float";
    case kList: return "list";
    case kStruct: return "struct";
    default: return "string";
  }
}

SchemaReader::SchemaReader(base::Arena& arena, const diag::Source& source, const data::Value& root,
                           const JsonSchemaOptions& options, bool is_openapi)
    : make_(arena), source_(source), root_(root), options_(options), is_openapi_(is_openapi),
      root_id_(*Uri::parse(kDefaultId)) {
  index(root, nullptr, {}, root.position);
}

// A member stands where its name begins: keywords are what messages are about.
void SchemaReader::index(const data::Value& value, const data::Value* parent, std::string step,
                         diag::Position position) {
  places_.emplace(&value, Place{parent, std::move(step), position});
  if (value.is_map()) {
    for (const data::Member& member : value.as_map()) {
      diag::Position name = member.key_position.valid() ? member.key_position : member.value.position;
      std::size_t offset = name.value - source_.begin.value;
      bool is_quoted = name.valid() && offset < source_.text.size() && source_.text[offset] == '"';
      index(member.value, &value, member.key, is_quoted ? name.plus(1) : name);
    }
  } else if (value.is_list()) {
    for (std::size_t i = 0; i < value.as_list().size(); ++i)
      index(value.as_list()[i], &value, std::to_string(i), value.as_list()[i].position);
  }
}

diag::Position SchemaReader::position_of(const data::Value& value) const {
  auto found = places_.find(&value);
  return found == places_.end() ? value.position : found->second.position;
}

std::vector<std::string> SchemaReader::steps_to(const data::Value& value, const data::Value* from) const {
  std::vector<std::string> steps;
  for (const data::Value* at = &value; at != from && at != nullptr;) {
    const Place& place = places_.at(at);
    if (place.parent != nullptr) steps.push_back(place.step);
    at = place.parent;
  }
  std::ranges::reverse(steps);
  return steps;
}

const data::Value* SchemaReader::at_pointer(const data::Value& from, const std::vector<std::string>& steps) const {
  const data::Value* at = &from;
  for (const std::string& step : steps) {
    if (at->is_map()) {
      at = at->find(step);
    } else if (at->is_list()) {
      bool is_index = !step.empty() && step.size() < 10 && step.find_first_not_of("0123456789") == std::string::npos &&
                      (step.size() == 1 || step[0] != '0');
      std::size_t number = is_index ? std::stoul(step) : at->as_list().size();
      at = number < at->as_list().size() ? &at->as_list()[number] : nullptr;
    } else {
      at = nullptr;
    }
    if (at == nullptr) return nullptr;
  }
  return at;
}

std::expected<std::vector<Declaration*>, Errors> SchemaReader::read() {
  bool is_first_look = true;  // since schemas were found in places where none are expected
  for (int number = 0;; ++number) {
    if (number > kMaxPasses) return std::unexpected(Errors{schema_error("references of the schema have no end", root_.position)});
    file_ = {};
    refers_to_root_ = false;
    make_.forget_imports();
    needs_another_pass_ = false;
    std::size_t extra = extra_.size();
    if (!pass(is_first_look)) break;
    is_first_look = extra_.size() > extra;
    if (!needs_another_pass_ && dangling_ == 0) break;
  }
  if (!errors_.empty()) return std::unexpected(in_order(std::move(errors_)));
  std::vector<Declaration*> declarations;
  Location path;
  append(file_, path, declarations);
  if (refers_to_root_) {
    auto* embedded = make_.embedding(make_.identifier(kRootName));
    embedded->spacing = Spacing::new_section;
    auto* whole = make_.field(make_.identifier(kRootName), Constraint::none, make_.structure(declarations));
    declarations = {embedded, whole};
  }
  std::vector<Declaration*> preamble;
  if (root_summary_.has_version) {
    std::string name;
    switch (root_summary_.version) {
      case Version::draft4: name = "http://json-schema.org/draft-04/schema#"; break;
      case Version::draft6: name = "http://json-schema.org/draft-06/schema#"; break;
      case Version::draft7: name = "http://json-schema.org/draft-07/schema#"; break;
      case Version::draft2019_09: name = "https://json-schema.org/draft/2019-09/schema"; break;
      default: name = "https://json-schema.org/draft/2020-12/schema"; break;
    }
    preamble.push_back(make_.attribute("@jsonschema(schema=\"" + name + "\")"));
  }
  if (root_summary_.deprecated) preamble.push_back(make_.attribute("@deprecated()"));
  declarations.insert(declarations.begin(), preamble.begin(), preamble.end());
  title_ = file_.comment;
  return declarations;
}

// False: nothing can come of it.
bool SchemaReader::pass(bool is_first_look) {
  Draft outer;
  outer.version = options_.version;
  outer.id = root_id_;
  outer.is_root = true;
  outer.node = &root_;
  if (is_openapi_) {
    const data::Value* schemas = root_.find_path({"components", "schemas"});
    if (schemas != nullptr && !schemas->is_map()) {
      fail(*schemas, fmt::format("value at path components.schemas must be struct containing definitions but is actually {}",
                                 type_name(*schemas)));
      return false;
    }
    on_definitions(outer, "schemas", schemas != nullptr ? *schemas : nothing_);
  } else {
    auto [expression, summary] = schema(outer, root_, kAllTypes, true);
    if (summary.allowed == 0) {
      if (errors_.empty()) fail(root_, "constraints are not possible to satisfy");
      return false;
    }
    put({}, expression, comment_of(summary));
    root_summary_ = std::move(summary);
  }
  // What is referred to and still was not come by is no schema by its place; people write that all the same.
  if (dangling_ > 0 && !is_first_look) {
    for (const data::Value* node : referred_to_) {
      if (!defined_.at(node)) extra_.insert(node);
    }
  }
  std::vector<const data::Value*> extra(extra_.begin(), extra_.end());
  std::ranges::sort(extra, {}, [&](const data::Value* node) { return position_of(*node).value; });
  for (const data::Value* node : extra) schema(outer, *node, kAllTypes);
  return true;
}

std::pair<Expression*, SchemaReader::Summary> SchemaReader::schema(const Draft& up, const data::Value& node,
                                                                   Types types, bool is_root) {
  Draft draft;
  draft.up = &up;
  draft.node = &node;
  draft.version = up.version;
  draft.allowed = types;
  draft.is_root = is_root;
  if (depth_ >= kMaxDepth) return {fail(node, "schema is nested too deeply"), draft};
  ++depth_;
  Expression* expression = read_schema(draft);
  --depth_;
  expression = maybe_define(draft, expression);
  return {expression, static_cast<Summary&&>(draft)};
}

Expression* SchemaReader::read_schema(Draft& draft) {
  const data::Value& node = *draft.node;
  if (node.is_bool()) {
    bool knows_booleans = draft.version != Version::draft4 && draft.version != Version::openapi_3_0;
    if (knows_booleans) return boolean_schema(node.as_bool(), position_of(node));
    return fail(node, "boolean schemas not supported in this version of JSON Schema");
  }
  if (!node.is_map()) return fail(node, fmt::format("schema expects mapping node, found {}", type_name(node)));
  // Some keywords need to know of others that may stand behind them.
  for (int phase = 0; phase < kPhases; ++phase) {
    for (const data::Member& member : node.as_map()) read_keyword(draft, phase, member.key, member.value);
  }
  if (draft.id) ensure_definition(node);
  conclude_condition(draft);
  if (draft.version == Version::openapi_3_0 && draft.is_array && !draft.has_items)
    fail(node, "\"items\" must be present when the \"type\" is \"array\" in OpenAPI 3.0");
  Expression* expression = conclude(draft);
  draft.has_constraints = constrains(draft);
  return expression;
}

void SchemaReader::read_keyword(Draft& draft, int phase, const std::string& keyword, const data::Value& value) {
  if (phase == 0 && keyword == "$ref") draft.has_reference = true;
  auto known = keywords().find(keyword);
  if (known == keywords().end()) {
    if (phase == 0 && !keyword.starts_with("x-"))
      warn_unrecognized(draft, keyword, value, "unknown keyword " + quote(keyword));
    return;
  }
  const Keyword& meaning = known->second;
  if (meaning.phase != phase) return;
  if ((meaning.versions & static_cast<unsigned>(draft.version)) == 0) {
    return warn_unrecognized(draft, keyword, value,
                             "keyword " + quote(keyword) + " is not supported in this version of JSON Schema");
  }
  bool heeds_siblings = draft.version == Version::draft2019_09 || draft.version == Version::draft2020_12;
  if (phase > 0 && !heeds_siblings && draft.has_reference && keyword != "$ref")
    return warn_unrecognized(draft, keyword, value, "ignoring keyword " + quote(keyword) + " alongside $ref");
  (this->*meaning.handle)(draft, keyword, value);
}

void SchemaReader::warn_unrecognized(const Draft& draft, const std::string& keyword, const data::Value& value,
                                     std::string message) {
  if (!options_.strict_keywords) return;
  if (draft.version == Version::openapi_3_0 && keyword.starts_with("x-")) return;
  fail(value, std::move(message));
}

Expression* SchemaReader::type_expression(Core type) {
  switch (type) {
    case Core::null: return make_.literal(Token::null, "null");
    case Core::boolean: return make_.identifier("bool");
    case Core::number: return make_.identifier("number");
    case Core::string: return make_.identifier("string");
    case Core::list: {
      Expression* rest[] = {make_.ellipsis(nullptr)};
      return make_.list(rest);
    }
    default: {
      if (options_.open_only_when_explicit) return make_.structure({});
      Declaration* rest[] = {make_.ellipsis(nullptr)};
      return make_.structure(rest);
    }
  }
}

void SchemaReader::conclude_list(Draft& draft) {
  if (!draft.has_prefix) return;
  std::vector<Expression*> elements = draft.prefix;
  if (!draft.prefix_is_all) elements.push_back(make_.ellipsis(draft.rest));
  add(draft, Core::list, *draft.prefix_node, make_.list(elements));
}

void SchemaReader::conclude_object(Draft& draft) {
  if (!draft.has_object) return;
  bool stays = draft.openness == Openness::covered ||
               (draft.openness == Openness::implicit && options_.open_only_when_explicit);
  if (!stays && draft.openness != Openness::closed) draft.object.push_back(make_.ellipsis(nullptr));
  StructLiteral* body = make_.braced(position_of(*draft.object_node), draft.object);
  Expression* made = body;
  if (draft.openness == Openness::closed) made = call("close", {body}, position_of(*draft.object_node));
  add(draft, Core::object, *draft.object_node, made);
}

bool SchemaReader::constrains(const Draft& draft) {
  if (!draft.all.empty() || !draft.patterns.empty() || draft.has_object || draft.id) return true;
  if (!draft.title.empty() || !draft.description.empty()) return true;
  return std::ranges::any_of(draft.types, [](const PerType& type) { return !type.constraints.empty(); });
}

Expression* SchemaReader::conclude(Draft& draft) {
  diag::Position position = position_of(*draft.node);
  if (draft.allowed == 0) return boolean_schema(false, position);
  conclude_list(draft);
  conclude_object(draft);
  // Literals read better behind the validators.
  auto sort_last = [](std::vector<Expression*>& constraints, NodeKind kind) {
    std::ranges::stable_partition(constraints, [&](const Expression* x) { return x->kind != kind; });
  };
  sort_last(draft.of(Core::list).constraints, NodeKind::list_literal);
  sort_last(draft.of(Core::object).constraints, NodeKind::struct_literal);

  bool needs_types = draft.allowed != draft.known;
  for (std::size_t i = 0; i < draft.types.size() && !needs_types; ++i)
    needs_types = !draft.types[i].constraints.empty() && (draft.allowed & kTypesOf[i]) != 0;
  std::vector<Expression*> alternatives;
  if (needs_types) {
    int possible = 0, excluded = 0;
    for (std::size_t i = 0; i < draft.types.size(); ++i) {
      const PerType& type = draft.types[i];
      bool is_allowed = (draft.allowed & kTypesOf[i]) != 0;
      if (!type.constraints.empty()) {
        ++possible;
        if (!is_allowed) ++excluded;
        else alternatives.push_back(make_.conjunction(type.constraints));
      } else if (is_allowed) {
        ++possible;
        if ((draft.known & kTypesOf[i]) != 0)
          alternatives.push_back(TreeMaker::at(position, type_expression(static_cast<Core>(i))));
      }
    }
    if (excluded == possible) {
      for (std::size_t i = 0; i < draft.types.size(); ++i) {
        for (const Expression* constraint : draft.types[i].constraints) {
          errors_.push_back(schema_error(
              fmt::format("constraint not allowed because type {} is excluded", kCoreNames[i]), constraint->begin));
        }
      }
    }
  }
  std::vector<Expression*> conjuncts = draft.all;
  if (!alternatives.empty()) conjuncts.push_back(make_.disjunction(alternatives));
  Expression* result = conjuncts.empty() ? TreeMaker::at(position, make_.identifier("_")) : make_.conjunction(conjuncts);
  if (draft.nullable != nullptr) {
    Expression* either[] = {draft.nullable, result};
    result = make_.disjunction(either);
  }
  if (draft.id) {
    std::vector<Declaration*> elements{make_.attribute("@jsonschema(id=" + quote(draft.id->text()) + ")")};
    std::ranges::copy(declarations_of(result), std::back_inserter(elements));
    result = make_.braced(position, elements);
  }
  // All that is allowed is told now.
  draft.known = draft.allowed;
  return result;
}

void SchemaReader::conclude_condition(Draft& draft) {
  if (draft.if_schema == nullptr || (draft.then_schema == nullptr && draft.else_schema == nullptr)) return;
  auto [condition, summary] = schema(draft, *draft.if_schema, draft.allowed);
  Expression* consequence = draft.then_schema == nullptr
                                ? make_.identifier("_")
                                : schema(draft, *draft.then_schema, draft.allowed & summary.allowed).first;
  Expression* otherwise =
      draft.else_schema == nullptr ? make_.identifier("_") : schema(draft, *draft.else_schema, draft.allowed).first;
  add_for_all(draft, *draft.node, call("matchIf", {condition, consequence, otherwise}, position_of(*draft.node)));
}

std::string SchemaReader::comment_of(const Summary& summary) {
  std::string text = without_space_around(summary.title);
  if (summary.description.empty()) return text;
  if (!text.empty()) text += "\n\n";
  return without_space_around(text + summary.description);
}

Expression* SchemaReader::fail(const data::Value& node, std::string message) {
  errors_.push_back(schema_error(std::move(message), position_of(node)));
  return TreeMaker::at(position_of(node), make_.identifier("_"));
}

}  // namespace opm::cue::schema
