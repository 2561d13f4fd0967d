// `opm mod tidy`: cue.mod/module.cue lists exactly what is imported.
#pragma once

#include "cli/command_line.h"
#include "cli/module_folder.h"

namespace opm::cli {

void add_mod_tidy_command(const Command& group, Session& session, ModFace face = ModFace::opm);

}  // namespace opm::cli
