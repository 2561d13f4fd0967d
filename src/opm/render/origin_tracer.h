// From an evaluated value to all the lines that it is due to, through transformers, components, values and schemas.
#pragma once

#include <span>
#include <vector>

#include "cue/derivation.h"
#include "opm/render/explanation.h"
#include "opm/render/options.h"
#include "opm/render/release_builder.h"

namespace opm::render {

// What the tracing of all fields of a resource has in common.
struct TracedJob {
  const RenderOptions& options;
  cue::Context& context;               // in which the transformer ran
  const cue::FrozenOrigins& origins;  // what its input was made of
  const BuiltRelease& release;
};

// `path`: the values from the transformer's output down to the one that is asked about.
std::vector<OriginStep> trace_origins(const TracedJob& job, std::span<const cue::Value> path);

}  // namespace opm::render
