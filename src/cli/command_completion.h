// `opm completion`, and what shells call for it.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_completion_command(CommandLine& line, Session& session);

}  // namespace opm::cli
