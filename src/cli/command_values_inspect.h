// `opm values inspect`: who set each value, where, and who may change it.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_values_inspect_command(const Command& group, Session& session);

}  // namespace opm::cli
