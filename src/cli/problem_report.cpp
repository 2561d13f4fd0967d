#include "cli/problem_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "cli/markup.h"
#include "diag/printer.h"

namespace opm::cli {

namespace {

const diag::SourceMap& sources_of(const render::RenderResult& result) {
  static const diag::SourceMap kNone;
  return result.program ? result.program->sources() : kNone;
}

diag::Diagnostic with_component(const render::Problem& problem, diag::Severity severity, const std::string& subject) {
  diag::Diagnostic shown = problem.diagnostic;
  shown.severity = severity;
  if (!problem.component.empty()) shown.message = fmt::format("component \"{}\": {}", problem.component, shown.message);
  if (!subject.empty()) shown.message = fmt::format("{}: {}", subject, shown.message);
  return shown;
}

}  // namespace

ExitCode report_render_as(const std::string& form, Session& session, const render::RenderResult& result, const ReportOptions& options) {
  if (form == "text") return report_render(session, result, options);
  const diag::SourceMap& sources = sources_of(result);
  diag::PrintOptions printing{.working_directory = options.working_directory};
  auto format = form == "json" ? diag::format_json : diag::format_annotation;
  for (const render::Problem& warning : result.warnings)
    session.err.write(format(sources, with_component(warning, diag::Severity::warning, options.subject), printing));
  for (const render::Problem& error : result.errors)
    session.err.write(format(sources, with_component(error, diag::Severity::error, options.subject), printing));
  // What to end with is the same, however it is told.
  Output unheard = Output::to_text();
  Session silent{session.out, unheard};
  return report_render(silent, result, {options.working_directory, {}, false});
}

std::string junit_report(const render::RenderResult& result, const std::string& working_directory) {
  const diag::SourceMap& sources = sources_of(result);
  std::string module = result.module.name.empty() ? "module" : result.module.name;
  std::map<std::string, std::vector<const render::Problem*>> failures;  // by component; "": of the module
  for (const render::Problem& error : result.errors) failures[error.component].push_back(&error);
  std::vector<std::string> cases{""};
  for (const render::ComponentMatch& component : result.plan.components) cases.push_back(component.component);
  for (const auto& [component, problems] : failures) {
    if (std::ranges::find(cases, component) == cases.end()) cases.push_back(component);
  }
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format("<testsuites>\n  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n", escape_markup(module), cases.size(), failures.size());
  for (const std::string& component : cases) {
    std::string name = component.empty() ? "module" : "component " + component;
    auto found = failures.find(component);
    if (found == failures.end()) {
      out += fmt::format("    <testcase classname=\"{}\" name=\"{}\"/>\n", escape_markup(module), escape_markup(name));
      continue;
    }
    std::string text;
    for (const render::Problem* problem : found->second)
      text += diag::format_text(sources, problem->diagnostic, {.working_directory = working_directory});
    out += fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n",
                       escape_markup(module), escape_markup(name), escape_markup(found->second.front()->diagnostic.message), escape_markup(text));
  }
  return out + "  </testsuite>\n</testsuites>\n";
}

}  // namespace opm::cli
