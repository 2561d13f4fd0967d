// `opm values diff`: what those who override a module's values change.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_values_diff_command(const Command& group, Session& session);

}  // namespace opm::cli
