// `opm mod resolve`: which registry and repository a module is in.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_mod_resolve_command(const Command& group, Session& session);

}  // namespace opm::cli
