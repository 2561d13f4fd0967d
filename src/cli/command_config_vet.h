// opm config vet: checks the configuration.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_config_vet_command(const Command& group, Session& session);

}  // namespace opm::cli
