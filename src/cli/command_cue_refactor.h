// `opm cue refactor imports`: changes what the files of a module import.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_cue_refactor_command(const Command& group, Session& session);

}  // namespace opm::cli
