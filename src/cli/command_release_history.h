// `opm release history`: the changes that a release went through.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_release_history_command(const Command& group, Session& session);

}  // namespace opm::cli
