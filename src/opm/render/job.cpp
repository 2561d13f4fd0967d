#include "opm/render/job.h"

#include <algorithm>

#include "cue/alike_fields.h"
#include "cue/inspection.h"
#include "cue/known_value.h"

namespace opm::render {

namespace {

data::Value text(std::string value) {
  data::Value result;
  result.variant = std::move(value);
  return result;
}

class MapBuilder {
 public:
  MapBuilder& add(std::string key, std::string value) { return add(std::move(key), text(std::move(value))); }
  MapBuilder& add(std::string key, data::Value value) {
    data::Member member;
    member.key = std::move(key);
    member.value = std::move(value);
    map_.push_back(std::move(member));
    return *this;
  }
  // Only what there is something of.
  MapBuilder& add_map(std::string key, const data::Value& value) {
    if (value.is_map() && !value.as_map().empty()) add(std::move(key), value);
    return *this;
  }
  data::Value take() {
    data::Value result;
    result.variant = std::move(map_);
    return result;
  }

 private:
  data::Map map_;
};

}  // namespace

std::vector<Job> plan_jobs(const MatchPlan& plan) {
  std::vector<Job> jobs;
  for (std::uint32_t component = 0; component < plan.components.size(); ++component) {
    for (std::uint32_t transformer : plan.components[component].matched) jobs.push_back({component, transformer});
  }
  return jobs;
}

ContextFields release_context(const RenderOptions& options, const LoadedProvider& provider, const BuiltRelease& release) {
  const model::ReleaseMetadata& metadata = release.metadata;
  MapBuilder described;
  described.add("name", metadata.name)
      .add("namespace", metadata.namespace_name)
      .add("fqn", metadata.module_fqn)
      .add("version", metadata.version)
      .add("identity", metadata.identity)
      .add_map("labels", metadata.labels)
      .add_map("annotations", metadata.annotations);
  data::Value release_metadata = described.take();
  ContextFields fields;
  fields.emplace_back("name", text(metadata.name));
  fields.emplace_back("namespace", text(metadata.namespace_name));
  fields.emplace_back("#moduleReleaseMetadata", release_metadata);
  fields.emplace_back("#moduleMetadata", std::move(release_metadata));
  fields.emplace_back("version", text(metadata.version));
  fields.emplace_back("provider", text(provider.provider.name));
  data::Value strict;
  strict.variant = options.strict;
  fields.emplace_back("strict", std::move(strict));
  if (release.environment) {
    const model::Environment& environment = *release.environment;
    MapBuilder selected;
    selected.add("name", environment.name).add_map("labels", environment.labels).add_map("annotations", environment.annotations);
    fields.emplace_back("#environmentMetadata", selected.take());
    if (environment.platform.context.is_map()) fields.emplace_back("#platformContext", environment.platform.context);
  }
  if (!options.timestamp.empty()) fields.emplace_back("timestamp", text(options.timestamp));
  return fields;
}

data::Value component_metadata(const model::Component& component) {
  MapBuilder described;
  described.add("name", component.name).add_map("labels", component.labels).add_map("annotations", component.annotations);
  return described.take();
}

cue::Frozen::Handle freeze_component(cue::Frozen& frozen, const cue::Value& component,
                                     const std::vector<std::string>* definitions) {
  if (definitions == nullptr) return frozen.freeze(component);
  std::vector<std::pair<std::string, cue::Frozen::Handle>> parts;
  auto add = [&](std::string name, const cue::Value& part) {
    if (cue::Frozen::Handle handle = frozen.freeze(part)) parts.emplace_back(std::move(name), handle);
  };
  // By name, which is also how #Component declares them.
  std::vector<cue::Value> regular = cue::known_fields(component);
  std::ranges::sort(regular, {}, &cue::Value::label);
  for (const cue::Value& part : regular) add(part.label(), part);
  std::vector<std::string> names = cue::settled_names(component).value_or(std::vector<std::string>());
  std::ranges::sort(names);
  for (const std::string& name : names) {
    if (!name.starts_with('#') || !std::ranges::binary_search(*definitions, name)) continue;
    if (cue::Value part = component.find(name); part.exists()) add(name, part);
  }
  std::vector<std::pair<std::string_view, cue::Frozen::Handle>> fields(parts.begin(), parts.end());
  return frozen.structure(fields);
}

cue::Value declared_context(const cue::Value& transformer) { return transformer.find("#transform.#context"); }

std::vector<std::string> context_fields(const cue::Value& declared) {
  if (!declared.exists()) return {};
  std::vector<std::string> names = cue::declared_names(declared);
  // One that says nothing of its context gets what every catalog has.
  if (names.empty()) names = {kComponentField, "#moduleReleaseMetadata", "name", "namespace"};
  return names;
}

std::optional<std::vector<cue::Declaration>> declarations_of_context(const cue::Value& declared) {
  if (!declared.valid()) return std::nullopt;
  auto declarations = declared.package_declarations();
  if (declarations) std::ranges::sort(*declarations);
  return declarations;
}

}  // namespace opm::render
