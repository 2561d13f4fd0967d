// `opm values merge`: the values that a release would have, all tiers put together.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_values_merge_command(const Command& group, Session& session);

}  // namespace opm::cli
