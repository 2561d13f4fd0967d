// One run of opm: from the words of the command line to an exit code.
#pragma once

#include <span>

#include "cli/exit_code.h"
#include "cli/output.h"

namespace opm::cli {

// `arguments` are those of main(), the name of the program first. Both outputs are flushed. A process that does nothing else may
// end with it.
ExitCode run(std::span<const char* const> arguments, Output& out, Output& err, bool is_process = false);

}  // namespace opm::cli
