#include "opm/render/explain.h"

#include <algorithm>
#include <map>
#include <utility>

#include "opm/model/object_path.h"
#include "opm/render/concealment.h"
#include "opm/render/job.h"
#include "opm/render/manifests.h"
#include "opm/render/origin_tracer.h"
#include "opm/render/resource_query.h"

namespace opm::render {

namespace {

ResourcePlace place_of(const std::vector<Resource>& resources, std::size_t index) {
  const Resource& resource = resources[index];
  auto is_alike = [&](const Resource& other) {
    return other.component == resource.component && other.transformer == resource.transformer && other.kind == resource.kind;
  };
  auto number = std::count_if(resources.begin(), resources.begin() + static_cast<std::ptrdiff_t>(index), is_alike);
  return {resource.component, resource.transformer, resource.kind, static_cast<std::size_t>(number)};
}

std::optional<std::size_t> resource_at(const std::vector<Resource>& resources, const ResourcePlace& place) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const Resource& other = resources[i];
    if (other.component != place.component || other.transformer != place.transformer || other.kind != place.kind) continue;
    if (number++ == place.number) return i;
  }
  return std::nullopt;
}

// The run of the transformer that made the resource, once more.
class Run {
 public:
  Run(const Loaded& loaded, const LoadedProvider& provider, const BuiltRelease& release, std::uint32_t component,
      std::uint32_t transformer)
      : frozen_(loaded.program), origins_(frozen_) {
    const model::Component& part = release.components[component];
    Handle frozen_component = frozen_.freeze(part.value);
    std::vector<std::string> declared = context_fields(declared_context(provider.transformer(loaded, transformer)));
    std::vector<std::pair<std::string_view, Handle>> told;
    std::vector<cue::Value> told_of;
    ContextFields own = {{kComponentField, component_metadata(part)}};
    for (const ContextFields* fields : {&release.context, &std::as_const(own)}) {
      for (const auto& [name, value] : *fields) {
        if (!std::ranges::binary_search(declared, name)) continue;
        told.emplace_back(name, frozen_.freeze(value));
        told_of.push_back(origin_of_context(name, release, part));
      }
    }
    Handle context = frozen_.structure(told);
    const std::pair<std::string_view, Handle> both[] = {{"#component", frozen_component}, {"#context", context}};
    Handle input = frozen_.structure(both);
    origins_.add_fields(context, told_of);
    const cue::Value component_of[] = {part.value};
    origins_.add_fields(input, component_of);
    context_ = std::make_unique<cue::Context>(loaded.program, &frozen_);
    output_ = provider.transformer(*context_, transformer).find("#transform").unify(context_->thaw(input)).field("output");
  }

  cue::Context& context() { return *context_; }
  const cue::FrozenOrigins& origins() const { return origins_; }

  // The resource in what the transformer made; invalid, if it is not there.
  cue::Value find(const Resource& resource) const {
    if (!output_.exists()) return {};
    // What nobody asks about is not evaluated: objects are looked into field by field.
    std::vector<cue::Value> candidates;
    if (output_.field("apiVersion").exists()) {
      candidates = {output_};
    } else if (output_.kind() != cue::kinds::structure) {
      candidates = output_.elements();
    } else {
      for (const cue::Value::FieldEntry& entry : output_.fields()) candidates.push_back(entry.value);
    }
    for (const cue::Value& candidate : candidates) {
      if (candidate.field("kind").string() == resource.kind && candidate.find("metadata.name").string() == resource.name) return candidate;
    }
    return {};
  }

 private:
  using Handle = cue::Frozen::Handle;

  // What transformers are told is computed from these.
  static cue::Value origin_of_context(std::string_view name, const BuiltRelease& release, const model::Component& component) {
    cue::Value metadata = release.value.field("metadata");
    if (name == "#componentMetadata") return component.value.field("metadata");
    if (name == "#moduleReleaseMetadata" || name == "#moduleMetadata") return metadata;
    if (name == "name" || name == "namespace" || name == "version") return metadata.valid() ? metadata.field(name) : cue::Value();
    return {};
  }

  cue::Frozen frozen_;
  cue::FrozenOrigins origins_;
  std::unique_ptr<cue::Context> context_;
  cue::Value output_;
};

class Explainer {
 public:
  Explainer(const TracedJob& job, ResourceOrigins& origins) : job_(job), origins_(origins) {}

  // `chain`: the values down to the one that stands for `part`.
  void add_leaves(const data::Value& part) {
    if (part.is_map() && !part.as_map().empty()) {
      for (const data::Member* member : data::sorted_members(part.as_map())) below(member->key, chain_.back().field(member->key), member->value);
    } else if (part.is_list() && !part.as_list().empty()) {
      std::vector<cue::Value> elements = chain_.back().elements();
      for (std::size_t i = 0; i < part.as_list().size(); ++i)
        below(std::to_string(i), i < elements.size() ? elements[i] : cue::Value(), part.as_list()[i]);
    } else {
      origins_.fields.push_back({path_, {}, trace_origins(job_, chain_)});
    }
  }

  void start(const cue::Value& value) { chain_.push_back(value); }
  void descend(const data::Value& parent, const std::string& key) {
    cue::Value next;
    if (parent.is_list()) {
      std::vector<cue::Value> elements = chain_.back().elements();
      if (std::size_t index = std::stoul(key); index < elements.size()) next = elements[index];
    } else {
      next = chain_.back().field(key);
    }
    path_.push_back(key);
    chain_.push_back(next);
  }
  bool is_valid() const { return chain_.back().valid(); }

 private:
  void below(const std::string& key, const cue::Value& value, const data::Value& part) {
    if (!value.valid()) return;
    path_.push_back(key);
    chain_.push_back(value);
    add_leaves(part);
    chain_.pop_back();
    path_.pop_back();
  }

  const TracedJob& job_;
  ResourceOrigins& origins_;
  std::vector<std::string> path_;
  std::vector<cue::Value> chain_;
};

// Puts the lines of a render without secrets in the place of those of the real one.
void conceal_lines(const MaskedSources& masked, const std::optional<ResourceOrigins>& without, ResourceOrigins& origins) {
  // Where the two are not alike, nothing is quoted.
  bool is_alike = without && std::ranges::equal(origins.fields, without->fields, {}, &FieldOrigin::path, &FieldOrigin::path);
  for (std::size_t i = 0; i < origins.fields.size(); ++i) {
    if (is_alike) origins.fields[i].steps = without->fields[i].steps;
    for (OriginStep& step : origins.fields[i].steps) {
      step.text_offset = is_alike ? masked.shown(step.text.substr(0, step.text_offset)).size() : 0;
      step.text = is_alike ? masked.shown(step.text) : std::string();
    }
  }
}

// Puts in the values of the fields, secrets masked.
void show_values(ExplainedRender& explained) {
  if (!explained.origins) return;
  ResourceOrigins& origins = *explained.origins;
  std::optional<std::size_t> index = resource_at(explained.result.resources, origins.place);
  if (!index) return explained.origins.reset();
  std::vector<Resource> shown;
  shown.push_back(explained.result.resources[*index]);
  redact_secrets(shown);
  origins.object = std::move(shown.front().object);
  for (FieldOrigin& field : origins.fields) {
    if (const data::Value* value = model::part_of(std::as_const(origins.object), field.path)) field.value = *value;
  }
}

}  // namespace

std::optional<ResourceOrigins> explain_resource(const RenderOptions& options, const ExplainRequest& request, const Loaded& loaded,
                                                const LoadedProvider& provider, const BuiltRelease& release, RenderResult& result) {
  if (!result.errors.empty()) return std::nullopt;
  std::optional<std::size_t> index;
  if (request.place) {
    index = resource_at(result.resources, *request.place);
  } else if (auto found = find_resource(result.resources, request.resource)) {
    index = *found;
  } else {
    result.errors.push_back(std::move(found.error()));
  }
  if (!index) return std::nullopt;
  const Resource& resource = result.resources[*index];
  auto path = find_part(resource, request.path);
  if (!path) {
    result.errors.push_back(std::move(path.error()));
    return std::nullopt;
  }
  auto component = std::ranges::find(release.components, resource.component, &model::Component::key);
  auto transformer = std::ranges::find(provider.provider.transformers, resource.transformer, &model::Transformer::fqn);
  if (component == release.components.end() || transformer == provider.provider.transformers.end()) return std::nullopt;
  Run run(loaded, provider, release, static_cast<std::uint32_t>(component - release.components.begin()),
          static_cast<std::uint32_t>(transformer - provider.provider.transformers.begin()));
  cue::Value made = run.find(resource);
  if (!made.valid()) return std::nullopt;
  ResourceOrigins origins{resource.api_version, resource.kind, resource.namespace_name, resource.name,
                          place_of(result.resources, *index), *path, {}, {}};
  TracedJob job{options, run.context(), run.origins(), release};
  Explainer explainer(job, origins);
  explainer.start(made);
  const data::Value* part = &resource.object;
  for (const std::string& key : *path) {
    explainer.descend(*part, key);
    part = part->is_list() ? &part->as_list()[std::stoul(key)] : part->find(key);
  }
  if (explainer.is_valid()) explainer.add_leaves(*part);
  return origins;
}

ExplainedRender explain_with(const RenderOptions& options, const ExplainRequest& request, const AskRender& ask) {
  ExplainedRender explained;
  cue::run_on_large_stack([&] {
    RenderOptions first = options;
    first.find_secrets = true;
    AskedRender asked = ask(first, request);
    explained = std::move(asked.explained);
    if (!asked.masked) return;
    RenderOptions again = first;
    again.masked = &*asked.masked;
    again.clock = nullptr;
    ExplainRequest same = request;
    if (explained.origins) same.place = explained.origins->place;
    ExplainedRender without = ask(again, same).explained;
    conceal_secrets(first, *asked.masked, without.result, explained.result);
    if (explained.origins) conceal_lines(*asked.masked, without.origins, *explained.origins);
  });
  show_values(explained);
  return explained;
}

}  // namespace opm::render
