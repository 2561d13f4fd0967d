// Errors of the `opm cue` commands, as `cue` prints them.
#pragma once

#include <string>

#include "cli/session.h"
#include "cue/value.h"

namespace opm::cli {

cue::Diagnostics one_error(std::string message);

// `otherwise`: unless one of the errors is that a registry does not answer, does not let us, or has no such module.
ExitCode exit_code_of(const cue::Diagnostics& errors, ExitCode otherwise);

// Sorted, without repeats, on standard error, with files relative to the working directory. People at a
// terminal get advice as well. What to end with: a failure, or why a module could not be had.
ExitCode print_errors(Session& session, const diag::SourceMap& sources, cue::Diagnostics errors,
                      const std::string& working_directory);

// The same for commands that are opm's own: with advice, and invalid unless a module could not be had.
ExitCode report_errors(Session& session, const diag::SourceMap& sources, cue::Diagnostics errors,
                       const std::string& working_directory);

}  // namespace opm::cli
