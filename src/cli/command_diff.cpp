#include "cli/command_diff.h"

#include <memory>

#include "cli/diff_report.h"
#include "cli/environment_target.h"
#include "cli/render_diff.h"
#include "cli/render_report.h"
#include "opm/release/release_diff.h"

namespace opm::cli {

namespace {

struct Options {
  EnvironmentFlags target;
  std::string against;
  DiffFlags diff;
};

ExitCode diff_environments(Session& session, const Options& options) {
  const ReleaseFlags& release = options.target.release;
  const RenderFlags& flags = release.render;
  auto setup = set_up_release_render(session, flags);
  if (!setup) return diff_failure(setup.error());
  setup->options.find_secrets = true;
  ReportOptions report{setup->options.working_directory, flags.verbose, flags.timings};
  auto render = [&](const std::string& environment) {
    render::EnvironmentRender rendered = render::render_environment(setup->options, release.release, environment);
    ReportOptions own = report;
    own.subject = "environment \"" + environment + "\"";
    return std::pair(report_render(session, rendered.result, rendered.environment.empty() ? report : own), std::move(rendered));
  };
  auto [code, here] = render(release.environments.front());
  if (code != ExitCode::success) return diff_failure(code);
  auto [other_code, there] = render(options.against);
  if (other_code != ExitCode::success) return diff_failure(other_code);
  release::DiffResult result = diff_renders(there.result.resources, here.result.resources);
  if (options.diff.output == "json") session.out.write(diff_json(result));
  else session.out.write(diff_text(result, false));
  return result.differs() ? ExitCode::failure : ExitCode::success;
}

ExitCode diff_with_cluster(Session& session, const Options& options) {
  auto target = open_environment(session, options.target, RenderNeed::everything);
  if (!target) return diff_failure(target.error());
  return diff_rendered(session, target->run(), std::move(target->render.result), options.diff);
}

ExitCode diff(Session& session, const Options& options) {
  if (options.against.empty()) return diff_with_cluster(session, options);
  if (options.target.release.environments.size() != 1) {
    session.err.write("error: say which environments to compare: -e ENVIRONMENT --against ENVIRONMENT\n");
    return diff_failure(ExitCode::failure);
  }
  return diff_environments(session, options);
}

}  // namespace

void add_diff_command(CommandLine& line, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = line.root().add("diff", "Show what differs between a release and its cluster, or between two of its environments");
  command.option("--against", options->against, "ENVIRONMENT", "What to compare with: another environment, without a cluster");
  declare_diff_flags(command, options->diff);
  declare_environment_flags(command, options->target);
  command.run([&session, options] { return diff(session, *options); });
}

}  // namespace opm::cli
