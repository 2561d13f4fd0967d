// The flags of commands that work with a release of a package: which, and in which environments.
#pragma once

#include <string>
#include <vector>

#include "cli/render_flags.h"
#include "opm/render/environments.h"

namespace opm::cli {

struct ReleaseFlags {
  RenderFlags render;
  std::string release;
  std::vector<std::string> environments;
  std::optional<std::string> confirmed_context;
};

// -C, and those of the configuration: for commands that only look at the package.
void declare_folder_flags(const Command& command, RenderFlags& flags);
// -C, and those of all commands that render.
void declare_package_flags(const Command& command, RenderFlags& flags);
// -e and --confirm-context too, for commands that work with one release.
void declare_release_flags(const Command& command, ReleaseFlags& flags);

// The options of a render of the package's releases.
std::expected<RenderSetup, ExitCode> set_up_release_render(Session& session, const RenderFlags& flags);

// Whether the cluster is the one that was meant: says on standard error which context is used and, when --confirm-context
// names another one, stops.
ExitCode announce_context(Session& session, const std::string& context, const std::optional<std::string>& confirmed);

}  // namespace opm::cli
