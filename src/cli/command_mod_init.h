// `opm mod init`: a new module to start from, which builds as it is.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_mod_init_command(const Command& group, Session& session);

}  // namespace opm::cli
