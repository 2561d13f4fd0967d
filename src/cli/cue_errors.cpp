#include "cli/cue_errors.h"

#include <unistd.h>

#include <cstdlib>

#include "diag/printer.h"

namespace opm::cli {

cue::Diagnostics one_error(std::string message) {
  cue::Diagnostics errors(1);
  errors.front().message = std::move(message);
  return errors;
}

cue::Diagnostics errors_of_field(std::string_view expression, cue::Diagnostics errors) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$#";
  bool is_name = !expression.empty() && expression.find_first_not_of(kLetters) == std::string_view::npos;
  if (!is_name) return errors;
  for (diag::Diagnostic& error : errors) {
    if (error.path.empty()) error.path = expression;
  }
  return errors;
}

ExitCode exit_code_of(const cue::Diagnostics& errors, ExitCode otherwise) {
  for (const diag::Diagnostic& error : errors) {
    if (error.code == "registry-unreachable") return ExitCode::unreachable;
    if (error.code == "registry-denied" || error.code == "file-denied") return ExitCode::denied;
    if (error.code == "module-not-found") return ExitCode::not_found;
    if (error.code == "module-invalid") return ExitCode::invalid;
  }
  return otherwise;
}

bool wants_color(std::string_view choice, bool is_terminal) {
  if (choice == "always") return true;
  if (choice == "never") return false;
  const char* refused = std::getenv("NO_COLOR");
  return is_terminal && (refused == nullptr || *refused == '\0');
}

ExitCode print_errors(Session& session, const diag::SourceMap& sources, cue::Diagnostics errors,
                      const std::string& working_directory, const ErrorStyle& style) {
  diag::sort_and_unite(sources, errors);
  bool is_terminal = ::isatty(STDERR_FILENO) != 0;
  diag::PrintOptions options;
  options.working_directory = working_directory;
  // Programs compare the text with that of `cue`, which gives no advice.
  options.with_advice = is_terminal || !style.form.empty();
  options.with_color = wants_color(style.color, is_terminal);
  auto format = style.form == "json"          ? diag::format_json
                : style.form == "annotations" ? diag::format_annotation
                                              : diag::format_text;
  for (const diag::Diagnostic& error : errors) session.err.write(format(sources, error, options));
  return exit_code_of(errors, ExitCode::failure);
}

ExitCode report_errors(Session& session, const diag::SourceMap& sources, cue::Diagnostics errors,
                       const std::string& working_directory) {
  diag::sort_and_unite(sources, errors);
  for (const diag::Diagnostic& error : errors)
    session.err.write(diag::format_text(sources, error, {.working_directory = working_directory}));
  return exit_code_of(errors, ExitCode::invalid);
}

}  // namespace opm::cli
