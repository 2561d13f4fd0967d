// `opm mod delete`: takes a release out of a cluster.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_mod_delete_command(const Command& group, Session& session);

}  // namespace opm::cli
