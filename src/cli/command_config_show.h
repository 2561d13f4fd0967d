// opm config show: the settings that hold, and where each comes from.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_config_show_command(const Command& group, Session& session);

}  // namespace opm::cli
