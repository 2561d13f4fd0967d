// Errors of the `opm cue` commands, as `cue` prints them.
#pragma once

#include <string>

#include "cli/session.h"
#include "cue/value.h"

namespace opm::cli {

cue::Diagnostics one_error(std::string message);

// Sorted, without repeats, on standard error, with files relative to the working directory. People at a
// terminal get advice as well.
void print_errors(Session& session, const diag::SourceMap& sources, cue::Diagnostics errors,
                  const std::string& working_directory);

}  // namespace opm::cli
