#include "opm/model/provider.h"

#include <algorithm>
#include <initializer_list>

#include "cue/inspection.h"

namespace opm::model {

namespace {

diag::Diagnostic problem(std::string path, std::string message, const cue::Value& where) {
  diag::Diagnostic diagnostic;
  diagnostic.code = "invalid-provider";
  diagnostic.path = std::move(path);
  diagnostic.message = std::move(message);
  if (where.valid()) diagnostic.positions = where.positions();
  return diagnostic;
}

std::string label_of(const cue::Value::FieldEntry& entry) { return entry.value.label(); }

std::optional<std::vector<std::string>> texts_of(const cue::Value& value) {
  std::vector<std::string> texts;
  for (const cue::Value& one : cue::alternatives(value)) {
    auto text = one.concrete() ? one.string() : std::nullopt;
    if (!text) return std::nullopt;
    texts.emplace_back(*text);
  }
  return texts;
}

std::vector<LabelRequirement> read_labels(const cue::Value& transformer, std::string_view field) {
  std::vector<LabelRequirement> labels;
  cue::Value value = transformer.field(field);
  if (!value.exists()) return labels;
  for (const cue::Value::FieldEntry& entry : value.fields()) {
    std::string text = entry.value.to_cue({.take_defaults = false});
    while (text.ends_with('\n')) text.pop_back();
    labels.push_back({label_of(entry), std::move(text), texts_of(entry.value), entry.value});
  }
  std::ranges::sort(labels, {}, &LabelRequirement::key);
  return labels;
}

std::vector<std::string> read_names(const cue::Value& transformer, std::string_view field) {
  std::vector<std::string> names;
  cue::Value value = transformer.field(field);
  if (!value.exists()) return names;
  for (const cue::Value::FieldEntry& entry : value.shallow_fields()) names.push_back(label_of(entry));
  std::ranges::sort(names);
  return names;
}

std::string requirements_key(const Transformer& transformer) {
  std::string key;
  for (const LabelRequirement& label : transformer.required_labels) key += label.key + "=" + label.text + "\n";
  key += "resources\n";
  for (const std::string& name : transformer.required_resources) key += name + "\n";
  key += "traits\n";
  for (const std::string& name : transformer.required_traits) key += name + "\n";
  return key;
}

std::string text_of(const cue::Value& value, std::initializer_list<std::string_view> path) {
  cue::Value found = value.find(cue::Path::of(path));
  if (!found.exists()) return {};
  return std::string(found.string().value_or(std::string_view()));
}

}  // namespace

std::string_view short_name(std::string_view fqn) {
  std::size_t hash = fqn.rfind('#');
  return hash == std::string_view::npos ? fqn : fqn.substr(hash + 1);
}

std::string_view Transformer::short_name() const { return model::short_name(fqn); }

std::expected<Provider, cue::Diagnostics> read_provider(const cue::Value& value) {
  cue::Diagnostics errors;
  Provider provider;
  if (!value.field("metadata").exists()) {
    errors.push_back(problem(value.path(), "provider has no metadata", value));
  } else {
    provider.name = text_of(value, {"metadata", "name"});
    provider.version = text_of(value, {"metadata", "version"});
  }
  cue::Value transformers = value.field("transformers");
  if (!transformers.exists()) {
    errors.push_back(problem(value.path(), "provider has no transformers", value));
    return std::unexpected(std::move(errors));
  }
  // Most transformers meet no component: what nobody needs of them is not evaluated.
  for (const cue::Value::FieldEntry& entry : transformers.shallow_fields()) {
    Transformer transformer;
    transformer.fqn = label_of(entry);
    transformer.value = entry.value;
    if (!entry.value.find("#transform").exists()) {
      errors.push_back(problem(entry.value.path(), "transformer has no #transform", entry.value));
      continue;
    }
    transformer.required_labels = read_labels(entry.value, "requiredLabels");
    transformer.required_resources = read_names(entry.value, "requiredResources");
    transformer.required_traits = read_names(entry.value, "requiredTraits");
    transformer.optional_traits = read_names(entry.value, "optionalTraits");
    transformer.requirements_key = requirements_key(transformer);
    provider.transformers.push_back(std::move(transformer));
  }
  if (provider.transformers.empty() && errors.empty())
    errors.push_back(problem(transformers.path(), "provider has no transformers: the map is empty", transformers));
  if (!errors.empty()) return std::unexpected(std::move(errors));
  std::ranges::sort(provider.transformers, {}, &Transformer::fqn);
  return provider;
}

}  // namespace opm::model
