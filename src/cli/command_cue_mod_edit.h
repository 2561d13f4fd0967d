// `opm cue mod edit`: changes single fields of cue.mod/module.cue and cue.mod/local-module.cue.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_cue_mod_edit_command(const Command& group, Session& session);

}  // namespace opm::cli
