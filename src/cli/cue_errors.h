// Errors of the `opm cue` commands, as `cue` prints them.
#pragma once

#include <string>
#include <string_view>

#include "cli/session.h"
#include "cue/value.h"

namespace opm::cli {

cue::Diagnostics one_error(std::string message);

// Errors without a path are those of the field that was asked for, where the expression is the name of one.
cue::Diagnostics errors_of_field(std::string_view expression, cue::Diagnostics errors);

// `otherwise`: unless one of the errors is that a registry does not answer or does not let us, or that it has no such module
// or a wrong one.
ExitCode exit_code_of(const cue::Diagnostics& errors, ExitCode otherwise);

// What --color=always|never|auto means: `auto` is colour on a terminal, unless NO_COLOR is set.
bool wants_color(std::string_view choice, bool is_terminal);

// How errors are told; the values of --errors and --color.
struct ErrorStyle {
  std::string form;  // text, json or annotations; empty: text as `cue` prints it, with advice on a terminal
  std::string color = "auto";
};

// Sorted, without repeats, on standard error, with files relative to the working directory. What to end
// with: a failure, or why a module could not be had.
ExitCode print_errors(Session& session, const diag::SourceMap& sources, cue::Diagnostics errors,
                      const std::string& working_directory, const ErrorStyle& style = {});

// The same for commands that are opm's own: with advice, and invalid unless a module could not be had.
ExitCode report_errors(Session& session, const diag::SourceMap& sources, cue::Diagnostics errors,
                       const std::string& working_directory);

}  // namespace opm::cli
