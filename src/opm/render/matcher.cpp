#include "opm/render/matcher.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/joined.h"
#include "data/json.h"
#include "opm/render/problems.h"

namespace opm::render {

namespace {

using model::Component;
using model::Provider;
using model::Transformer;

std::string label_text(const data::Value& value) {
  return value.is_string() ? value.as_string() : data::write_json(value);
}

std::vector<std::string> missing(const std::vector<std::string>& required, const std::vector<std::string>& present) {
  std::vector<std::string> result;
  std::ranges::set_difference(required, present, std::back_inserter(result));
  return result;
}

class Matcher {
 public:
  Matcher(const Provider& provider, bool tells_all) : provider_(provider), tells_all_(tells_all) {
    for (const Transformer& transformer : provider.transformers) {
      for (const model::LabelRequirement& label : transformer.required_labels) label_keys_.insert(label.key);
    }
  }

  // What is found of all components that transformers cannot tell apart.
  struct Row {
    std::shared_ptr<const std::vector<MatchDetail>> details;
    std::vector<std::uint32_t> matched;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> rivals;  // of these, with the same requirements
    std::vector<std::string> unhandled_traits;
  };

  const Row& row(const Component& component) {
    // Those that stand side by side are mostly alike.
    if (last_component_ == nullptr || !is_alike(*last_component_, component)) {
      auto [at, is_new] = rows_.try_emplace(signature(component));
      if (is_new) at->second = make_row(component);
      last_row_ = &at->second;
    }
    last_component_ = &component;
    return *last_row_;
  }

 private:
  bool is_alike(const Component& a, const Component& b) const {
    return a.resources == b.resources && a.traits == b.traits && std::ranges::all_of(label_keys_, [&](const std::string& key) {
      const data::Value* one = a.labels.find(key);
      const data::Value* other = b.labels.find(key);
      return one == nullptr || other == nullptr ? one == other : data::equal(*one, *other);
    });
  }

  Row make_row(const Component& component) {
    Row row;
    std::map<std::string_view, std::uint32_t> by_requirements;
    for (std::uint32_t i = 0; i < provider_.transformers.size(); ++i) {
      if (!matches(component, provider_.transformers[i])) continue;
      row.matched.push_back(i);
      auto [first, is_new] = by_requirements.try_emplace(provider_.transformers[i].requirements_key, i);
      if (!is_new) row.rivals.emplace_back(first->second, i);
    }
    if (tells_all_ || row.matched.empty()) {
      auto details = std::make_shared<std::vector<MatchDetail>>();
      for (const Transformer& transformer : provider_.transformers) details->push_back(detail(component, transformer));
      row.details = std::move(details);
    }
    if (!row.matched.empty()) row.unhandled_traits = unhandled_traits(component, row.matched);
    return row;
  }

  std::vector<std::string> unhandled_traits(const Component& component, const std::vector<std::uint32_t>& matched) const {
    std::vector<std::string> left = component.traits;
    for (std::uint32_t index : matched) {
      left = missing(left, provider_.transformers[index].required_traits);
      left = missing(left, provider_.transformers[index].optional_traits);
    }
    return left;
  }

  // All that transformers can tell components apart by.
  std::string signature(const Component& component) const {
    std::string text;
    for (const std::string& key : label_keys_) {
      const data::Value* label = component.labels.find(key);
      text += label == nullptr ? std::string("-") : data::write_json(*label);
      text += '\n';
    }
    for (const std::string& name : component.resources) text += name + "\n";
    text += "\n";
    for (const std::string& name : component.traits) text += name + "\n";
    return text;
  }

  static bool matches(const Component& component, const Transformer& transformer) {
    return std::ranges::includes(component.resources, transformer.required_resources) &&
           std::ranges::includes(component.traits, transformer.required_traits) &&
           std::ranges::all_of(transformer.required_labels, [&](const model::LabelRequirement& required) {
             return has_label(component, required);
           });
  }

  static MatchDetail detail(const Component& component, const Transformer& transformer) {
    MatchDetail result;
    for (const model::LabelRequirement& required : transformer.required_labels) {
      if (has_label(component, required)) continue;
      const data::Value* label = component.labels.find(required.key);
      result.missing_labels.push_back({required.key, required.text, label == nullptr ? std::string() : label_text(*label)});
    }
    result.missing_resources = missing(transformer.required_resources, component.resources);
    result.missing_traits = missing(transformer.required_traits, component.traits);
    result.matched = result.missing_labels.empty() && result.missing_resources.empty() && result.missing_traits.empty();
    return result;
  }

  static bool has_label(const Component& component, const model::LabelRequirement& required) {
    const data::Value* label = component.labels.find(required.key);
    if (label == nullptr) return false;
    if (required.texts) return label->is_string() && std::ranges::find(*required.texts, label->as_string()) != required.texts->end();
    cue::Value both = component.value.context().from_data(*label).unify(required.value);
    return !both.has_error();
  }

  const Provider& provider_;
  bool tells_all_;
  std::set<std::string> label_keys_;
  std::map<std::string, Row> rows_;
  const Component* last_component_ = nullptr;
  const Row* last_row_ = nullptr;
};

diag::Diagnostic about(const Component& component, std::string code, std::string message) {
  diag::Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.path = "components." + component.key;
  diagnostic.message = std::move(message);
  diagnostic.positions = component.value.positions();
  return diagnostic;
}

Problem problem_of(const Component& component, std::string code, std::string message) {
  Problem problem;
  problem.component = component.key;
  problem.diagnostic = about(component, std::move(code), std::move(message));
  return problem;
}

// "requires label x: "y" (has "z"), trait Expose"
std::string missing_text(const MatchDetail& detail) {
  std::vector<std::string> parts;
  for (const MatchDetail::MissingLabel& label : detail.missing_labels) {
    std::string part = fmt::format("label {}: {}", label.key, label.wanted);
    if (!label.found.empty()) part += fmt::format(" (it is \"{}\")", label.found);
    parts.push_back(std::move(part));
  }
  for (const std::string& name : detail.missing_resources) parts.push_back(fmt::format("resource {}", name));
  for (const std::string& name : detail.missing_traits) parts.push_back(fmt::format("trait {}", name));
  return base::joined(parts, ", ");
}

Problem unmatched(const Component& component, const Provider& provider, const std::vector<MatchDetail>& details) {
  std::string message = fmt::format("No transformers matched component '{}'. Available transformers", component.key);
  Problem problem = problem_of(component, "unmatched-component", std::move(message));
  for (std::size_t i = 0; i < details.size(); ++i) {
    diag::Note note;
    note.message = fmt::format("{} misses {}", provider.transformers[i].fqn, missing_text(details[i]));
    problem.diagnostic.notes.push_back(std::move(note));
  }
  problem.diagnostic.advice = component.resources.empty()
                                  ? "the component has no resources: embed one, such as workload.#Container"
                                  : "add what one of them misses, or a transformer to the provider in your configuration";
  return problem;
}

TransformerRequirements requirements_of(const Transformer& transformer) {
  TransformerRequirements requirements;
  requirements.fqn = transformer.fqn;
  for (const model::LabelRequirement& label : transformer.required_labels) requirements.labels.emplace_back(label.key, label.text);
  requirements.resources = transformer.required_resources;
  requirements.traits = transformer.required_traits;
  return requirements;
}

}  // namespace

Match match_components(const std::vector<Component>& components, const Provider& provider, bool strict, bool tells_all) {
  Match match;
  match.plan.provider = provider.name;
  Matcher matcher(provider, tells_all);
  match.plan.components.reserve(components.size());
  for (const Component& component : components) {
    ComponentMatch found;
    found.component = component.key;
    const Matcher::Row& row = matcher.row(component);
    found.details = row.details;
    found.matched = row.matched;
    for (const auto& [first, second] : row.rivals) {
      match.errors.push_back(problem_of(
          component, "multiple-exact-matches",
          fmt::format("multiple exact transformer matches for component '{}': {} and {} have the same requirements", component.key,
                      provider.transformers[first].fqn, provider.transformers[second].fqn)));
    }
    if (found.matched.empty()) {
      match.errors.push_back(unmatched(component, provider, *found.details));
    } else {
      found.unhandled_traits = row.unhandled_traits;
      for (const std::string& trait : found.unhandled_traits) {
        Problem problem = problem_of(component, "unhandled-trait",
                                     fmt::format("no matching transformer makes use of trait {}", trait));
        problem.diagnostic.severity = strict ? diag::Severity::error : diag::Severity::warning;
        (strict ? match.errors : match.warnings).push_back(std::move(problem));
      }
    }
    match.plan.components.push_back(std::move(found));
  }
  if (std::ranges::any_of(match.plan.components, [](const ComponentMatch& component) { return component.details != nullptr; }))
    std::ranges::transform(provider.transformers, std::back_inserter(match.plan.transformers), requirements_of);
  return match;
}

}  // namespace opm::render
