// `opm release list`: the releases of a namespace, or of all.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_release_list_command(const Command& group, Session& session);

}  // namespace opm::cli
