#include "opm/render/component_evaluation.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <set>

#include "base/workers.h"
#include "cue/alike_fields.h"
#include "cue/known_value.h"
#include "opm/render/component_check.h"
#include "opm/render/job.h"
#include "opm/render/release_overlay.h"
#include "opm/render/secret_finder.h"

namespace opm::render {

namespace {

constexpr std::string_view kComponents = "components";
constexpr std::array<std::string_view, 5> kOtherFields = {"apiVersion", "kind", "metadata", "policies", "values"};
constexpr cue::ValidateSettings kConcrete = {.concrete = true, .only_regular = true};

// What a context may hold before it is given up, in bytes and as a multiple of what it holds after its first component,
// which is what it takes to begin anew. More memory costs more than that: it has to be cleared, and it lies far apart.
constexpr std::size_t kLargestContext = 2u << 20;
constexpr std::size_t kWorthBeginning = 4;

// How many a thread takes at a time, and at most evaluates together; fewer where there are not enough for all threads.
constexpr std::size_t kMostTogether = 64;
constexpr std::size_t kTurns = 2;  // of each thread, at least, where there are several
// Where worlds part ways, those that are left are tried again until so many rounds have brought next to nothing.
constexpr int kVainRounds = 2;

// What all components are told of all components. To find it out takes a look at each of them, as long as to evaluate those that
// are written alike; most modules have no component that there is anything to tell of, so that is taken for granted first.
constexpr std::string_view kTold = "_references";
constexpr std::string_view kToldOfNone = "_noReferences";
constexpr std::string_view kToldOf = "_keepers";  // those with such a resource

std::optional<std::vector<std::string>> texts_of(const cue::Value& list) {
  auto data = list.valid() ? list.to_data() : std::unexpected(cue::Diagnostics());
  if (!data || !data->is_list()) return std::nullopt;
  std::vector<std::string> texts;
  for (const data::Value& item : data->as_list()) {
    if (!item.is_string()) return std::nullopt;
    texts.push_back(item.as_string());
  }
  return texts;
}

struct Told {
  // `of_none`: as far as there is nothing to tell of any of them.
  Told(const Loaded& loaded, bool of_none) : frozen(loaded.program) {
    cue::Context context(loaded.program);
    cue::Value release = loaded.module_in(context).find(kReleaseField);
    if (of_none) refuted_by = texts_of(cue::hidden_field(release, kToldOf));
    value = frozen.freeze_whole(cue::hidden_field(release, refuted_by ? kToldOfNone : kTold));
  }

  cue::Frozen frozen;
  cue::Frozen::Handle value = nullptr;                 // none: it is not known by itself
  std::optional<std::vector<std::string>> refuted_by;  // by a component with one of these resources; none: it is certain
};

class Evaluation {
 public:
  Evaluation(const RenderOptions& options, const Loaded& loaded, const LoadedProvider& provider, const cue::Value& release)
      : loaded_(loaded),
        release_(release),
        find_secrets_(options.find_secrets),
        definitions_(provider.given_definitions(options)) {
    values_ = cue::known_fields(release.field(kComponents));
    for (const cue::Value& value : values_) names_.push_back(value.label());
    result_.components.resize(names_.size());
    result_.secret_uses.resize(names_.size());
    if (find_secrets_) places_.resize(names_.size());
    result_.frozen = std::make_unique<cue::Frozen>(loaded.program);
  }

  std::size_t size() const { return names_.size(); }

  // How many threads are worth their start, of at most so many.
  std::size_t worthwhile_threads(std::size_t most, bool together) const {
    // In components that are evaluated together with another one: to evaluate one by itself, or the first of those that are alike,
    // takes as long as several of them.
    constexpr std::size_t kFirst = 9;
    constexpr std::size_t kThread = 80;
    if (names_.size() >= kThread * most) return most;
    std::set<std::size_t> different;
    for (std::size_t i = 0; i < values_.size(); ++i) different.insert(together ? cue::written_shape(values_[i]) : i);
    return std::clamp<std::size_t>((names_.size() + kFirst * different.size()) / kThread, 1, most);
  }

  // `assumes_none`: that there is nothing to tell of any component. False: something is wrong, maybe that.
  bool run(std::size_t threads, bool together, bool assumes_none) {
    told_.emplace(loaded_, assumes_none);
    std::size_t turns = threads > 1 ? threads * kTurns : 1;
    std::size_t most = std::clamp<std::size_t>(names_.size() / turns, 1, together ? kMostTogether : 1);
    std::size_t parts = (names_.size() + most - 1) / most;
    for (std::size_t i = 0; i <= parts; ++i) ends_.push_back(i * names_.size() / parts);
    {
      base::Workers others(threads - 1, [&](std::size_t) { cue::run_on_large_stack([&] { take_components(); }); });
      check_others();
      find_order();
      take_components();
    }
    if (!sound_) return false;
    for (std::size_t i = 0; i < values_.size(); ++i) result_.components[i].value = values_[i];
    put_in_order(result_.components);
    put_in_order(result_.secret_uses);
    if (find_secrets_) result_.secret_places.emplace();
    for (std::set<diag::Position>& places : places_) result_.secret_places->merge(places);
    result_.are_together = together_;
    return true;
  }

  EvaluatedComponents take() { return std::move(result_); }

 private:
  using Unit = std::vector<std::size_t>;  // components that are evaluated together

  // That of the release, while others begin already.
  void find_order() {
    std::map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < names_.size(); ++i) places.emplace(names_[i], i);
    for (const cue::Value::FieldEntry& entry : release_.field(kComponents).shallow_fields()) {
      if (auto found = places.find(entry.value.label()); found != places.end()) order_.push_back(found->second);
    }
    if (order_.size() != names_.size()) sound_ = false;
  }

  template <typename T>
  void put_in_order(std::vector<T>& parts) const {
    std::vector<T> ordered;
    ordered.reserve(parts.size());
    for (std::size_t place : order_) ordered.push_back(std::move(parts[place]));
    parts = std::move(ordered);
  }

  // Those from `begin` to before `end` that are written alike.
  std::vector<Unit> units(std::size_t begin, std::size_t end, const cue::Value& components) const {
    std::vector<Unit> made;
    std::map<std::size_t, std::size_t> places;  // by shape
    for (std::size_t i = begin; i < end; ++i) {
      std::size_t shape = end - begin > 1 ? cue::written_shape(components.field(names_[i])) : 0;
      auto [at, is_new] = places.emplace(shape, made.size());
      if (is_new) made.emplace_back();
      made[at->second].push_back(i);
    }
    return made;
  }

  // What there is beside components.
  void check_others() {
    for (const cue::Value::FieldEntry& entry : release_.shallow_fields()) {
      if (entry.value.label() == kComponents) continue;
      if (std::ranges::find(kOtherFields, entry.value.label()) == kOtherFields.end()) sound_ = false;
      if (sound_ && !entry.value.validate(kConcrete).empty()) sound_ = false;
    }
  }

  void take_components() {
    base::BlockPool memory;
    std::optional<cue::Context> context;
    cue::Value components;
    std::size_t limit = 0;
    for (std::size_t i = next_++; i + 1 < ends_.size() && sound_; i = next_++) {
      bool is_first = !context || context->bytes_used() > limit;
      if (is_first) {
        context.emplace(loaded_.program, told_->value != nullptr ? &told_->frozen : nullptr, &memory);
        cue::Value release = loaded_.module_in(*context).find(kReleaseField);
        components = release.field(kComponents);
        if (told_->value != nullptr) take_over(cue::hidden_field(release, kTold), told_->value);
      }
      for (const Unit& unit : units(ends_[i], ends_[i + 1], components)) {
        if (!take(unit, components)) sound_ = false;
      }
      if (is_first) limit = std::max(kLargestContext, kWorthBeginning * context->bytes_used());
    }
  }

  // Whether what it was told is so.
  bool agrees(const model::Component& component) const {
    auto is_there = [&](const std::string& keeper) { return std::ranges::binary_search(component.resources, keeper); };
    return !told_->refuted_by || std::ranges::none_of(*told_->refuted_by, is_there);
  }

  bool take(const Unit& unit, const cue::Value& components) {
    std::vector<bool> left(unit.size(), true);
    if (unit.size() > 1 && !take_together(unit, components, left)) return false;
    for (std::size_t i = 0; i < unit.size(); ++i) {
      if (left[i] && !take_alone(unit[i], components.field(names_[unit[i]]))) return false;
    }
    return true;
  }

  bool take_alone(std::size_t index, const cue::Value& component) {
    if (!component.exists() || !looks_sound(component)) return false;
    model::Component& taken = result_.components[index];
    taken = model::read_component(component);
    if (!agrees(taken)) return false;
    taken.frozen = freeze_component(*result_.frozen, component, definitions_);
    taken.frozen_metadata = result_.frozen->freeze(component_metadata(taken));
    result_.secret_uses[index] = secret_uses(taken);
    if (find_secrets_) places_[index] = secret_places(component);
    return true;
  }

  // As far as they go together: the others are `left`. False: something is wrong.
  bool take_together(const Unit& unit, const cue::Value& components, std::vector<bool>& left) {
    std::vector<cue::Value> fields;
    for (std::size_t index : unit) fields.push_back(components.field(names_[index]));
    if (!std::ranges::all_of(fields, &cue::Value::valid)) return true;
    cue::Context& context = components.context();
    for (int vain = 0; vain < kVainRounds && std::ranges::count(left, true) > 1;) {
      context.open_worlds(left);
      cue::Value all = cue::in_worlds(fields);
      if (!all.valid()) return true;
      if (!looks_sound(all)) return false;
      // Where a secret stands is not known of each of them.
      if (find_secrets_ && !secret_places(all).empty()) return true;
      std::optional<std::size_t> taken = freeze_together(unit, all, left);
      if (!taken) return false;
      if (taken == 0) break;
      if (taken == 1) ++vain;
    }
    return true;
  }

  // What is the same in all of them is read in the first.
  static void read_in_world(const cue::Value& all, const std::string& name, std::optional<std::size_t> first, std::size_t world,
                            std::vector<model::Component>& read, std::vector<SecretUses>& uses) {
    if (!first) {
      read[world] = model::read_component(all);
    } else {
      read[world].value = all;
      read[world].resources = read[*first].resources;
      read[world].traits = read[*first].traits;
      model::read_component_metadata(all, read[world]);
    }
    read[world].key = name;
    if (!first || uses[*first].has_secrets) {
      uses[world] = secret_uses(read[world]);
    } else {
      uses[world].component = name;
      uses[world].kept = uses[*first].kept;
    }
  }

  // How many worlds there are that are taken, and not left any more. Nothing: something is wrong.
  std::optional<std::size_t> freeze_together(const Unit& unit, const cue::Value& all, std::vector<bool>& left) {
    cue::Context& context = all.context();
    model::Component shared;
    shared.frozen = freeze_component(*result_.frozen, all, definitions_);
    shared.worlds = unit.size();
    std::vector<model::Component> read(unit.size());
    std::vector<SecretUses> uses(unit.size());
    std::optional<std::size_t> first;
    for (std::size_t world = 0; world < unit.size(); ++world) {
      if (!left[world] || !context.holds(world)) continue;
      context.in_world(world, [&] { read_in_world(all, names_[unit[world]], first, world, read, uses); });
      // Those that are read like it have its resources.
      if (!first && !agrees(read[world])) return std::nullopt;
      if (!first) first = world;
    }
    if (!first) return 0;
    // To read is to evaluate, too. Worlds that are dropped have to look like others all the same.
    auto is_taken = [&](std::size_t world) { return left[world] && context.holds(world); };
    std::vector<data::Value> metadata;
    for (std::size_t world = 0; world < unit.size(); ++world)
      metadata.push_back(component_metadata(read[is_taken(world) ? world : *first]));
    std::vector<const data::Value*> worlds;
    for (const data::Value& one : metadata) worlds.push_back(&one);
    std::optional<cue::Value> described = context.from_worlds(worlds);
    if (!described) return 0;
    shared.frozen_metadata = result_.frozen->freeze(*described);
    std::size_t taken = 0;
    for (std::size_t world = 0; world < unit.size(); ++world) {
      if (!is_taken(world)) continue;
      model::Component& component = result_.components[unit[world]];
      component = std::move(read[world]);
      component.frozen = shared.frozen;
      component.frozen_metadata = shared.frozen_metadata;
      component.worlds = shared.worlds;
      component.world = world;
      result_.secret_uses[unit[world]] = std::move(uses[world]);
      ++taken;
    }
    for (std::size_t world = 0; world < unit.size(); ++world) left[world] = left[world] && !context.holds(world);
    together_ = true;
    return taken;
  }

  const Loaded& loaded_;
  const cue::Value& release_;
  bool find_secrets_;
  const std::vector<std::string>* definitions_;  // that are frozen; null: all
  std::vector<std::string> names_;
  std::vector<cue::Value> values_;  // by name; of the release
  std::vector<std::size_t> order_;  // of the release: places in names_
  std::vector<std::size_t> ends_;   // of what threads take at a time, and where the first of these begins
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> sound_ = true;
  std::atomic<bool> together_ = false;
  std::vector<std::set<diag::Position>> places_;  // of secrets, by name
  std::optional<Told> told_;
  EvaluatedComponents result_;
};

std::optional<EvaluatedComponents> evaluate(const RenderOptions& options, const Loaded& loaded, const LoadedProvider& provider,
                                            const cue::Value& release, bool together, bool assumes_none) {
  constexpr std::size_t kWorthwhile = 8;
  Evaluation evaluation(options, loaded, provider, release);
  if (evaluation.size() < kWorthwhile) return std::nullopt;
  if (!evaluation.run(evaluation.worthwhile_threads(options.usable_threads(), together), together, assumes_none)) {
    if (assumes_none) return evaluate(options, loaded, provider, release, together, false);
    return std::nullopt;
  }
  EvaluatedComponents evaluated = evaluation.take();
  // Problems say where their cause is written.
  if (evaluated.are_together && !unkept_secrets(evaluated.secret_uses).empty())
    return evaluate(options, loaded, provider, release, false, assumes_none);
  return evaluated;
}

}  // namespace

std::optional<EvaluatedComponents> evaluate_components(const RenderOptions& options, const Loaded& loaded,
                                                       const LoadedProvider& provider, const cue::Value& release, bool together) {
  return evaluate(options, loaded, provider, release, together, true);
}

}  // namespace opm::render
