// `opm mod publish`: the module in a registry, as `cue` would put it there.
#pragma once

#include "cli/command_line.h"
#include "cli/module_folder.h"

namespace opm::cli {

void add_mod_publish_command(const Command& group, Session& session, ModFace face = ModFace::opm);

}  // namespace opm::cli
