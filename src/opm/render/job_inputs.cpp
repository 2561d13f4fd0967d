#include "opm/render/job_inputs.h"

#include <algorithm>
#include <ranges>
#include <set>

namespace opm::render {

JobInputs::JobInputs(const RenderOptions& options, const Loaded& loaded, const LoadedProvider& provider,
                     const std::vector<model::Component>& components, std::vector<ContextFields> told,
                     const std::vector<Job>& jobs, cue::Frozen* frozen)
    : options_(options),
      loaded_(loaded),
      provider_(provider),
      components_(components),
      told_(std::move(told)),
      jobs_(jobs),
      own_frozen_(frozen != nullptr ? nullptr : std::make_unique<cue::Frozen>(loaded.program)),
      frozen_(frozen != nullptr ? *frozen : *own_frozen_) {
  auto names = std::views::keys(told_.front());
  usable_ = std::ranges::all_of(told_, [&](const ContextFields& other) { return std::ranges::equal(std::views::keys(other), names); });
  for (std::size_t i = 0; usable_ && i < told_.front().size(); ++i) {
    const auto& [name, value] = told_.front()[i];
    std::optional<cue::Value> varying;
    if (told_.size() > 1) varying = told_value(i);
    usable_ = told_.size() == 1 || varying.has_value();
    release_fields_.emplace_back(name, varying ? frozen_.freeze(*varying) : frozen_.freeze(value));
  }
  for (std::size_t i = 0; usable_ && i < jobs.size(); ++i) inputs_.push_back(input(jobs[i]));
}

std::optional<cue::Value> JobInputs::told_value(std::size_t field) const {
  if (told_.size() == 1) return loaded_.context->from_data(told_.front()[field].second);
  std::vector<const data::Value*> values;
  for (const ContextFields& fields : told_) values.push_back(&fields[field].second);
  return loaded_.context->from_worlds(values);
}

bool JobInputs::share_context(std::size_t one, std::size_t other) const {
  std::size_t shared = groups_of_.at(jobs_[one].transformer);
  return shared == groups_of_.at(jobs_[other].transformer) && groups_[shared].declarations.has_value();
}

const std::vector<cue::Declaration>& JobInputs::context_declarations(std::size_t job) const {
  return *groups_[groups_of_.at(jobs_[job].transformer)].declarations;
}

const std::vector<cue::Declaration>& JobInputs::known_declarations(std::size_t job) const {
  return groups_[groups_of_.at(jobs_[job].transformer)].known_declarations;
}

JobInputs::Handle JobInputs::evaluate_context(std::size_t job, Handle reduced, cue::Frozen& evaluated, base::BlockPool& memory,
                                              std::vector<bool>& held) const {
  if (auto known = evaluated_.find(reduced); known != evaluated_.end() && held.empty()) return known->second;
  const Group& group = groups_[groups_of_.at(jobs_[job].transformer)];
  cue::Context context(loaded_.program, &frozen(), &memory);
  if (!held.empty()) context.open_worlds(held);
  context.mute(group.known_declarations);
  cue::Value declared = declared_context(provider_.transformer(context, jobs_[job].transformer));
  Handle result = evaluated.freeze_whole(declared.unify(context.thaw(reduced)));
  for (std::size_t world = 0; world < held.size(); ++world) held[world] = held[world] && context.holds(world);
  return result;
}

void JobInputs::evaluate_contexts(std::span<const std::size_t> shared, std::span<const std::size_t> alone) {
  constexpr std::size_t kMostTogether = 32;  // more worlds make one evaluation longer than several of them
  using Look = std::pair<std::size_t, std::size_t>;  // group and shape
  auto look_of = [&](std::size_t job) { return Look(groups_of_.at(jobs_[job].transformer), frozen_.shape(inputs_[job].reduced_context)); };
  std::map<Look, std::vector<std::size_t>> alike;
  for (std::size_t job : shared) alike[look_of(job)].push_back(job);
  for (std::size_t job : alone) {
    if (auto known = alike.find(look_of(job)); known != alike.end()) known->second.push_back(job);
  }
  for (const auto& [look, all] : alike) {
    for (std::span<const std::size_t> left = all; left.size() > 1; left = left.subspan(std::min(left.size(), kMostTogether)))
      evaluate_together(left.first(std::min(left.size(), kMostTogether)));
  }
}

void JobInputs::evaluate_together(std::span<const std::size_t> jobs) {
  if (contexts_ == nullptr) contexts_ = std::make_unique<cue::Frozen>(&frozen_);
  std::vector<Handle> given;
  for (std::size_t job : jobs) given.push_back(inputs_[job].reduced_context);
  Handle woven = contexts_->varying(given);
  if (woven == nullptr) return;
  base::BlockPool memory;
  cue::Context context(loaded_.program, &frozen_, &memory);
  context.open_worlds(std::vector<bool>(jobs.size(), true));
  context.mute(known_declarations(jobs.front()));
  cue::Value declared = declared_context(provider_.transformer(context, jobs_[jobs.front()].transformer));
  Handle all = contexts_->freeze_whole(declared.unify(context.thaw(woven)));
  if (all == nullptr) return;
  for (std::size_t world = 0; world < jobs.size(); ++world) {
    if (!context.holds(world)) continue;
    cue::Context own(loaded_.program, &frozen_, &memory);
    std::vector<bool> only(jobs.size());
    only[world] = true;
    own.open_worlds(only);
    evaluated_.emplace(given[world], contexts_->freeze(own.thaw(all)));
  }
}

JobInput JobInputs::input(const Job& job) {
  Part& part = component(job.component);
  const ContextInput& context = context_input(group(job.transformer), part);
  JobInput result;
  result.component = part.value;
  result.context = context.whole;
  result.reduced_context = context.reduced;
  result.world = components_[job.component].world;
  result.worlds = components_[job.component].worlds;
  return result;
}

JobInput JobInputs::alone(std::size_t job, cue::Frozen& evaluated, base::BlockPool& memory) const {
  JobInput input = inputs_[job];
  if (input.worlds == 0) return input;
  cue::Context context(loaded_.program, &frozen(), &memory);
  std::vector<bool> only(input.worlds);
  only[input.world] = true;
  context.open_worlds(only);
  for (Handle JobInput::*part : {&JobInput::component, &JobInput::reduced_context})
    input.*part = evaluated.freeze(context.thaw(input.*part));
  return input;
}

const JobInputs::ContextInput& JobInputs::context_input(std::size_t group, Part& part) {
  auto [at, is_new] = part.inputs.try_emplace(group);
  if (is_new) {
    const Group& shared = groups_[group];
    // Only a dump shows all of it.
    if (options_.dump_jobs || shared.known.empty()) at->second.whole = context_structure(shared, part, false);
    at->second.reduced = shared.known.empty() ? at->second.whole : context_structure(shared, part, true);
  }
  return at->second;
}

JobInputs::Handle JobInputs::context_structure(const Group& group, const Part& part, bool with_known) {
  std::vector<std::pair<std::string_view, Handle>> fields;
  auto is_known = [&](std::string_view name) {
    return std::ranges::find(group.known, name, &Fields::value_type::first) != group.known.end();
  };
  if (with_known) fields.insert(fields.end(), group.known.begin(), group.known.end());
  auto add = [&](std::string_view name, Handle value) {
    if (with_known && is_known(name)) return;
    if (std::ranges::binary_search(group.names, name)) fields.emplace_back(name, value);
  };
  for (const auto& [name, value] : release_fields_) add(name, value);
  add(kComponentField, part.metadata);
  return frozen_.structure(fields);
}

JobInputs::PartKey JobInputs::key(std::uint32_t index) const {
  const model::Component& component = components_[index];
  return component.worlds > 0 ? PartKey(component.frozen, 0) : PartKey(nullptr, index);
}

std::size_t JobInputs::context_evaluations() {
  std::size_t together = 0;
  std::set<std::size_t> shapes;  // components whose metadata look alike go together as well
  for (const Job& job : jobs_) component(job.component);
  for (const auto& [key, part] : parts_) {
    bool is_one = key.first != nullptr || told_.size() > 1;
    if (is_one) ++together;
    else shapes.insert(frozen_.shape(part.metadata));
  }
  return together + shapes.size();
}

JobInputs::Part& JobInputs::component(std::uint32_t index) {
  const model::Component& component = components_[index];
  auto [at, is_new] = parts_.try_emplace(key(index));
  if (is_new) {
    at->second.value = component.frozen != nullptr
                           ? component.frozen
                           : freeze_component(frozen_, component.value, provider_.given_definitions(options_));
    at->second.metadata =
        component.frozen_metadata != nullptr ? component.frozen_metadata : frozen_.freeze(component_metadata(component));
  }
  return at->second;
}

std::size_t JobInputs::group(std::uint32_t transformer) {
  auto [at, is_new] = groups_of_.try_emplace(transformer);
  if (!is_new) return at->second;
  auto like = std::ranges::find_if(groups_of_, [&](const auto& known) {
    return known.first != transformer && provider_.declare_contexts_alike(known.first, transformer);
  });
  if (like != groups_of_.end()) return at->second = like->second;
  cue::Value declared = declared_context(provider_.transformer(loaded_, transformer));
  auto declarations = declarations_of_context(declared);
  auto same = std::ranges::find_if(groups_, [&](const Group& known) { return declarations && known.declarations == declarations; });
  at->second = static_cast<std::size_t>(same - groups_.begin());
  if (same == groups_.end()) {
    groups_.push_back({std::move(declarations), context_fields(declared), {}, {}});
    // For one alone it is no more work to evaluate all of it at once.
    if (groups_.back().declarations && context_evaluations() > 1) evaluate_known(groups_.back(), declared);
  }
  return at->second;
}

// `declared`: in the context that everything was loaded in, which does not stand on frozen_: that grows.
void JobInputs::evaluate_known(Group& group, const cue::Value& declared) {
  const std::string dependent[] = {kComponentField};
  std::vector<cue::Value::IndependentField> independent = declared.fields_independent_of(dependent);
  if (independent.empty()) return;
  std::vector<std::pair<cue::Path, cue::Value>> given;
  for (std::size_t i = 0; i < told_.front().size(); ++i) {
    const std::string& name = told_.front()[i].first;
    auto path = cue::Path::parse(name);
    if (!path || !std::ranges::binary_search(group.names, name)) continue;
    if (auto value = told_value(i)) given.emplace_back(std::move(*path), *value);
  }
  cue::Value told = declared.fill(given);
  for (cue::Value::IndependentField& field : independent) {
    Handle known = frozen_.freeze_whole(told.find(field.name));
    if (known == nullptr) continue;
    group.known.emplace_back(field.name, known);
    std::ranges::move(field.declarations, std::back_inserter(group.known_declarations));
  }
}

}  // namespace opm::render
