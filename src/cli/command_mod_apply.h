// `opm mod apply`: brings a cluster to what a module says.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_mod_apply_command(const Command& group, Session& session);

}  // namespace opm::cli
