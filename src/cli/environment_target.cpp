#include "cli/environment_target.h"

#include "cli/render_report.h"

namespace opm::cli {

void declare_environment_flags(const Command& command, EnvironmentFlags& flags) {
  command.argument("RELEASE", flags.release.release, "A field of the package");
  declare_release_flags(command, flags.release);
  declare_cluster_flags(command, flags.release.render.config, flags.cluster);
  command.flag("--allow-exec", flags.cluster.allow_exec,
               "Run credential plugins that the platform's own kubeconfig names");
}

release::ReleaseKey EnvironmentTarget::key() const {
  return {render.result.release.name, render.result.release.namespace_name, render.result.release.identity};
}

std::expected<EnvironmentTarget, ExitCode> open_environment(Session& session, const EnvironmentFlags& flags,
                                                            RenderNeed need) {
  const ReleaseFlags& release = flags.release;
  if (release.environments.size() > 1) {
    session.err.write("error: one environment at a time: give -e once\n");
    return std::unexpected(ExitCode::failure);
  }
  EnvironmentTarget target;
  auto setup = set_up_release_render(session, release.render);
  if (!setup) return std::unexpected(setup.error());
  target.setup = std::move(*setup);
  target.setup.options.keep_values = need == RenderNeed::everything;
  target.setup.options.find_secrets = need == RenderNeed::everything;
  std::optional<std::string> environment;
  if (!release.environments.empty()) environment = release.environments.front();
  target.render = render::render_environment(target.setup.options, release.release, environment);
  render::RenderResult& result = target.render.result;
  if (need == RenderNeed::everything || result.release.identity.empty()) {
    ExitCode code = report_render(
        session, result, {target.setup.options.working_directory, release.render.verbose, release.render.timings});
    if (code != ExitCode::success) return std::unexpected(code);
  }
  result.program.reset();
  const model::Platform& platform = target.render.platform;
  auto client =
      connect(session, *target.setup.configured, flags.cluster, {platform.kube_config, platform.kube_context});
  if (!client) return std::unexpected(client.error());
  target.client = std::move(*client);
  // The one that is used: a flag may have named another than the platform does.
  ExitCode code = announce_context(session, target.client->connection().context, release.confirmed_context);
  if (code != ExitCode::success) return std::unexpected(code);
  return target;
}

}  // namespace opm::cli
