// opm lsp: the language server for editors.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_lsp_command(CommandLine& line, Session& session);

}  // namespace opm::cli
