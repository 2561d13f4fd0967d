// opm diff: what differs between a release and its cluster, or between its environments.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_diff_command(CommandLine& line, Session& session);

}  // namespace opm::cli
