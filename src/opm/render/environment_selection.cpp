#include "opm/render/environment_selection.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/joined.h"
#include "base/suggestion.h"
#include "opm/render/problems.h"

namespace opm::render {

namespace {

using model::Environment;
using model::ReleaseDeclaration;

std::vector<std::string> names_of(const ReleaseDeclaration& release) {
  std::vector<std::string> names;
  for (const Environment& environment : release.environments) names.push_back(environment.key);
  return names;
}

std::string text_of(const data::Value& label) {
  if (label.is_string()) return label.as_string();
  if (label.is_bool()) return label.as_bool() ? "true" : "false";
  if (label.is_number()) return label.as_number().text;
  return {};
}

struct LabelTest {
  std::string key;
  std::string value;
  bool is_equal = true;

  bool accepts(const Environment& environment) const {
    const data::Value* found = environment.labels.find(key);
    bool is_same = found != nullptr && text_of(*found) == value;
    return is_same == is_equal;
  }
};

// "tier=prod,region!=eu"; empty: that is not how labels are written.
std::vector<LabelTest> parse_labels(std::string_view text) {
  std::vector<LabelTest> tests;
  while (!text.empty()) {
    std::size_t comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0) return {};
    LabelTest test;
    std::string_view key = part.substr(0, equals);
    if (key.ends_with('!')) {
      test.is_equal = false;
      key.remove_suffix(1);
    }
    std::string_view value = part.substr(equals + 1);
    if (value.starts_with('=')) value.remove_prefix(1);
    if (key.empty()) return {};
    test.key = key;
    test.value = value;
    tests.push_back(std::move(test));
  }
  return tests;
}

Problem about(const ReleaseDeclaration& release, std::string code, std::string message, std::string advice) {
  Problem problem = make_problem(ProblemKind::invalid, std::move(code), std::move(message), std::move(advice));
  if (release.value.exists()) problem.diagnostic.positions = release.value.positions();
  return problem;
}

std::string listed(const ReleaseDeclaration& release) {
  return fmt::format("it has {}", base::joined(names_of(release), ", "));
}

std::string known_labels(const ReleaseDeclaration& release) {
  std::set<std::string> labels;
  for (const Environment& environment : release.environments) {
    if (!environment.labels.is_map()) continue;
    for (const data::Member& member : environment.labels.as_map()) labels.insert(member.key + "=" + text_of(member.value));
  }
  if (labels.empty()) return "none of its environments has labels";
  return fmt::format("its environments have {}", base::joined(labels, ", "));
}

std::expected<std::vector<std::size_t>, Problem> matching(const ReleaseDeclaration& release, const std::string& selector) {
  std::vector<LabelTest> tests = parse_labels(selector);
  if (tests.empty())
    return std::unexpected(about(release, "environment-selector", fmt::format("\"{}\" selects no labels", selector),
                                 "write KEY=VALUE or KEY!=VALUE, with commas between"));
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < release.environments.size(); ++i) {
    if (std::ranges::all_of(tests, [&](const LabelTest& test) { return test.accepts(release.environments[i]); })) found.push_back(i);
  }
  if (found.empty())
    return std::unexpected(about(release, "environment-not-found",
                                 fmt::format("release \"{}\" has no environment with {}", release.field, selector),
                                 known_labels(release)));
  return found;
}

std::expected<std::size_t, Problem> named(const ReleaseDeclaration& release, const std::string& name) {
  for (std::size_t i = 0; i < release.environments.size(); ++i) {
    if (release.environments[i].key == name) return i;
  }
  base::Suggestion suggestion(name);
  for (const Environment& environment : release.environments) suggestion.consider(environment.key);
  std::string advice = listed(release);
  if (!suggestion.best().empty()) advice = fmt::format("did you mean \"{}\"? {}", suggestion.best(), advice);
  return std::unexpected(about(release, "environment-not-found",
                               fmt::format("release \"{}\" has no environment \"{}\"", release.field, name), std::move(advice)));
}

}  // namespace

std::expected<std::vector<std::size_t>, Problem> select_environments(const ReleaseDeclaration& release,
                                                                     const EnvironmentSelection& selection) {
  bool is_asked = selection.all || !selection.selectors.empty();
  if (!release.has_environments || release.environments.empty()) {
    if (!is_asked) return std::vector<std::size_t>();
    return std::unexpected(about(release, "no-environments", fmt::format("release \"{}\" has no environments", release.field),
                                 selection.all ? "leave out --all-environments" : "leave out -e"));
  }
  if (!is_asked)
    return std::unexpected(about(release, "environment-required",
                                 fmt::format("release \"{}\" has environments: say which with -e", release.field), listed(release)));
  std::set<std::size_t> chosen;
  if (selection.all) {
    for (std::size_t i = 0; i < release.environments.size(); ++i) chosen.insert(i);
  }
  for (const std::string& selector : selection.selectors) {
    if (selector.find('=') != std::string::npos) {
      auto found = matching(release, selector);
      if (!found) return std::unexpected(std::move(found.error()));
      chosen.insert(found->begin(), found->end());
    } else {
      auto found = named(release, selector);
      if (!found) return std::unexpected(std::move(found.error()));
      chosen.insert(*found);
    }
  }
  return std::vector<std::size_t>(chosen.begin(), chosen.end());
}

}  // namespace opm::render
