#include "opm/render/component_evaluation.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

#include "base/workers.h"
#include "cue/known_value.h"
#include "opm/render/job.h"
#include "opm/render/release_overlay.h"
#include "opm/render/secret_finder.h"

namespace opm::render {

namespace {

constexpr std::string_view kComponents = "components";
constexpr std::array<std::string_view, 4> kOtherFields = {"apiVersion", "kind", "metadata", "values"};
constexpr cue::ValidateSettings kConcrete = {.concrete = true, .only_regular = true};

// What a context may hold before it is given up, in bytes and as a multiple of what it holds after its first component,
// which is what it takes to begin anew. More memory costs more than that: it has to be cleared, and it lies far apart.
constexpr std::size_t kLargestContext = 2u << 20;
constexpr std::size_t kWorthBeginning = 4;

// What all components are told of all components. To find it out takes a look at each of them.
constexpr std::string_view kTold = "_references";
struct Told {
  explicit Told(std::shared_ptr<const cue::Program> program) : frozen(std::move(program)) {}
  cue::Frozen frozen;
  cue::Frozen::Handle value = nullptr;
};

class Evaluation {
 public:
  Evaluation(const Loaded& loaded, const cue::Value& release, bool find_secrets)
      : loaded_(loaded), release_(release), find_secrets_(find_secrets) {
    for (cue::Value::FieldEntry& entry : release.field(kComponents).shallow_fields()) {
      names_.push_back(entry.value.label());
      values_.push_back(std::move(entry.value));
    }
    result_.components.resize(names_.size());
    result_.secret_uses.resize(names_.size());
    if (find_secrets_) places_.resize(names_.size());
    result_.frozen = std::make_unique<cue::Frozen>(loaded.program);
  }

  std::size_t size() const { return names_.size(); }

  bool run(std::size_t threads) {
    {
      base::Workers others(threads - 1, [&](std::size_t) { cue::run_on_large_stack([&] { take_components(); }); });
      check_others();
      take_components();
    }
    for (std::size_t i = 0; i < values_.size(); ++i) result_.components[i].value = values_[i];
    if (find_secrets_) result_.secret_places.emplace();
    for (std::set<diag::Position>& places : places_) result_.secret_places->merge(places);
    return sound_;
  }

  EvaluatedComponents take() { return std::move(result_); }

 private:
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
    cue::Value release, components;
    std::size_t limit = 0;
    for (std::size_t i = next_++; i < names_.size() && sound_; i = next_++) {
      bool is_first = !context || context->bytes_used() > limit;
      if (is_first) {
        const Told* told = told_.load();
        context.emplace(loaded_.program, told != nullptr ? &told->frozen : nullptr, &memory);
        release = loaded_.module_in(*context).find(kReleaseField);
        components = release.field(kComponents);
        if (told != nullptr) take_over(cue::hidden_field(release, kTold), told->value);
      }
      if (!take(i, components.field(names_[i]))) sound_ = false;
      if (!is_first) continue;
      // One that had to find out itself holds more than others will.
      bool was_told = told_ != nullptr;
      if (!was_told) tell_others(release);
      limit = was_told || told_ == nullptr ? std::max(kLargestContext, kWorthBeginning * context->bytes_used()) : 0;
    }
  }

  // What is found in one context need not be found again in the next.
  void tell_others(const cue::Value& release) {
    std::lock_guard lock(telling_);
    if (own_told_) return;
    own_told_ = std::make_unique<Told>(loaded_.program);
    own_told_->value = own_told_->frozen.freeze_whole(cue::hidden_field(release, kTold));
    if (own_told_->value != nullptr) told_ = own_told_.get();
  }

  bool take(std::size_t index, const cue::Value& component) {
    if (!component.exists() || !component.validate(kConcrete).empty()) return false;
    model::Component& taken = result_.components[index];
    taken = model::read_component(component);
    taken.frozen = result_.frozen->freeze(component);
    taken.frozen_metadata = result_.frozen->freeze(component_metadata(taken));
    result_.secret_uses[index] = secret_uses(taken);
    if (find_secrets_) places_[index] = secret_places(component);
    return true;
  }

  const Loaded& loaded_;
  const cue::Value& release_;
  bool find_secrets_;
  std::vector<std::string> names_;
  std::vector<cue::Value> values_;  // by name; of the release
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> sound_ = true;
  std::vector<std::set<diag::Position>> places_;  // of secrets, by name
  std::mutex telling_;
  std::unique_ptr<Told> own_told_;
  std::atomic<const Told*> told_ = nullptr;  // once it is complete
  EvaluatedComponents result_;
};

}  // namespace

std::optional<EvaluatedComponents> evaluate_components(const Loaded& loaded, const cue::Value& release,
                                                       const RenderOptions& options) {
  constexpr std::size_t kWorthwhile = 8;  // for each thread
  Evaluation evaluation(loaded, release, options.find_secrets);
  std::size_t used = std::min<std::size_t>(options.usable_threads(), evaluation.size() / kWorthwhile);
  if (used == 0 || !evaluation.run(used)) return std::nullopt;
  return evaluation.take();
}

}  // namespace opm::render
