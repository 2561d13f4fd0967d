#include "cli/module_folder.h"

#include <filesystem>
#include <map>

#include "base/file_system.h"
#include "base/file_writer.h"
#include "base/path.h"
#include "cli/cue_errors.h"
#include "cue/module/local_module.h"

namespace opm::cli {

using cue::module::ModuleErrorKind;
using cue::module::ModuleFile;

std::expected<CurrentModule, ExitCode> open_current_module(Session& session, const std::string& working_directory,
                                                           diag::SourceMap& sources, const ModuleReading& how) {
  CurrentModule current;
  for (current.root = working_directory;; current.root = base::parent_path(current.root)) {
    current.file_path = base::join_path(current.root, "cue.mod/module.cue");
    if (base::real_file_system().status(current.file_path)) break;
    if (current.root == base::parent_path(current.root)) {
      session.err.write(
          "error: no cue.mod/module.cue in this folder or one above it\n"
          "  help: start a module with \"opm mod init\"\n");
      return std::unexpected(ExitCode::not_found);
    }
  }
  auto text = base::real_file_system().read_file(current.file_path, cue::module::kMaxModuleFileBytes);
  if (!text) {
    session.err.print("cannot read {}: {}\n", current.file_path, text.error().message);
    return std::unexpected(ExitCode::failure);
  }
  current.text = *text;
  const diag::Source* source = sources.add(current.file_path, std::move(*text));
  if (source == nullptr) return std::unexpected(ExitCode::failure);
  auto file = how.may_replace ? cue::module::read_replacing_module_file(*source)
                              : cue::module::read_module_file(*source, how.strictness);
  if (!file) return std::unexpected(report_errors(session, sources, std::move(file.error()), working_directory));
  current.file = std::move(*file);
  return current;
}

std::expected<void, ExitCode> write_current_module(Session& session, const CurrentModule& current,
                                                   const ModuleFile& file) {
  std::string text = cue::module::write_module_file(file);
  if (text == current.text) return {};
  auto written = base::real_file_writer().write_file(current.file_path, text);
  if (written) return {};
  session.err.print("cannot write {}: {}\n", current.file_path, written.error().message);
  return std::unexpected(written.error().kind == base::FileErrorKind::permission ? ExitCode::denied
                                                                                 : ExitCode::failure);
}

std::expected<void, ExitCode> write_local_module(Session& session, const CurrentModule& current,
                                                 const std::string& text) {
  std::string path = base::join_path(current.root, "cue.mod/local-module.cue");
  if (text.empty()) {
    std::error_code error;
    std::filesystem::remove(path, error);
    if (!error) return {};
    session.err.print("cannot remove {}: {}\n", path, error.message());
    return std::unexpected(ExitCode::failure);
  }
  auto written = base::real_file_writer().write_file(path, text);
  if (written) return {};
  session.err.print("cannot write {}: {}\n", path, written.error().message);
  return std::unexpected(ExitCode::failure);
}

std::vector<std::string> describe_changes(const ModuleFile& before, const ModuleFile& after) {
  std::map<std::string, std::pair<const cue::module::Dependency*, const cue::module::Dependency*>> both;
  for (const auto& dependency : before.dependencies) both[dependency.module.path].first = &dependency;
  for (const auto& dependency : after.dependencies) both[dependency.module.path].second = &dependency;
  std::vector<std::string> lines;
  for (const auto& [path, pair] : both) {
    auto [old, now] = pair;
    if (old == nullptr) lines.push_back("+ " + now->module.text());
    else if (now == nullptr) lines.push_back("- " + old->module.text());
    else if (old->module.version != now->module.version)
      lines.push_back("~ " + old->module.text() + " -> " + now->module.version);
    else if (old->is_default != now->is_default)
      lines.push_back("~ " + now->module.text() + (now->is_default ? " is the default now" : " is not the default now"));
  }
  return lines;
}

ExitCode report_module_errors(Session& session, ModFace face, const diag::SourceMap& sources,
                              std::vector<diag::Diagnostic> errors, const std::string& working_directory) {
  if (face == ModFace::opm) return report_errors(session, sources, std::move(errors), working_directory);
  for (const diag::Diagnostic& error : errors) {
    std::string message = error.message;
    constexpr std::string_view kNotTidy = "module is not tidy";
    if (message.starts_with(kNotTidy)) message.insert(kNotTidy.size(), ", use 'cue mod tidy'");
    session.err.print("{}\n", message);
  }
  return exit_code_of(errors, ExitCode::invalid);
}

ExitCode print_module_error(Session& session, const cue::module::ModuleError& error) {
  session.err.print("{}\n", error.message);
  switch (error.kind) {
    case ModuleErrorKind::not_found:
      return ExitCode::not_found;
    case ModuleErrorKind::unreachable:
      return ExitCode::unreachable;
    case ModuleErrorKind::denied:
      return ExitCode::denied;
    case ModuleErrorKind::invalid:
      return ExitCode::invalid;
  }
  return ExitCode::failure;
}

}  // namespace opm::cli
