// `opm mod status`: how the objects of a release are doing.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_mod_status_command(const Command& group, Session& session);

}  // namespace opm::cli
