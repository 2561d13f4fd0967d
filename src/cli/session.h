// What a command works with: where it writes.
#pragma once

#include "cli/exit_code.h"
#include "cli/output.h"

namespace opm::cli {

struct Session {
  Output& out;  // the result, and nothing else
  Output& err;  // everything that is not the result
};

}  // namespace opm::cli
