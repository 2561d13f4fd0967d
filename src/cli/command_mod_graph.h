// `opm mod graph`: how what a module renders hangs together.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_mod_graph_command(const Command& group, Session& session);

}  // namespace opm::cli
