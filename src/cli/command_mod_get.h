// `opm mod get`: adds a dependency, or changes its version.
#pragma once

#include "cli/command_line.h"
#include "cli/module_folder.h"

namespace opm::cli {

void add_mod_get_command(const Command& group, Session& session, ModFace face = ModFace::opm);

}  // namespace opm::cli
