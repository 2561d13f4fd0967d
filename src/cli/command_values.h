// `opm values`: the values of a module, and of those who override them.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_values_command(CommandLine& line, Session& session);

}  // namespace opm::cli
