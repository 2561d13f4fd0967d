// What a command works with: where it writes, and how it ends.
#pragma once

#include "cli/exit_code.h"
#include "cli/output.h"

namespace opm::cli {

struct Session {
  Output& out;  // the result, and nothing else
  Output& err;  // everything that is not the result
  ExitCode exit_code = ExitCode::success;
};

}  // namespace opm::cli
