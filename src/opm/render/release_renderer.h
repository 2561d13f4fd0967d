// Phases 4 to 6, which are the same whatever a release was made from: its components are matched with transformers, these
// make resources, and the resources are put in order.
#pragma once

#include <chrono>
#include <functional>
#include <string_view>
#include <vector>

#include "opm/render/config_loader.h"
#include "opm/render/explanation.h"
#include "opm/render/module_loader.h"
#include "opm/render/provider_loader.h"
#include "opm/render/release_builder.h"

namespace opm::render {

// Notes how long each phase takes, for those who gave a clock.
class PhaseTimer {
 public:
  PhaseTimer(const base::Clock* clock, std::vector<PhaseTime>& times) : clock_(clock), times_(times) {}

  // Ends the phase before it; an empty one begins none.
  void start(std::string_view phase);

 private:
  const base::Clock* clock_;
  std::vector<PhaseTime>& times_;
  std::string_view phase_;
  std::chrono::nanoseconds started_{};
};

// Is shown a release when its resources are complete.
using ReleaseVisitor = std::function<void(const BuiltRelease& release)>;

// Adds resources, plan and problems to the result. Who asks for one resource may get no others: transformers of components
// that have nothing to do with it need not run.
void render_release(const RenderOptions& options, const Loaded& loaded, const LoadedProvider& provider,
                    BuiltRelease release, PhaseTimer& timer, RenderResult& result,
                    const ReleaseVisitor& visit = {}, const ExplainRequest* asked = nullptr);

// The resources of a result, which are all there, as they are applied; those that are made twice once.
void order_resources(RenderResult& result);

// The problems of a result that is complete, as people read them.
void order_problems(RenderResult& result);

}  // namespace opm::render
