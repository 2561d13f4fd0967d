// opm platform: the clusters that environments run on.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_platform_command(CommandLine& line, Session& session);

}  // namespace opm::cli
