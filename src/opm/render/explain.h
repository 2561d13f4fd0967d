// Follows the fields of one rendered resource back through the transformer, the component and the values. The transformer
// is run once more for that, so that a render which nobody asks costs nothing.
#pragma once

#include <optional>

#include "opm/render/config_loader.h"
#include "opm/render/explanation.h"
#include "opm/render/options.h"
#include "opm/render/provider_loader.h"
#include "opm/render/release_builder.h"
#include "opm/render/result.h"
#include "opm/render/secret_sources.h"

namespace opm::render {

struct ExplainedRender {
  RenderResult result;  // what cannot be found is among its errors
  std::optional<ResourceOrigins> origins;
};

// Renders, and says where a resource, or a part of it, comes from. No secret is in what it says.
ExplainedRender explain(const RenderOptions& options, const ExplainRequest& request);

// The parts of that. The result's resources are complete; what cannot be found is made an error of it. Values are left out.
std::optional<ResourceOrigins> explain_resource(const RenderOptions& options, const ExplainRequest& request, const Loaded& loaded,
                                                const LoadedProvider& provider, const BuiltRelease& release, RenderResult& result);
// Puts the lines of a render without secrets in the place of those of the real one.
void conceal_lines(const MaskedSources& masked, const std::optional<ResourceOrigins>& without, ResourceOrigins& origins);
// Puts in the values of the fields, secrets masked.
void show_values(ExplainedRender& explained);

}  // namespace opm::render
