// opm cue: CUE as such, with the commands, flags and output of `cue`.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_cue_command(CommandLine& line, Session& session);

}  // namespace opm::cli
