#include "cli/render_report.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/joined.h"
#include "data/json.h"
#include "diag/printer.h"
#include "opm/model/provider.h"
#include "opm/render/problems.h"

namespace opm::cli {

namespace {

using render::MatchDetail;
using render::MatchPlan;
using render::Problem;
using render::ProblemKind;
using render::TransformerRequirements;

const diag::SourceMap& sources_of(const render::RenderResult& result) {
  static const diag::SourceMap kNone;
  return result.program ? result.program->sources() : kNone;
}

std::string quoted(std::string_view text) {
  std::string out;
  data::append_json_string(out, text, false);
  return out;
}

std::string json_line(const diag::SourceMap& sources, const Problem& problem, const diag::PrintOptions& options) {
  std::string line = diag::format_json(sources, problem.diagnostic, options);
  std::string subject;
  if (!problem.component.empty()) subject += "\"component\":" + quoted(problem.component) + ",";
  if (!problem.transformer.empty()) subject += "\"transformer\":" + quoted(problem.transformer) + ",";
  std::size_t brace = line.find('{');
  line.insert(brace + 1, subject);
  return line;
}

void print_problems(Session& session, const diag::SourceMap& sources, const std::vector<Problem>& problems,
                    std::string_view word, const ReportOptions& options) {
  diag::PrintOptions printing;
  printing.working_directory = options.working_directory;
  for (const Problem& problem : problems) {
    if (options.verbose == "json") {
      session.err.write(json_line(sources, problem, printing));
      continue;
    }
    // A text of several paragraphs stands apart from the others.
    const Problem* before = &problem == problems.data() ? nullptr : &problem - 1;
    if (before != nullptr && !(problem.text.empty() && before->text.empty())) session.err.write("\n");
    if (!problem.text.empty()) {
      if (!options.subject.empty()) session.err.print("{}:\n", options.subject);
      session.err.write(problem.text);
    } else {
      session.err.print("{}: {}", word, diag::format_text(sources, render::with_subject(problem, options.subject), printing));
    }
  }
  if (problems.size() > 1 && !problems.back().text.empty() && options.verbose != "json") session.err.write("\n");
}

// What a label has to be, as a person says it: stateless rather than "stateless".
std::string plain(std::string_view cue) {
  if (cue.size() >= 2 && cue.front() == '"' && cue.back() == '"' && cue.find('"', 1) == cue.size() - 1)
    return std::string(cue.substr(1, cue.size() - 2));
  return std::string(cue);
}

std::vector<std::string> short_names(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names) result.emplace_back(model::short_name(name));
  return result;
}

std::string requirements_text(const TransformerRequirements& transformer) {
  std::vector<std::string> parts;
  if (!transformer.resources.empty())
    parts.push_back(fmt::format("requiredResources={}", base::joined(short_names(transformer.resources), "+")));
  if (!transformer.traits.empty())
    parts.push_back(fmt::format("requiredTraits={}", base::joined(short_names(transformer.traits), "+")));
  if (!transformer.labels.empty()) {
    std::vector<std::string> values;
    for (const auto& [key, value] : transformer.labels) values.push_back(plain(value));
    parts.push_back(fmt::format("requiredLabels={}", base::joined(values, "+")));
  }
  return base::joined(parts, ", ");
}

std::string missing_text(const MatchDetail& detail) {
  std::vector<std::string> parts;
  for (const MatchDetail::MissingLabel& label : detail.missing_labels) {
    std::string part = fmt::format("label {}={}", label.key, plain(label.wanted));
    if (!label.found.empty()) part += fmt::format(" (it is {})", label.found);
    parts.push_back(std::move(part));
  }
  for (const std::string& name : short_names(detail.missing_resources)) parts.push_back("resource " + name);
  for (const std::string& name : short_names(detail.missing_traits)) parts.push_back("trait " + name);
  return base::joined(parts, ", ");
}

void print_plan_text(Output& err, const MatchPlan& plan) {
  for (const render::ComponentMatch& component : plan.components) {
    err.print("component \"{}\":\n", component.component);
    for (bool matched : {true, false}) {
      for (std::size_t i = 0; i < plan.transformers.size(); ++i) {
        const MatchDetail& detail = (*component.details)[i];
        if (detail.matched != matched) continue;
        std::string_view name = model::short_name(plan.transformers[i].fqn);
        if (matched) err.print("  {} matched: {}\n", name, requirements_text(plan.transformers[i]));
        else err.print("  {} did not match: misses {}\n", name, missing_text(detail));
      }
    }
    for (const std::string& trait : component.unhandled_traits)
      err.print("  trait {} is not handled by any of them\n", model::short_name(trait));
  }
}

std::string json_list(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) {
    if (out.size() > 1) out += ',';
    out += quoted(item);
  }
  return out + "]";
}

void print_plan_json(Output& err, const MatchPlan& plan) {
  for (const render::ComponentMatch& component : plan.components) {
    for (std::size_t i = 0; i < plan.transformers.size(); ++i) {
      const MatchDetail& detail = (*component.details)[i];
      const TransformerRequirements& transformer = plan.transformers[i];
      std::string labels;
      for (const auto& [key, value] : transformer.labels) {
        if (!labels.empty()) labels += ',';
        labels += quoted(key) + ":" + quoted(value);
      }
      std::string missing_labels;
      for (const MatchDetail::MissingLabel& label : detail.missing_labels) {
        if (!missing_labels.empty()) missing_labels += ',';
        missing_labels += fmt::format("{{\"key\":{},\"wanted\":{},\"found\":{}}}", quoted(label.key), quoted(label.wanted),
                                      label.found.empty() ? "null" : quoted(label.found));
      }
      err.print("{{\"event\":\"match\",\"component\":{},\"transformer\":{},\"matched\":{}", quoted(component.component),
                quoted(transformer.fqn), detail.matched);
      err.print(",\"requiredLabels\":{{{}}},\"requiredResources\":{},\"requiredTraits\":{}", labels,
                json_list(transformer.resources), json_list(transformer.traits));
      err.print(",\"missingLabels\":[{}],\"missingResources\":{},\"missingTraits\":{}}}\n", missing_labels,
                json_list(detail.missing_resources), json_list(detail.missing_traits));
    }
    if (!component.unhandled_traits.empty()) {
      err.print("{{\"event\":\"unhandledTraits\",\"component\":{},\"traits\":{}}}\n", quoted(component.component),
                json_list(component.unhandled_traits));
    }
  }
}

void print_times(Output& err, const std::vector<render::PhaseTime>& times, bool as_json) {
  double total = 0;
  for (const render::PhaseTime& time : times) {
    double milliseconds = std::chrono::duration<double, std::milli>(time.duration).count();
    total += milliseconds;
    if (as_json) err.print("{{\"event\":\"time\",\"phase\":{},\"milliseconds\":{:.3f}}}\n", quoted(time.phase), milliseconds);
    else err.print("{:<12}{:>10.3f} ms\n", time.phase, milliseconds);
  }
  if (!as_json) err.print("{:<12}{:>10.3f} ms\n", "total", total);
}

ExitCode exit_code(const std::vector<Problem>& errors) {
  if (errors.empty()) return ExitCode::success;
  auto has = [&](ProblemKind kind) { return std::ranges::find(errors, kind, &Problem::kind) != errors.end(); };
  if (has(ProblemKind::unreachable)) return ExitCode::unreachable;
  if (has(ProblemKind::denied)) return ExitCode::denied;
  if (has(ProblemKind::not_found)) return ExitCode::not_found;
  if (has(ProblemKind::invalid)) return ExitCode::invalid;
  return ExitCode::failure;
}

void print_errors(Session& session, const diag::SourceMap& sources, const std::vector<Problem>& errors,
                  const ReportOptions& options) {
  print_problems(session, sources, errors, "error", options);
  if (errors.size() > 1 && options.verbose != "json") session.err.print("{} errors\n", errors.size());
}

}  // namespace

ExitCode report_render(Session& session, const render::RenderResult& result, const ReportOptions& options) {
  const diag::SourceMap& sources = sources_of(result);
  bool as_json = options.verbose == "json";
  if (as_json) print_plan_json(session.err, result.plan);
  else if (!options.verbose.empty()) print_plan_text(session.err, result.plan);
  print_problems(session, sources, result.warnings, "warning", options);
  print_errors(session, sources, result.errors, options);
  if (options.timings) print_times(session.err, result.times, as_json);
  return exit_code(result.errors);
}

ExitCode report_problems(Session& session, const cue::Program* program, const std::vector<Problem>& errors,
                         const ReportOptions& options) {
  static const diag::SourceMap kNone;
  print_errors(session, program != nullptr ? program->sources() : kNone, errors, options);
  return exit_code(errors);
}

void report_times(Session& session, const std::vector<render::PhaseTime>& times, const ReportOptions& options) {
  print_times(session.err, times, options.verbose == "json");
}

}  // namespace opm::cli
