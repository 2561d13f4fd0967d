// `opm release rollback`: an earlier change again, with its values and its version of the module.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_release_rollback_command(const Command& group, Session& session);

}  // namespace opm::cli
