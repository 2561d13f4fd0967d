// What a command works with: where it writes.
#pragma once

#include "cli/exit_code.h"
#include "cli/output.h"

namespace opm::cli {

struct Session {
  Output& out;  // the result, and nothing else
  Output& err;  // everything that is not the result
  bool is_process = false;  // which does nothing else
};

// What a command that is done returns. A process that does nothing else ends here, with all that the command holds: to take that
// down piece by piece takes a good part of a short run.
ExitCode done(Session& session, ExitCode code);

}  // namespace opm::cli
