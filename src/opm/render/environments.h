// Releases that are fields of a package, rendered for their environments. The package and its platforms are loaded once,
// however many environments are rendered.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "opm/model/environment.h"
#include "opm/render/environment_selection.h"
#include "opm/render/options.h"
#include "opm/render/result.h"

namespace opm::render {

// One release in one environment.
struct EnvironmentRender {
  std::string release;         // the field
  std::string environment;     // its key; empty: the release has none
  model::Platform platform;    // a relative kube_config is made absolute: it is beside the file that names it
  RenderResult result;
};

struct EnvironmentRenders {
  std::vector<EnvironmentRender> renders;  // in the order of the release's environments
  // Of what all environments share; then there are no renders.
  std::vector<Problem> errors;
  std::vector<PhaseTime> times;                 // likewise
  std::shared_ptr<const cue::Program> program;  // has the sources; may be null
};

// RenderOptions::module_directory is the folder of the package; names and namespaces of the options are not used.
EnvironmentRenders render_environments(const RenderOptions& options, const std::string& release,
                                       const EnvironmentSelection& selection);

// The release in exactly one environment: what a command needs that goes to a cluster. `environment` is none for a
// release that has none. What went wrong is in the result's errors, whatever it was.
EnvironmentRender render_environment(const RenderOptions& options, const std::string& release,
                                     const std::optional<std::string>& environment);

// What there is to render, without the parts that need evaluating a module.
struct ReleaseList {
  std::vector<model::ReleaseDeclaration> releases;  // in order; without values of CUE
  std::vector<model::Platform> platforms;           // likewise
  std::vector<Problem> errors;
  std::string platforms_folder;                 // absolute; empty: there is none
  std::shared_ptr<const cue::Program> program;  // has the sources; may be null
};
ReleaseList list_releases(const RenderOptions& options);
// The platforms alone; there need not be a package of releases.
ReleaseList list_platforms(const RenderOptions& options);
// The same, with this as the file that keeps what clusters said (platform_snapshot.h).
ReleaseList list_platforms_with(const RenderOptions& options, const std::string& snapshot);

}  // namespace opm::render
