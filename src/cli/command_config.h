// opm config: the commands for the user's configuration.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_config_command(CommandLine& line, Session& session);

}  // namespace opm::cli
