// `opm __manual` and `opm __reference`: what the build and the tests make pages with.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_manual_command(CommandLine& line, Session& session);

}  // namespace opm::cli
