#include "cli/command_mod_diff.h"

#include <memory>

#include "cli/lifecycle.h"
#include "cli/render_flags.h"
#include "cli/render_report.h"
#include "opm/render/render.h"

namespace opm::cli {

namespace {

struct Options {
  RenderFlags render;
  ClusterFlags cluster;
  DiffFlags diff;
};

ExitCode diff(Session& session, const Options& options) {
  auto setup = set_up_render(session, options.render);
  if (!setup) return diff_failure(setup.error());
  setup->options.find_secrets = true;
  render::RenderResult result = render::render(setup->options);
  ExitCode code = report_render(session, result,
                                {setup->options.working_directory, options.render.verbose, options.render.timings});
  if (code != ExitCode::success) return diff_failure(code);
  result.program.reset();
  auto client = connect(session, *setup->configured, options.cluster);
  if (!client) return diff_failure(client.error());
  return diff_rendered(session, {*setup->configured, **client}, std::move(result), options.diff);
}

}  // namespace

void add_mod_diff_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("diff", "Show what applying a module would change in a cluster");
  declare_diff_flags(command, options->diff);
  declare_render_flags(command, options->render);
  declare_cluster_flags(command, options->render.config, options->cluster);
  command.run([&session, options] { return diff(session, *options); });
}

}  // namespace opm::cli
