// `opm mod vet`: everything that `opm mod build` would find wrong, and no manifests.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_mod_vet_command(const Command& group, Session& session);

}  // namespace opm::cli
