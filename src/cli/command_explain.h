// `opm explain`: where a field of a rendered resource comes from.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_explain_command(CommandLine& line, Session& session);

}  // namespace opm::cli
