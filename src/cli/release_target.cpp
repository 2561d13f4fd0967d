#include "cli/release_target.h"

#include "base/file_system.h"
#include "base/path.h"
#include "cli/render_report.h"
#include "opm/render/render.h"

namespace opm::cli {

void declare_target_flags(const Command& command, TargetFlags& flags) {
  declare_render_flags(command, flags.render);
  declare_cluster_flags(command, flags.render.config, flags.cluster);
  command.option("--release-id", flags.release_id, "UUID",
                 "Identity of the release; with --namespace no module is needed");
}

std::expected<Target, ExitCode> find_target(Session& session, const TargetFlags& flags) {
  Target target;
  const std::optional<std::string>& where = flags.render.config.values.namespace_name;
  bool is_named = (flags.render.name || flags.release_id) && where && flags.render.directory == ".";
  if (flags.release_id && !where) {
    session.err.write("error: --release-id needs --namespace\n");
    return std::unexpected(ExitCode::failure);
  }
  if (is_named) {
    auto configured = configure(session, flags.render.config);
    if (!configured) return std::unexpected(configured.error());
    target.configured = std::make_unique<Configured>(std::move(*configured));
    target.release = {flags.render.name.value_or(""), *where, flags.release_id.value_or("")};
  } else {
    auto setup = set_up_render(session, flags.render);
    if (!setup) return std::unexpected(setup.error());
    render::RenderResult rendered = render::render(setup->options);
    // Which release it is may be known although something of it can't be rendered.
    if (rendered.release.identity.empty()) {
      ExitCode code = report_render(session, rendered, {setup->options.working_directory, flags.render.verbose, false});
      if (flags.render.name && !where)
        session.err.write("  help: with --namespace, --name finds a release without its module\n");
      return std::unexpected(code == ExitCode::success ? ExitCode::failure : code);
    }
    target.configured = std::move(setup->configured);
    target.release = {rendered.release.name, rendered.release.namespace_name, rendered.release.identity};
  }
  auto client = connect(session, *target.configured, flags.cluster);
  if (!client) return std::unexpected(client.error());
  target.client = std::move(*client);
  return target;
}

}  // namespace opm::cli
