#include "cli/values_flags.h"

#include "base/file_system.h"
#include "base/path.h"
#include "cli/render_report.h"

namespace opm::cli {

void declare_values_flags(const Command& command, ValuesFlags& flags) {
  command.option("--overlay", flags.overlays, "FILE",
                 "Values (.cue, .yaml, .yml, .json) that override; one is the Platform Operator's, of several the last is "
                 "the End User's");
  command.option("--platform", flags.platform, "FILE", "Values of the Platform Operator; the last one wins");
  command.option("--user", flags.user, "FILE", "Values of the End User; the last one wins");
  declare_config_flags(command, flags.config);
}

namespace {

// The folder of the module that the argument names: itself, or the one that a CUE file of it stands in.
std::string module_folder(const std::string& named) {
  auto status = base::real_file_system().status(named);
  bool is_file = status && status->kind != base::FileKind::directory;
  return is_file && named.ends_with(".cue") ? base::parent_path(named) : named;
}

}  // namespace

std::expected<ValuesRun, ExitCode> run_values(Session& session, const ValuesFlags& flags, const render::TierSettings& settings) {
  if (!flags.overlays.empty() && !(flags.platform.empty() && flags.user.empty())) {
    session.err.write("error: --overlay goes by its place, --platform and --user by their names: use one or the other\n");
    return std::unexpected(ExitCode::failure);
  }
  RenderFlags render_flags;
  render_flags.config = flags.config;
  render_flags.directory = module_folder(flags.module);
  render_flags.platform = flags.platform;
  render_flags.user = flags.user;
  for (std::size_t i = 0; i < flags.overlays.size(); ++i) {
    bool is_users = i > 0 && i + 1 == flags.overlays.size();
    (is_users ? render_flags.user : render_flags.platform).push_back(flags.overlays[i]);
  }
  auto setup = set_up_render(session, render_flags);
  if (!setup) return std::unexpected(setup.error());
  ValuesRun run;
  run.working_directory = setup->options.working_directory;
  run.values = render::load_values(setup->options, settings);
  if (run.values.problems.empty()) return run;
  render::RenderResult result;
  result.program = run.values.program;
  result.errors = std::move(run.values.problems);
  return std::unexpected(report_render(session, result, {run.working_directory, "", false}));
}

}  // namespace opm::cli
