#include "opm/render/secret_keepers.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

#include "opm/render/containers.h"
#include "opm/render/problems.h"

namespace opm::render {

namespace {

using SecretKey = std::pair<std::string, std::string>;  // the object and the key in it

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

class Check {
 public:
  explicit Check(const std::set<SecretKey>& kept) : kept_(kept) {}
  std::vector<Problem> problems;

  void component(const model::Component& component) {
    component_ = component.key;
    visit_containers(component, [&](const cue::Value& value, const std::string& path) { container(value, path); });
  }

 private:
  void container(const cue::Value& value, const std::string& path) {
    for (std::string_view part : {"env", "volumeMounts"}) {
      cue::Value entries = value.field(part);
      if (!entries.valid()) continue;
      for (const cue::Value::FieldEntry& entry : entries.fields()) {
        cue::Value secret = entry.value.field("from");
        if (secret.valid()) reference(secret, fmt::format("{}.{}.{}.from", path, part, entry.name));
      }
    }
  }

  void reference(const cue::Value& secret, std::string path) {
    SecretKey key{text_of(secret, "$secretName"), text_of(secret, "$dataKey")};
    if (key.first.empty() || text_of(secret, "source") == "k8s" || kept_.contains(key)) return;
    Problem problem = make_problem(ProblemKind::invalid, "unkept-secret",
                                   fmt::format("no Secret keeps {} of {}: secrets are looked for among the values", key.second, key.first),
                                   "declare it in #config and refer to it there");
    problem.component = component_;
    problem.diagnostic.path = std::move(path);
    problem.diagnostic.positions = secret.positions();
    problems.push_back(std::move(problem));
  }

  const std::set<SecretKey>& kept_;
  std::string component_;
};

}  // namespace

std::vector<Problem> unkept_secrets(const std::vector<model::Component>& components) {
  std::set<SecretKey> kept;
  for (const model::Component& component : components) {
    if (cue::Value spec = component.value.field("spec"); spec.valid()) add_kept(spec, kept);
  }
  Check check(kept);
  for (const model::Component& component : components) check.component(component);
  return std::move(check.problems);
}

}  // namespace opm::render
