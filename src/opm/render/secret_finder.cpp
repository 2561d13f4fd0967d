#include "opm/render/secret_finder.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cue/derivation.h"
#include "opm/model/redaction.h"
#include "opm/render/release_overlay.h"

namespace opm::render {

namespace {

constexpr int kDeepest = 60;
constexpr std::string_view kMark = "$opm";

class Finder {
 public:
  // For components, which have no schema to be asked.
  Finder() = default;
  explicit Finder(cue::Context& context) {
    auto other = context.compile("{$opm: !=\"secret\", ...}");
    auto secret = context.compile("{$opm: \"secret\", ...}");
    auto anything = context.compile("_");
    if (other) other_ = *other;
    if (secret) secret_ = *secret;
    if (anything) anything_ = *anything;
  }

  void find(const ValuesScope& scope) {
    is_partial_ = scope.is_partial;
    find(scope.given, scope.whole, scope.schema, {nullptr, scope.path, 0});
  }

  void find_in_component(const cue::Value& component) {
    cue::Value spec = component.field("spec");
    if (cue::has_field_below(spec, kMark)) find_marked(spec, 0);
    find_kept(spec);
  }

  FoundSecrets take() { return std::move(found_); }

 private:
  // Where in the values.
  struct Place {
    const Place* up;
    std::string_view field;  // empty: an element
    std::size_t index;
    int depth = up == nullptr ? 0 : up->depth + 1;

    std::string text() const {
      if (up == nullptr) return std::string(field);
      return field.empty() ? fmt::format("{}[{}]", up->text(), index) : fmt::format("{}.{}", up->text(), field);
    }
  };

  // What a schema asks of a field, also of one that need not be there or is meant by a pattern.
  cue::Value asked_of(const cue::Value& schema, const std::string& name) {
    if (!schema.valid() || !anything_.valid()) return {};
    auto [known, is_new] = asked_.try_emplace({schema.node(), name});
    if (!is_new) return known->second;
    if (cue::Value field = schema.field(name); field.valid()) return known->second = field;
    const std::pair<cue::Path, cue::Value> filled[] = {{cue::Path().child(name), anything_}};
    return known->second = schema.fill(filled).field(name);
  }

  // The same of the elements of a list.
  cue::Value asked_of_list(const cue::Value& schema, std::size_t size) {
    if (!may_have(schema, cue::kinds::list)) return {};
    auto [known, is_new] = asked_lists_.try_emplace({schema.node(), size});
    if (!is_new) return known->second;
    std::string list = "[";
    for (std::size_t i = 0; i < size; ++i) list += "_,";
    auto elements = schema.context().compile(list + "]");
    return known->second = elements ? schema.unify(*elements) : cue::Value();
  }

  using Fields = std::vector<cue::Value::FieldEntry>;
  using Elements = std::vector<cue::Value>;

  // What is wrong may have some all the same.
  static bool may_have(const cue::Value& value, cue::KindSet part) {
    if (!value.valid()) return false;
    cue::KindSet kinds = value.possible_kinds();
    return kinds == cue::kinds::bottom || (kinds & part) != 0;
  }
  static Fields fields_of(const cue::Value& value) { return may_have(value, cue::kinds::structure) ? value.fields() : Fields(); }
  static Elements elements_of(const cue::Value& value) { return may_have(value, cue::kinds::list) ? value.elements() : Elements(); }

  static bool is_marked(const Fields& fields) {
    auto mark = std::ranges::find(fields, kMark, &cue::Value::FieldEntry::name);
    return mark != fields.end() && mark->value.string() == "secret";
  }

  // Of a schema, where the mark may be in every branch of a disjunction: no other mark fits, but this one.
  bool is_secret_schema(const cue::Value& schema) {
    if (!schema.valid() || !other_.valid() || !secret_.valid()) return false;
    auto [known, is_new] = schemas_.try_emplace(schema.node(), false);
    if (is_new) known->second = asks_for_secret(schema);
    return known->second;
  }

  bool asks_for_secret(const cue::Value& schema) const {
    if (!may_have(schema, cue::kinds::structure)) return false;
    // Where it contradicts itself, none fits, and what it says of where the secret is kept is left.
    if (schema.kind() == cue::kinds::bottom) return schema.field("$secretName").valid() || schema.field("$dataKey").valid();
    return schema.unify(other_).kind() == cue::kinds::bottom && schema.unify(secret_).kind() != cue::kinds::bottom;
  }

  static cue::Value member(const cue::Value& value, std::string_view name) {
    return value.valid() ? value.field(name) : cue::Value();
  }

  void find(const cue::Value& value, const cue::Value& config, const cue::Value& schema, const Place& place) {
    if (place.depth > kDeepest || (!value.valid() && !config.valid())) return;
    Fields given = fields_of(value);
    Fields wanted = fields_of(config);
    if (is_marked(given) || is_marked(wanted) || is_secret_schema(schema) || (!value.valid() && is_secret_schema(config))) {
      found_.values.push_back({place.text(), value, config, is_partial_});
      if (value.valid()) add_secret(value);
      if (config.valid()) add_secret(config);
      return;
    }
    std::unordered_map<std::string_view, cue::Value> alone;  // what nothing is given for
    for (const cue::Value::FieldEntry& field : wanted) alone.emplace(field.name, field.value);
    for (const cue::Value::FieldEntry& field : given) {
      std::string label = field.value.label();
      auto known = alone.extract(field.name);
      find(field.value, known ? known.mapped() : member(config, label), asked_of(schema, label), {&place, field.name, 0});
    }
    for (const cue::Value::FieldEntry& field : wanted) {
      if (alone.contains(field.name)) find({}, field.value, asked_of(schema, field.value.label()), {&place, field.name, 0});
    }
    Elements elements = elements_of(value);
    Elements others = elements_of(config);
    std::size_t size = std::max(elements.size(), others.size());
    if (size == 0) return;
    Elements asked = elements_of(asked_of_list(schema, size));
    auto at = [](const Elements& list, std::size_t i) { return i < list.size() ? list[i] : cue::Value(); };
    for (std::size_t i = 0; i < size; ++i) find(at(elements, i), at(others, i), at(asked, i), {&place, {}, i});
  }

  void find_marked(const cue::Value& value, int depth) {
    if (depth > kDeepest || !value.valid()) return;
    cue::KindSet kind = value.kind();
    if (kind == cue::kinds::list) {
      for (const cue::Value& element : value.elements()) find_marked(element, depth + 1);
    } else if (kind == cue::kinds::structure || kind == cue::kinds::bottom) {
      // What is wrong may have fields all the same.
      Fields fields = value.fields();
      if (is_marked(fields)) return add_secret(value);
      for (const cue::Value::FieldEntry& field : fields) find_marked(field.value, depth + 1);
    }
  }

  // Text in spec.secrets and in volumes that are secrets.
  void find_kept(const cue::Value& spec) {
    if (!spec.valid()) return;
    for (const cue::Value::FieldEntry& secret : member(spec, "secrets").fields()) add_data(secret.value);
    for (const cue::Value::FieldEntry& volume : member(spec, "volumes").fields()) add_data(member(volume.value, "secret"));
  }

  void add_data(const cue::Value& secret) {
    for (const cue::Value::FieldEntry& entry : member(secret, "data").fields()) add_secret(entry.value);
  }

  // The whole of it, as it was written, and what its parts refer to.
  void add_secret(const cue::Value& secret) {
    add(secret);
    for (const cue::Value::FieldEntry& field : secret.fields()) {
      if (!model::is_secret_routing(field.value.label())) add_all(field.value, 0);
    }
  }

  void add_all(const cue::Value& value, int depth) {
    if (depth > kDeepest) return;
    add(value);
    for (const cue::Value::FieldEntry& field : value.fields()) add_all(field.value, depth + 1);
    for (const cue::Value& element : value.elements()) add_all(element, depth + 1);
  }

  void add(const cue::Value& value) {
    for (diag::Position position : value.origins()) found_.places.insert(position);
  }

  cue::Value other_, secret_, anything_;
  // The values of many environments have one schema. By node:
  std::map<std::pair<const void*, std::string>, cue::Value> asked_;  // what it asks of a field
  std::map<std::pair<const void*, std::size_t>, cue::Value> asked_lists_;  // of as many elements
  std::unordered_map<const void*, bool> schemas_;  // whether it asks for a secret
  bool is_partial_ = false;
  FoundSecrets found_;
};

}  // namespace

ValuesScope values_of_module(const cue::Value& module) {
  ValuesScope scope{"values", module.field("values"), module.find("#config"), {}};
  if (!scope.whole.exists()) return scope;
  scope.schema = scope.whole.without_files([](std::string_view file) { return file.ends_with(kReleaseFile); });
  if (!scope.given.exists()) return scope;
  // A module may say `values: #config` beside its schema, and then nothing is left of values that do not fit.
  const diag::SourceMap& sources = module.context().program().sources();
  std::set<std::string, std::less<>> schema_files;
  for (diag::Position position : scope.schema.positions()) schema_files.emplace(sources.locate(position).file);
  cue::Value alone = scope.given.without_files([&](std::string_view file) { return schema_files.contains(file); });
  if (alone.valid() && !alone.fields().empty()) scope.given = alone;
  return scope;
}

std::set<diag::Position> secret_places(const cue::Value& component) {
  Finder finder;
  finder.find_in_component(component);
  return finder.take().places;
}

FoundSecrets find_secrets(std::span<const ValuesScope> scopes, std::span<const cue::Value> components) {
  std::optional<Finder> finder;
  auto in_context = [&](const cue::Value& value) {
    if (!finder && value.valid()) finder.emplace(value.context());
    return finder.has_value();
  };
  for (const ValuesScope& scope : scopes) {
    if (in_context(scope.given) || in_context(scope.whole)) finder->find(scope);
  }
  for (const cue::Value& component : components) {
    if (in_context(component)) finder->find_in_component(component);
  }
  return finder ? finder->take() : FoundSecrets();
}

std::vector<cue::Value> members_of(const cue::Value& structure) {
  std::vector<cue::Value> members;
  if (!structure.exists()) return members;
  for (const cue::Value::FieldEntry& entry : structure.fields()) members.push_back(entry.value);
  return members;
}

}  // namespace opm::render
