// `opm mod publish`: the module in a registry, as `cue` would put it there.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_mod_publish_command(const Command& group, Session& session);

}  // namespace opm::cli
