// `opm mod diff`: what applying a module would change in a cluster.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_mod_diff_command(const Command& group, Session& session);

}  // namespace opm::cli
