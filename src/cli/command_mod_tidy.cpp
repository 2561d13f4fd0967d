#include "cli/command_mod_tidy.h"

#include <memory>

#include "cli/configure.h"
#include "cli/cue_errors.h"
#include "cli/module_folder.h"
#include "cue/load/tidy.h"

namespace opm::cli {
namespace {

struct Options {
  ConfigFlags flags;
  ModFace face = ModFace::opm;
  bool check = false;
  bool local_only = false;
};

ExitCode write(Session& session, const Options& options, const CurrentModule& current,
               const cue::load::TidyResult& result) {
  std::expected<void, ExitCode> written;
  if (!options.local_only) written = write_current_module(session, current, result.after);
  if (written && result.local_before != result.local_after)
    written = write_local_module(session, current, result.local_after);
  return written ? ExitCode::success : written.error();
}

ExitCode tidy(Session& session, const Options& options) {
  auto configured = configure(session, options.flags);
  if (!configured) return configured.error();
  diag::SourceMap sources;
  auto current = open_current_module(session, configured->working_directory, sources,
                                     {.may_replace = true});
  if (!current) return current.error();
  cue::load::LoadOptions load;
  load.directory = current->root;
  load.comments = false;
  auto mode = options.check        ? cue::load::TidyMode::check
              : options.local_only ? cue::load::TidyMode::local_only
                                   : cue::load::TidyMode::update;
  auto result = cue::load::tidy(mode, load, configured->modules->sources(), sources);
  if (!result)
    return report_module_errors(session, options.face, sources, std::move(result.error()), configured->working_directory);
  if (options.face == ModFace::cue) {
    if (!options.check || !result->changed()) return options.check ? ExitCode::success : write(session, options, *current, *result);
    return report_module_errors(session, options.face, sources, one_error("module is not tidy"), {});
  }
  // A file that says the right things is left as its author wrote it.
  if (!result->changed()) return ExitCode::success;
  std::vector<std::string> changes = describe_changes(result->before, result->after);
  if (result->local_before != result->local_after) changes.emplace_back("~ cue.mod/local-module.cue");
  if (options.check) {
    session.err.write("cue.mod/module.cue is not tidy; \"opm mod tidy\" would change:\n");
    for (const std::string& change : changes) session.err.print("  {}\n", change);
    return ExitCode::invalid;
  }
  if (ExitCode code = write(session, options, *current, *result); code != ExitCode::success) return code;
  for (const std::string& change : changes) session.out.print("{}\n", change);
  return ExitCode::success;
}

}  // namespace

void add_mod_tidy_command(const Command& group, Session& session, ModFace face) {
  auto options = std::make_shared<Options>();
  options->face = face;
  Command command = group.add("tidy", "List in cue.mod/module.cue what is imported: no more, no less");
  command.flag("--check", options->check, "Only say whether it is so; exit code 2 if not");
  command.flag("--local-only", options->local_only, "Only make cue.mod/local-module.cue tidy");
  declare_config_flags(command, options->flags);
  command.run([&session, options] { return tidy(session, *options); });
}

}  // namespace opm::cli
