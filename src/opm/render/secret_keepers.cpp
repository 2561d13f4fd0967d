#include "opm/render/secret_keepers.h"

#include <fmt/core.h>

#include "opm/render/containers.h"
#include "opm/render/problems.h"

namespace opm::render {

namespace {

std::string text_of(const cue::Value& value, std::string_view field) {
  cue::Value text = value.field(field);
  return text.valid() ? std::string(text.string().value_or("")) : std::string();
}

void add_kept(const cue::Value& spec, std::set<SecretKey>& kept) {
  cue::Value secrets = spec.field("secrets");
  if (!secrets.valid()) return;
  for (const cue::Value::FieldEntry& secret : secrets.fields()) {
    cue::Value data = secret.value.field("data");
    if (!data.valid()) continue;
    for (const cue::Value::FieldEntry& entry : data.fields()) kept.emplace(secret.value.label(), entry.value.label());
  }
}

void add_reference(const cue::Value& secret, std::string path, std::vector<SecretUses::Reference>& references) {
  SecretKey key{text_of(secret, "$secretName"), text_of(secret, "$dataKey")};
  if (key.first.empty() || text_of(secret, "source") == "k8s") return;
  references.push_back({std::move(key), std::move(path), secret.positions()});
}

void add_references(const cue::Value& container, const std::string& path, SecretUses& uses) {
  for (std::string_view part : {"env", "volumeMounts"}) {
    cue::Value entries = container.field(part);
    if (!entries.valid()) continue;
    for (const cue::Value::FieldEntry& entry : entries.fields()) {
      cue::Value secret = entry.value.field("from");
      if (!secret.valid()) continue;
      uses.has_secrets = true;
      add_reference(secret, fmt::format("{}.{}.{}.from", path, part, entry.name), uses.references);
    }
  }
}

}  // namespace

SecretUses secret_uses(const model::Component& component) {
  SecretUses uses;
  uses.component = component.key;
  if (cue::Value spec = component.value.field("spec"); spec.valid()) add_kept(spec, uses.kept);
  visit_containers(component, [&](const cue::Value& value, const std::string& path) {
    add_references(value, path, uses);
  });
  return uses;
}

std::vector<Problem> unkept_secrets(std::span<const SecretUses> uses) {
  std::set<SecretKey> kept;
  for (const SecretUses& of_component : uses) kept.insert(of_component.kept.begin(), of_component.kept.end());
  std::vector<Problem> problems;
  for (const SecretUses& of_component : uses) {
    for (const SecretUses::Reference& reference : of_component.references) {
      const auto& [object, key] = reference.key;
      if (kept.contains(reference.key)) continue;
      Problem problem = make_problem(ProblemKind::invalid, "unkept-secret",
                                     fmt::format("no Secret keeps {} of {}: secrets are looked for among the values", key, object),
                                     "declare it in #config and refer to it there");
      problem.component = of_component.component;
      problem.diagnostic.path = reference.path;
      problem.diagnostic.positions = reference.positions;
      problems.push_back(std::move(problem));
    }
  }
  return problems;
}

}  // namespace opm::render
