// opm platform query: asks clusters what their platforms offer, and keeps what they say beside the platforms.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_platform_query_command(const Command& group, Session& session);

}  // namespace opm::cli
