#include "opm/render/component_evaluation.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "base/workers.h"
#include "opm/render/release_overlay.h"

namespace opm::render {

namespace {

constexpr std::string_view kComponents = "components";
constexpr std::array<std::string_view, 4> kOtherFields = {"apiVersion", "kind", "metadata", "values"};
constexpr cue::ValidateSettings kConcrete = {.concrete = true, .only_regular = true};

class Evaluation {
 public:
  Evaluation(const Loaded& loaded, const cue::Value& release) : loaded_(loaded), release_(release) {
    for (const cue::Value::FieldEntry& entry : release.field(kComponents).shallow_fields())
      names_.push_back(entry.value.label());
    result_.components.resize(names_.size());
    result_.frozen = std::make_unique<cue::Frozen>(loaded.program);
  }

  std::size_t size() const { return names_.size(); }

  bool run(std::size_t threads) {
    result_.contexts.resize(threads - 1);
    {
      base::Workers others(result_.contexts.size(), [&](std::size_t i) {
        cue::run_on_large_stack([&] {
          result_.contexts[i] = std::make_unique<cue::Context>(loaded_.program);
          take_components(loaded_.module_in(*result_.contexts[i]).find(kReleaseField).field(kComponents));
        });
      });
      check_others();
      take_components(release_.field(kComponents));
    }
    std::erase(result_.contexts, nullptr);
    for (std::unique_ptr<cue::Context>& context : result_.contexts) context->use_here();
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

  void take_components(const cue::Value& components) {
    for (std::size_t i = next_++; i < names_.size() && sound_; i = next_++) {
      cue::Value component = components.field(names_[i]);
      if (!component.exists() || !component.validate(kConcrete).empty()) {
        sound_ = false;
      } else {
        result_.components[i] = model::read_component(component);
        // Here, where all of it is at hand, rather than in the thread that puts the components together.
        result_.components[i].frozen = result_.frozen->freeze(component);
      }
    }
  }

  const Loaded& loaded_;
  const cue::Value& release_;
  std::vector<std::string> names_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> sound_ = true;
  EvaluatedComponents result_;
};

}  // namespace

std::optional<EvaluatedComponents> evaluate_components(const Loaded& loaded, const cue::Value& release, unsigned threads) {
  constexpr std::size_t kWorthwhile = 8;  // for each thread
  if (threads < 2) return std::nullopt;
  Evaluation evaluation(loaded, release);
  std::size_t used = std::min<std::size_t>(threads, evaluation.size() / kWorthwhile);
  if (used < 2 || !evaluation.run(used)) return std::nullopt;
  return evaluation.take();
}

}  // namespace opm::render
