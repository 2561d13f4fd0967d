// `opm cue import`: data and schemas of other languages as CUE files.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_cue_import_command(const Command& group, Session& session);

}  // namespace opm::cli
