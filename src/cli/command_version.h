// opm version: which opm this is.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

void add_version_command(CommandLine& line, Session& session);

}  // namespace opm::cli
