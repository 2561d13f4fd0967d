// Follows the fields of one rendered resource back through the transformer, the component and the values. The transformer
// is run once more for that, so that a render which nobody asks costs nothing.
#pragma once

#include <functional>
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

// Renders a module, and says where a resource, or a part of it, comes from. No secret is in what it says.
ExplainedRender explain(const RenderOptions& options, const ExplainRequest& request);
// The same for a release of a package, in one environment; none for a release that has none.
ExplainedRender explain_release(const RenderOptions& options, const std::string& release,
                                const std::optional<std::string>& environment, const ExplainRequest& request);

// The parts of both. One render that is asked, and what stands for its secrets, if it has any.
struct AskedRender {
  ExplainedRender explained;
  std::optional<MaskedSources> masked;
};
using AskRender = std::function<AskedRender(const RenderOptions& options, const ExplainRequest& request)>;
// Asks, and where there are secrets asks a render without them too, for its words.
ExplainedRender explain_with(const RenderOptions& options, const ExplainRequest& request, const AskRender& ask);

// The result's resources are complete; what cannot be found is made an error of it. Values are left out.
std::optional<ResourceOrigins> explain_resource(const RenderOptions& options, const ExplainRequest& request, const Loaded& loaded,
                                                const LoadedProvider& provider, const BuiltRelease& release, RenderResult& result);
}  // namespace opm::render
