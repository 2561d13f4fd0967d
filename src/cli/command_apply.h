// `opm apply`: brings a cluster to what a release says in an environment.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_apply_command(CommandLine& line, Session& session);

}  // namespace opm::cli
