// What is wrong with a render, for the programs that show it to people: annotations beside the code in a pull request, a line
// of JSON each, and the tests of JUnit, which every CI system has a page for.
#pragma once

#include <string>

#include "cli/render_report.h"

namespace opm::cli {

// `form`: "text" (as report_render says it), "json" or "github". Says how the command ends.
ExitCode report_render_as(const std::string& form, Session& session, const render::RenderResult& result, const ReportOptions& options);

// A test for the module, and one for each component: it fails with what is wrong with it.
std::string junit_report(const render::RenderResult& result, const std::string& working_directory);

}  // namespace opm::cli
