// `opm status`: how a release is doing in an environment.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_status_command(CommandLine& line, Session& session);

}  // namespace opm::cli
