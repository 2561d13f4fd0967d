// Doing something again whenever the files that it depends on change, until the user stops it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/render_flags.h"

namespace opm::cli {

// Runs `round` at once and after every change of the module, of the files with values or of the configuration. `changed`
// has those files as people name them; none the first time. Ends when nobody reads the output any more; an interrupt ends
// the process as it ends any other.
ExitCode watch_module(Session& session, const RenderFlags& flags,
                      const std::function<void(const std::vector<std::string>& changed)>& round);

}  // namespace opm::cli
