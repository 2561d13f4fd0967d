// `opm delete`: takes a release out of the cluster of an environment.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_delete_command(CommandLine& line, Session& session);

}  // namespace opm::cli
