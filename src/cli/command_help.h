// opm help: the same text as --help, for those who type it in front.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_help_command(CommandLine& line, Session& session);

}  // namespace opm::cli
