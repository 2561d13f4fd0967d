#include "cli/command_mod_apply.h"

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
  ApplyFlags apply;
};

ExitCode apply(Session& session, const Options& options) {
  auto setup = set_up_render(session, options.render);
  if (!setup) return setup.error();
  setup->options.keep_values = true;
  setup->options.find_secrets = true;
  render::RenderResult result = render::render(setup->options);
  ExitCode code = report_render(session, result,
                                {setup->options.working_directory, options.render.verbose, options.render.timings});
  if (code != ExitCode::success) return code;
  result.program.reset();
  auto client = connect(session, *setup->configured, options.cluster);
  if (!client) return client.error();
  return apply_rendered(session, {*setup->configured, **client}, std::move(result), options.apply);
}

}  // namespace

void add_mod_apply_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("apply", "Render a module and bring a cluster to what it says");
  declare_apply_flags(command, options->apply);
  declare_render_flags(command, options->render);
  declare_cluster_flags(command, options->render.config, options->cluster);
  command.run([&session, options] { return apply(session, *options); });
}

}  // namespace opm::cli
