// `opm mod tidy`: cue.mod/module.cue lists exactly what is imported.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_mod_tidy_command(const Command& group, Session& session);

}  // namespace opm::cli
