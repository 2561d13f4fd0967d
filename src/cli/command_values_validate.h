// `opm values validate`: whether values are what the module's schema allows.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_values_validate_command(const Command& group, Session& session);

}  // namespace opm::cli
