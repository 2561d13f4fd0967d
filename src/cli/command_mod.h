// `opm mod`: work with a module.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_mod_command(CommandLine& line, Session& session);

}  // namespace opm::cli
