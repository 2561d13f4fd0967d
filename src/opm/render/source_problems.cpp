#include "opm/render/source_problems.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string>

#include "base/joined.h"
#include "opm/render/containers.h"
#include "opm/render/problems.h"

namespace opm::render {

namespace {

constexpr std::array<std::string_view, 4> kVariableSources = {"value", "from", "fieldRef", "resourceFieldRef"};
constexpr std::array<std::string_view, 2> kObjectSources = {"secretRef", "configMapRef"};

bool is_about_sources(const Problem& problem) { return problem.diagnostic.path.ends_with("._source"); }

class Search {
 public:
  explicit Search(const model::Component& component) : component_(component) {}

  std::vector<Problem> run() {
    visit_containers(component_, [&](const cue::Value& value, const std::string& path) { container(value, path); });
    return std::move(problems_);
  }

 private:
  void container(const cue::Value& value, const std::string& path) {
    if (cue::Value variables = value.field("env"); variables.valid()) {
      for (const cue::Value::FieldEntry& variable : variables.fields())
        check(variable.value, path + ".env." + variable.name, "the variable", kVariableSources);
    }
    if (cue::Value objects = value.field("envFrom"); objects.valid()) {
      std::vector<cue::Value> elements = objects.elements();
      for (std::size_t i = 0; i < elements.size(); ++i)
        check(elements[i], fmt::format("{}.envFrom[{}]", path, i), "the element", kObjectSources);
    }
  }

  void check(const cue::Value& value, std::string path, std::string_view what, std::span<const std::string_view> sources) {
    std::vector<std::string_view> given;
    std::vector<diag::Position> positions;
    for (std::string_view source : sources) {
      cue::Value field = value.field(source);
      if (!field.valid()) continue;
      given.push_back(source);
      for (diag::Position position : field.positions()) positions.push_back(position);
    }
    if (given.size() == 1) return;
    std::string message = given.empty() ? fmt::format("{} has no source", what)
                                        : fmt::format("{} has more than one source: {}", what, base::joined(given, " and "));
    Problem problem = make_problem(ProblemKind::invalid, "sources", std::move(message),
                                   fmt::format("give it exactly one of {}", base::joined(sources, ", ")));
    problem.component = component_.key;
    problem.diagnostic.path = std::move(path);
    problem.diagnostic.positions = given.empty() ? value.positions() : std::move(positions);
    problems_.push_back(std::move(problem));
  }

  const model::Component& component_;
  std::vector<Problem> problems_;
};

}  // namespace

void explain_sources(const std::vector<model::Component>& components, std::vector<Problem>& errors) {
  std::set<std::string> refused;
  for (const Problem& error : errors) {
    if (is_about_sources(error)) refused.insert(error.component);
  }
  for (const model::Component& component : components) {
    if (!refused.contains(component.key)) continue;
    std::vector<Problem> problems = Search(component).run();
    if (problems.empty()) continue;
    std::erase_if(errors, [&](const Problem& error) { return error.component == component.key && is_about_sources(error); });
    std::ranges::move(problems, std::back_inserter(errors));
  }
}

}  // namespace opm::render
