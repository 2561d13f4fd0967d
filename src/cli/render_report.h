// What a render tells people besides its result: warnings and errors, why transformers matched, how long it took. All of
// it goes to standard error, as text or as one JSON object a line.
#pragma once

#include <string>

#include "cli/session.h"
#include "opm/render/result.h"

namespace opm::cli {

struct ReportOptions {
  std::string working_directory;
  std::string verbose;  // empty, "text" or "json"
  bool timings = false;
  std::string subject;  // what the render is of, for those that do several: `environment "staging"`
};

// Prints everything and says how the command ends.
ExitCode report_render(Session& session, const render::RenderResult& result, const ReportOptions& options);

// Errors alone, which came before there was a render. `program` has their sources; it may be null.
ExitCode report_problems(Session& session, const cue::Program* program, const std::vector<render::Problem>& errors,
                         const ReportOptions& options);
void report_times(Session& session, const std::vector<render::PhaseTime>& times, const ReportOptions& options);

}  // namespace opm::cli
