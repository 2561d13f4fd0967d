#include "opm/render/secret_finder.h"

#include <algorithm>
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
    find(scope.given, scope.whole, scope.schema, scope.path, 0);
  }

  void find_in_component(const cue::Value& component) {
    cue::Value spec = component.field("spec");
    if (cue::has_field_below(spec, kMark)) find_marked(spec, 0);
    find_kept(spec);
  }

  FoundSecrets take() { return std::move(found_); }

 private:
  // What a schema asks of a field, also of one that need not be there or is meant by a pattern.
  cue::Value asked_of(const cue::Value& schema, std::string_view name) const {
    if (!schema.valid() || !anything_.valid()) return {};
    if (cue::Value field = schema.field(name); field.valid()) return field;
    const std::pair<cue::Path, cue::Value> filled[] = {{cue::Path().child(name), anything_}};
    return schema.fill(filled).field(name);
  }

  static bool is_marked(const cue::Value& value) {
    if (!value.valid()) return false;
    cue::Value mark = value.field(kMark);
    return mark.exists() && mark.string() == "secret";
  }

  // Of a schema, where the mark may be in every branch of a disjunction: no other mark fits, but this one.
  bool is_secret_schema(const cue::Value& schema) {
    if (!schema.valid() || !other_.valid() || !secret_.valid()) return false;
    // The values of many environments have one schema.
    auto [known, is_new] = schemas_.try_emplace(schema.node(), false);
    if (is_new) known->second = asks_for_secret(schema);
    return known->second;
  }

  bool asks_for_secret(const cue::Value& schema) const {
    // Where it contradicts itself, none fits, and what it says of where the secret is kept is left.
    if (schema.kind() == cue::kinds::bottom) return schema.field("$secretName").valid() || schema.field("$dataKey").valid();
    return schema.unify(other_).kind() == cue::kinds::bottom && schema.unify(secret_).kind() != cue::kinds::bottom;
  }

  static cue::Value member(const cue::Value& value, std::string_view name) {
    return value.valid() ? value.field(name) : cue::Value();
  }

  void find(const cue::Value& value, const cue::Value& config, const cue::Value& schema, const std::string& path, int depth) {
    if (depth > kDeepest || (!value.valid() && !config.valid())) return;
    if (is_marked(value) || is_marked(config) || is_secret_schema(schema) || (!value.valid() && is_secret_schema(config))) {
      found_.values.push_back({path, value, config, is_partial_});
      if (value.valid()) add_secret(value);
      if (config.valid()) add_secret(config);
      return;
    }
    std::set<std::string> known;
    for (const cue::Value* side : {&value, &config}) {
      if (!side->valid()) continue;
      for (const cue::Value::FieldEntry& field : side->fields()) {
        std::string name = field.value.label();
        if (!known.insert(name).second) continue;
        find(member(value, name), member(config, name), asked_of(schema, name), path + "." + field.name, depth + 1);
      }
    }
    if (!value.valid()) return;
    std::vector<cue::Value> elements = value.elements();
    for (std::size_t i = 0; i < elements.size(); ++i)
      find(elements[i], {}, {}, path + "[" + std::to_string(i) + "]", depth + 1);
  }

  void find_marked(const cue::Value& value, int depth) {
    if (depth > kDeepest || !value.valid()) return;
    cue::KindSet kind = value.kind();
    if (kind == cue::kinds::list) {
      for (const cue::Value& element : value.elements()) find_marked(element, depth + 1);
    } else if (kind == cue::kinds::structure || kind == cue::kinds::bottom) {
      // What is wrong may have fields all the same.
      std::vector<cue::Value::FieldEntry> fields = value.fields();
      auto mark = std::ranges::find(fields, kMark, &cue::Value::FieldEntry::name);
      if (mark != fields.end() && mark->value.string() == "secret") return add_secret(value);
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
  std::unordered_map<const void*, bool> schemas_;  // by node: whether it asks for a secret
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
