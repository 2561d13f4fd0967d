// opm cue fmt.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_cue_fmt_command(const Command& group, Session& session);

}  // namespace opm::cli
