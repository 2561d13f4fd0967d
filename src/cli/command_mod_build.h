// `opm mod build`: a module as Kubernetes manifests.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_mod_build_command(const Command& group, Session& session);

}  // namespace opm::cli
