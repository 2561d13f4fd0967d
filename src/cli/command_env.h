// opm env: the environments of releases.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_env_command(CommandLine& line, Session& session);

}  // namespace opm::cli
