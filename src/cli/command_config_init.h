// opm config init: writes a configuration to start from.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_config_init_command(const Command& group, Session& session);

}  // namespace opm::cli
