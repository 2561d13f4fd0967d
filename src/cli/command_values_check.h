// `opm values check`: whether the End User's values keep to what the platform has locked.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_values_check_command(const Command& group, Session& session);

}  // namespace opm::cli
