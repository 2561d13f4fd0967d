#include "opm/render/environment_release.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <functional>

#include "base/path.h"
#include "cue/derivation.h"
#include "cue/syntax/literal.h"
#include "data/build.h"
#include "opm/render/module_files.h"
#include "opm/render/problems.h"
#include "opm/render/secret_keepers.h"
#include "opm/render/secret_problems.h"
#include "opm/render/secret_reach.h"
#include "opm/render/tiered_values.h"

namespace opm::render {

namespace {

bool is_unknown_field(const diag::Diagnostic& error) {
  return error.code == "field-not-allowed" || error.message.starts_with("field not allowed");
}

// The merge keeps one position for each value: for a field that is where it was named.
void name_fields(data::Value& value) {
  if (!value.is_map()) return;
  for (data::Member& member : value.as_map()) {
    if (!member.key_position.valid()) member.key_position = member.value.position;
    name_fields(member.value);
  }
}

bool is_below(std::string_view path, std::string_view top) { return path.size() > top.size() && path.starts_with(top) && path[top.size()] == '.'; }

// Where values are wrong, so is what the release makes of them, and where the module is, nothing fits it; that is told once,
// as is a field that is not known with all that is in it.
void drop_echoes(cue::Diagnostics& errors) {
  bool module_is_wrong = std::ranges::any_of(errors, [](const diag::Diagnostic& error) { return error.path.starts_with("#module."); });
  if (module_is_wrong) std::erase_if(errors, is_unknown_field);
  std::vector<std::string> unknown;
  for (const diag::Diagnostic& error : errors) {
    if (is_unknown_field(error)) unknown.push_back(error.path);
  }
  std::erase_if(errors, [&](const diag::Diagnostic& error) {
    return is_unknown_field(error) && std::ranges::any_of(unknown, [&](const std::string& top) { return is_below(error.path, top); });
  });
  auto is_about = [](const diag::Diagnostic& error, std::string_view part) { return error.path.starts_with(part); };
  bool values_are_wrong = std::ranges::any_of(errors, [&](const diag::Diagnostic& error) { return is_about(error, "values"); });
  if (!values_are_wrong) return;
  std::erase_if(errors, [&](const diag::Diagnostic& error) {
    return is_unknown_field(error) && !is_about(error, "values") && !is_about(error, "components.") && !is_about(error, "metadata.");
  });
}

std::string environment_path(const model::Environment& environment) {
  return "environments." + cue::syntax::quote_label(environment.key);
}

cue::Path definition(std::string name) {
  cue::Path path;
  path.elements.push_back({cue::Path::Element::Kind::definition, std::move(name), 0, {}});
  return path;
}

// The release with what is put in its place; of several, each is a world. Nothing: they are not alike.
std::optional<cue::Value> selected(const model::ReleaseDeclaration& release, std::span<const EnvironmentInput* const> inputs) {
  cue::Context& context = release.value.context();
  const EnvironmentInput& first = *inputs.front();
  bool is_possible = true;
  auto given_by = [&](data::Value EnvironmentInput::* part) {
    if (inputs.size() == 1) return context.from_documents({&(first.*part), 1});
    std::vector<const data::Value*> worlds;
    for (const EnvironmentInput* input : inputs) worlds.push_back(&(input->*part));
    std::optional<cue::Value> value = context.from_worlds(worlds);
    is_possible = is_possible && value.has_value();
    return value.value_or(cue::Value{});
  };
  std::vector<std::pair<cue::Path, cue::Value>> added;
  std::vector<cue::Value::Redeclaration> redeclared;
  cue::Value effective = given_by(&EnvironmentInput::values);
  redeclared.push_back({release.value.field("values"), {}});
  added.emplace_back(cue::Path::of({"values"}), first.unsettled.empty() ? effective : effective.fill(first.unsettled));
  // To the module these are its values, whatever its author wrote.
  if (cue::Value authors = release.value.find("#module.values"); authors.exists()) {
    redeclared.push_back({authors, {}});
    cue::Path place = definition("#module");
    place.elements.push_back({cue::Path::Element::Kind::field, "values", 0, {}});
    added.emplace_back(place, effective);
  }
  if (!first.namespace_name.is_null()) {
    if (cue::Value known = release.value.find("metadata.namespace"); known.exists()) redeclared.push_back({known, {}});
    added.emplace_back(cue::Path::of({"metadata", "namespace"}), given_by(&EnvironmentInput::namespace_name));
  }
  // Where one is selected the others do not count any more.
  cue::Value environments = release.value.field("environments");
  if (!first.key.is_null() && inputs.size() == 1 && environments.exists()) {
    redeclared.push_back({environments, {}});
    if (!first.declared.is_null())
      added.emplace_back(cue::Path::of({"environments"}).child(first.key.as_string()), given_by(&EnvironmentInput::declared));
  }
  if (!first.key.is_null()) added.emplace_back(definition("#selectedEnvironment"), given_by(&EnvironmentInput::key));
  if (!first.offered.is_null()) {
    cue::Path offered = definition("#module");
    offered.elements.push_back({cue::Path::Element::Kind::definition, "#platformContext", 0, {}});
    added.emplace_back(offered, given_by(&EnvironmentInput::offered));
  }
  if (!is_possible) return std::nullopt;
  return release.value.fill(added).redeclared(redeclared, is_release_definition);
}

bool same_shape(const data::Value& a, const data::Value& b) {
  if (a.is_map()) {
    return b.is_map() && a.as_map().size() == b.as_map().size() && std::ranges::all_of(a.as_map(), [&](const data::Member& member) {
             const data::Value* other = b.find(member.key);
             return other != nullptr && same_shape(member.value, *other);
           });
  }
  if (a.is_list()) return b.is_list() && std::ranges::equal(a.as_list(), b.as_list(), same_shape);
  if (a.is_number()) return b.is_number() && a.as_number().is_integer == b.as_number().is_integer;
  return a.is_string() ? b.is_string() : data::equal(a, b);
}

std::string_view word_of(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
  return text.substr(0, end);
}

// A module that counts on what the platform does not offer: the reference is on one of the lines that the error is about.
void explain_platform_context(const diag::SourceMap& sources, const model::Environment& environment, diag::Diagnostic& error) {
  constexpr std::string_view kReference = "#platformContext.";
  for (diag::Position position : error.positions) {
    const diag::Source* source = sources.find(position);
    if (source == nullptr) continue;
    std::string_view line = sources.line_text(position);
    for (std::size_t at = line.find(kReference); at != std::string_view::npos; at = line.find(kReference, at + 1)) {
      std::string_view field = word_of(line.substr(at + kReference.size()));
      if (field.empty() || environment.platform.context.find(field) != nullptr) continue;
      const std::string& platform = environment.platform.name;
      std::string which = platform.empty() ? fmt::format("the platform of environment \"{}\"", environment.key)
                                           : fmt::format("platform \"{}\"", platform);
      error.code = "platform-context";
      error.message = fmt::format("{} does not set \"{}\" in its context, which the module refers to", which, field);
      error.advice = fmt::format("set context.{} of the platform", field);
      std::size_t line_begin = static_cast<std::size_t>(line.data() - source->text.data());
      error.positions = {source->begin.plus(static_cast<std::uint32_t>(line_begin + at))};
      return;
    }
  }
}

}  // namespace

std::vector<ValuesScope> declared_values(const model::ReleaseDeclaration& release) {
  std::vector<ValuesScope> scopes;
  cue::Value config = release.value.find("#module.#config");
  auto add = [&](std::string path, const cue::Value& values) {
    if (values.exists()) scopes.push_back({std::move(path), values, config.unify(values), config, release.has_environments});
  };
  add("values", written_values(release));
  for (const model::Environment& environment : release.environments)
    add(environment_path(environment) + ".values", environment.value.field("values"));
  return scopes;
}

std::vector<Problem> check_values(std::span<const ValuesScope> declared) {
  std::vector<Problem> problems;
  for (const ValuesScope& scope : declared) {
    for (diag::Diagnostic& error : scope.whole.validate()) {
      if (is_unknown_field(error)) continue;
      error.path = error.path.empty() ? scope.path : scope.path + "." + error.path;
      append_problems(problems, {std::move(error)});
    }
  }
  explain_secrets(declared, problems);
  drop_alternatives(problems);
  return problems;
}

FoundSecrets find_secrets(const model::ReleaseDeclaration& release, std::vector<ValuesScope> declared,
                          const std::vector<data::Value>& documents, std::span<const cue::Value> components) {
  add_scopes(documents, release.value.find("#module.#config"), declared);
  return find_secrets(declared, components);
}

values::Reading author_values(const model::ReleaseDeclaration& release) {
  const diag::SourceMap& sources = release.value.context().program().sources();
  auto is_values_file = [](std::string_view file) { return base::base_name(file) == kValuesFile; };
  cue::Value values = release.value.find("#module.values");
  bool is_there = values.exists() && std::ranges::any_of(values.positions(), [&](diag::Position position) {
    return is_values_file(sources.locate(position).file);
  });
  if (is_there) return read_values(values.without_files(std::not_fn(is_values_file)), values::Tier::author);
  values::Reading nothing;
  nothing.tree = values::tree_of(data::map());
  return nothing;
}

EnvironmentInput environment_input(ReleaseValues& own, const model::Environment* environment,
                                   const std::optional<data::Value>& values) {
  EnvironmentInput input;
  EffectiveValues effective = own.effective(environment, values);
  input.values = std::move(effective.data);
  input.unsettled = std::move(effective.unsettled);
  input.broken = std::move(effective.broken);
  name_fields(input.values);
  if (environment == nullptr) return input;
  input.key = data::text(environment->key);
  if (!environment->namespace_name.empty()) {
    input.namespace_name = data::text(environment->namespace_name);
    input.namespace_name.position = cue::written_at(environment->value.field("namespace"));
  }
  if (auto data = environment->value.to_data()) input.declared = std::move(*data);
  if (environment->platform.context.is_map()) input.offered = environment->platform.context;
  return input;
}

bool is_alike(const EnvironmentInput& a, const EnvironmentInput& b) {
  return same_shape(a.values, b.values) && same_shape(a.namespace_name, b.namespace_name) && same_shape(a.declared, b.declared) &&
         same_shape(a.offered, b.offered);
}

std::optional<SharedRelease> build_shared_release(const model::ReleaseDeclaration& release,
                                                  std::span<const EnvironmentInput* const> inputs) {
  cue::Context& context = release.value.context();
  context.open_worlds(std::vector<bool>(inputs.size(), true));
  std::optional<cue::Value> value = selected(release, inputs);
  if (!value || !value->validate({.concrete = true, .only_regular = true}).empty()) return std::nullopt;
  SharedRelease shared;
  shared.value = *value;
  std::vector<SecretUses> uses;
  for (const cue::Value::FieldEntry& entry : value->field("components").fields()) {
    shared.components.push_back(model::read_component(entry.value));
    uses.push_back(secret_uses(shared.components.back()));
  }
  if (!unkept_secrets(uses).empty()) return std::nullopt;
  shared.metadata.resize(inputs.size());
  for (std::size_t world = 0; world < inputs.size(); ++world) {
    if (!context.holds(world)) continue;
    bool is_sound = true;
    context.in_world(world, [&] {
      shared.metadata[world] = model::read_release_metadata(*value);
      auto values = value->field("values").to_data();
      is_sound = values && unreachable_secrets(*values).empty();
    });
    if (!is_sound) return std::nullopt;
  }
  return shared;
}

BuiltRelease build_environment_release(const model::ReleaseDeclaration& release, ReleaseValues& own,
                                       const model::Environment* environment, const std::optional<data::Value>& values) {
  cue::Value value = release.value;
  cue::Value written = written_values(release);
  cue::Diagnostics errors;
  if (values || environment != nullptr) {
    EnvironmentInput input = environment_input(own, environment, values);
    const EnvironmentInput* only = &input;
    value = selected(release, {&only, 1}).value_or(value);
    written = value.context().from_documents({&input.values, 1});
    errors = std::move(input.broken);
  }
  std::ranges::move(value.validate({.concrete = true, .only_regular = true}), std::back_inserter(errors));
  drop_echoes(errors);
  BuiltRelease built = read_release(value, std::move(errors),
                                    {"values", written, value.field("values"), value.find("#module.#config")});
  built.declared.push_back({fmt::format("release \"{}\"", release.field), written_values(release)});
  if (environment != nullptr) {
    built.declared.push_back({fmt::format("environment \"{}\"", environment->key), environment->value.field("values")});
    built.environment = *environment;
    const diag::SourceMap& sources = value.context().program().sources();
    for (Problem& problem : built.problems) explain_platform_context(sources, *environment, problem.diagnostic);
  }
  return built;
}

}  // namespace opm::render
