#include "opm/render/release_builder.h"

#include <algorithm>
#include <set>

#include "cue/declared_fields.h"
#include "cue/known_value.h"
#include "opm/render/component_check.h"
#include "opm/render/component_evaluation.h"
#include "opm/render/problems.h"
#include "opm/render/reading_aids.h"
#include "opm/render/release_overlay.h"
#include "opm/render/secret_keepers.h"
#include "opm/render/secret_problems.h"
#include "opm/render/secret_reach.h"

namespace opm::render {

namespace {

constexpr std::string_view kComponents = "components";
constexpr std::string_view kValues = "values";
constexpr cue::ValidateSettings kConcrete = {.concrete = true, .only_regular = true};

// What a path below the release says to a person, who never sees the release file. `release`: its own, where it is a field.
std::string shown_path(std::string_view path, std::string_view release) {
  bool is_below = path.starts_with(release) && path.substr(release.size()).starts_with('.');
  if (!release.empty() && is_below) path.remove_prefix(release.size() + 1);
  // The module within the release, before and after it was given its values.
  for (std::string_view within : {"#module.#", "_#module.#"}) {
    if (path.starts_with(within) && path.substr(within.size()).starts_with(kComponents)) path.remove_prefix(within.size());
  }
  // Policies are the module's own, under the name that people write.
  if (path.starts_with("policies.")) return "#" + std::string(path);
  return std::string(path);
}

// The component that a path is about: the second element of components.NAME…
std::string component_of(std::string_view path) {
  constexpr std::string_view kBefore = "components.";
  if (!path.starts_with(kBefore)) return {};
  // What follows may hold indices, which are no elements of a path as people write it.
  bool is_quoted = false;
  std::size_t end = kBefore.size();
  for (; end < path.size() && (is_quoted || path[end] != '.'); ++end) {
    if (path[end] == '"') is_quoted = !is_quoted;
  }
  auto parsed = cue::Path::parse(path.substr(0, end));
  return parsed && parsed->elements.size() == 2 ? parsed->elements[1].name : std::string();
}

// Components take over what is wrong with a value that they use. It is told once, where it was written.
void drop_consequences(std::vector<Problem>& problems) {
  std::set<diag::Position> wrong;
  for (const Problem& problem : problems) {
    const diag::Diagnostic& error = problem.diagnostic;
    if (error.path == kValues || error.path.starts_with("values.")) wrong.insert(error.positions.begin(), error.positions.end());
  }
  std::set<std::string> dropped;  // paths
  std::erase_if(problems, [&](const Problem& problem) {
    const diag::Diagnostic& error = problem.diagnostic;
    bool is_consequence = !problem.component.empty() && std::ranges::any_of(error.positions, [&](diag::Position position) {
      return wrong.contains(position);
    });
    if (is_consequence) dropped.insert(error.path);
    return is_consequence;
  });
  // The head of a list ("2 errors in empty disjunction") goes with the last of the list.
  auto is_explained = [&](const std::string& path) {
    return std::ranges::any_of(problems, [&](const Problem& problem) {
      return problem.diagnostic.path == path && !problem.diagnostic.positions.empty();
    });
  };
  std::erase_if(dropped, is_explained);
  std::erase_if(problems, [&](const Problem& problem) {
    return problem.diagnostic.positions.empty() && dropped.contains(problem.diagnostic.path);
  });
}

// What is wrong with a component that is made of nothing all comes from that; it is told in its place.
void name_empty_components(const cue::Value& release, const std::set<std::string>& broken, std::vector<Problem>& problems) {
  for (const std::string& name : broken) {
    cue::Value component = release.field(kComponents).field(name);
    if (!component.exists()) continue;
    cue::Value resources = component.find("#resources");
    if (resources.exists() && !resources.fields().empty()) continue;
    std::erase_if(problems, [&](const Problem& problem) { return problem.component == name; });
    Problem problem = make_problem(ProblemKind::invalid, "no-resources", "the component has no resources, so nothing can be made of it",
                                   "embed one, such as workload.#Container of opmodel.dev/resources/workload@v0");
    problem.component = name;
    problem.diagnostic.path = "components." + name;
    problem.diagnostic.positions = component.positions();
    problems.push_back(std::move(problem));
  }
}

// Asks the fields one by one, so that what nobody sees of the release and of its components is not evaluated.
bool release_looks_sound(const cue::Value& release) {
  return std::ranges::all_of(release.shallow_fields(), [&](const cue::Value::FieldEntry& entry) {
    if (entry.value.label() != kComponents) return entry.value.validate(kConcrete).empty();
    return cue::settled_names(entry.value) && std::ranges::all_of(entry.value.shallow_fields(), [](const cue::Value::FieldEntry& one) {
      return looks_sound(one.value);
    });
  });
}

// Policies hold the components that they are about. These are the release's, but for what a release adds, and so all that may be
// wrong with them is found there.
void check_components_once(const cue::Value& module, const cue::Value& release) {
  if (!release.field("policies").exists()) return;
  for (const cue::Value::FieldEntry& entry : module.find("#components").shallow_fields()) cue::take_as_checked(entry.value);
}

// What is wrong is told best of a release that is evaluated as a whole, and from the start.
cue::Diagnostics errors_of_release(const Loaded& loaded) {
  cue::Context context(loaded.program);
  context.report_all_errors();
  return loaded.module_in(context).find(kReleaseField).validate(kConcrete);
}

}  // namespace

std::vector<cue::Value> component_values(const BuiltRelease& release) {
  std::vector<cue::Value> values;
  for (const model::Component& component : release.components) values.push_back(component.value);
  return values;
}

BuiltRelease read_release(cue::Value value, cue::Diagnostics errors, const ValuesScope& scope,
                          std::optional<EvaluatedComponents> evaluated) {
  BuiltRelease release;
  release.value = value;
  std::set<std::string> broken;
  release.usable = true;
  std::string own_path = value.path();
  for (diag::Diagnostic& error : errors) {
    // Where it is the module, all that is made of it is.
    if (error.path.starts_with("#module.") || error.path.starts_with("_#module.")) release.usable = false;
    error.path = shown_path(error.path, own_path);
    for (diag::Note& note : error.notes) {
      std::string internal = own_path + ".";
      if (own_path.empty()) continue;
      if (std::size_t at = note.message.find(internal); at != std::string::npos) note.message.erase(at, internal.size());
    }
    Problem problem;
    problem.component = component_of(error.path);
    if (problem.component.empty()) release.usable = false;
    else broken.insert(problem.component);
    problem.diagnostic = std::move(error);
    release.problems.push_back(std::move(problem));
  }
  explain_secrets({&scope, 1}, release.problems);
  drop_consequences(release.problems);
  tell_choices(release.problems);
  drop_alternatives(release.problems);
  name_empty_components(release.value, broken, release.problems);
  add_reading_aids(release.value, release.problems);
  if (!release.usable) return release;
  cue::Value values = release.value.field(kValues);
  if (values.exists()) {
    if (auto data = values.to_data()) {
      for (Problem& problem : unreachable_secrets(*data)) {
        release.usable = false;
        release.problems.push_back(std::move(problem));
      }
    }
  }
  release.metadata = model::read_release_metadata(release.value);
  std::vector<SecretUses> uses;
  if (evaluated) {
    release.components = std::move(evaluated->components);
    release.frozen = std::move(evaluated->frozen);
    release.are_together = evaluated->are_together;
    release.secret_places = std::move(evaluated->secret_places);
    uses = std::move(evaluated->secret_uses);
  } else {
    for (const cue::Value::FieldEntry& entry : release.value.field(kComponents).shallow_fields()) {
      if (broken.contains(entry.value.label())) continue;
      release.components.push_back(model::read_component(entry.value));
      uses.push_back(secret_uses(release.components.back()));
    }
  }
  // What a broken component keeps is not known.
  if (broken.empty()) std::ranges::move(unkept_secrets(uses), std::back_inserter(release.problems));
  return release;
}

BuiltRelease build_release(const RenderOptions& options, const Loaded& loaded, const LoadedProvider& provider,
                           const LoadedModule& module) {
  cue::Value release = module.value.find(kReleaseField);
  check_components_once(module.value, release);
  std::optional<EvaluatedComponents> evaluated = evaluate_components(options, loaded, provider, release, !options.dump_jobs);
  cue::Diagnostics errors;
  if (!evaluated && !release_looks_sound(release)) errors = errors_of_release(loaded);
  // Through the release file the values are part of #config, so that components see them. What #config itself allows
  // is asked without it.
  auto is_release_file = [](std::string_view file) { return file.ends_with(kReleaseFile); };
  cue::Value config = module.value.find("#config");
  if (!errors.empty() || !cue::declares_fields_of(config, is_release_file, release.field(kValues))) {
    for (diag::Diagnostic& error : config.without_files(is_release_file).unify(module.value.field(kValues)).validate()) {
      if (error.code != "field-not-allowed" && !error.message.starts_with("field not allowed")) continue;
      error.path = "values." + error.path;
      errors.push_back(std::move(error));
    }
  }
  ValuesScope scope;
  if (!errors.empty()) scope = values_of_module(module.value);  // for what is said of them
  return read_release(release, std::move(errors), scope, std::move(evaluated));
}

void take_apart(BuiltRelease& release, const RenderOptions& options, const Loaded& loaded, const LoadedProvider& provider) {
  release.are_together = false;
  std::optional<EvaluatedComponents> evaluated = evaluate_components(options, loaded, provider, release.value, false);
  if (!evaluated) return;
  release.components = std::move(evaluated->components);
  release.frozen = std::move(evaluated->frozen);
}

}  // namespace opm::render
