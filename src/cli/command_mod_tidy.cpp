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
  bool check = false;
};

ExitCode tidy(Session& session, const Options& options) {
  auto configured = configure(session, options.flags);
  if (!configured) return configured.error();
  diag::SourceMap sources;
  auto current = open_current_module(session, configured->working_directory, sources);
  if (!current) return current.error();
  cue::load::LoadOptions load;
  load.directory = current->root;
  load.comments = false;
  auto result = cue::load::tidy(options.check ? cue::load::TidyMode::check : cue::load::TidyMode::update, load,
                                configured->modules->sources(), sources);
  if (!result) return report_errors(session, sources, std::move(result.error()), configured->working_directory);
  // A file that says the right things is left as its author wrote it.
  if (!result->changed()) return ExitCode::success;
  std::vector<std::string> changes = describe_changes(result->before, result->after);
  if (options.check) {
    session.err.write("cue.mod/module.cue is not tidy; \"opm mod tidy\" would change:\n");
    for (const std::string& change : changes) session.err.print("  {}\n", change);
    return ExitCode::invalid;
  }
  if (auto written = write_current_module(session, *current, result->after); !written) return written.error();
  for (const std::string& change : changes) session.out.print("{}\n", change);
  return ExitCode::success;
}

}  // namespace

void add_mod_tidy_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("tidy", "List in cue.mod/module.cue what is imported: no more, no less");
  command.flag("--check", options->check, "Only say whether it is so; exit code 2 if not");
  declare_config_flags(command, options->flags);
  command.run([&session, options] { return tidy(session, *options); });
}

}  // namespace opm::cli
