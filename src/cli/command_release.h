// `opm release`: the releases that are in a cluster, and what became of them.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_release_command(CommandLine& line, Session& session);

}  // namespace opm::cli
