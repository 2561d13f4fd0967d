#include "cli/release_flags.h"

namespace opm::cli {

namespace {

void declare_directory_flag(const Command& command, RenderFlags& flags) {
  command.option("-C,--directory", flags.directory, "DIR", "The folder of the package that has the releases");
}

}  // namespace

void declare_folder_flags(const Command& command, RenderFlags& flags) {
  declare_directory_flag(command, flags);
  declare_config_flags(command, flags.config);
}

void declare_package_flags(const Command& command, RenderFlags& flags) {
  declare_directory_flag(command, flags);
  declare_shared_render_flags(command, flags);
}

void declare_release_flags(const Command& command, ReleaseFlags& flags) {
  command.option("-e,--environment", flags.environments, "ENVIRONMENT",
                 "Which environment: its name, or labels (tier=prod) that select some");
  command.option("--confirm-context", flags.confirmed_context, "NAME", "Stop unless this is the Kubernetes context");
  declare_tier_flags(command, flags.render);
  declare_package_flags(command, flags.render);
}

std::expected<RenderSetup, ExitCode> set_up_release_render(Session& session, const RenderFlags& flags) {
  auto setup = set_up_render(session, flags);
  if (!setup) return setup;
  // What the user's own settings say of namespaces is for modules: a release says where it runs.
  setup->options.namespace_name.reset();
  setup->options.fallback_namespace.clear();
  return setup;
}

ExitCode announce_context(Session& session, const std::string& context, const std::optional<std::string>& confirmed) {
  if (confirmed && *confirmed != context) {
    session.err.print("error: the context is \"{}\", and --confirm-context says \"{}\"\n", context, *confirmed);
    return ExitCode::invalid;
  }
  session.err.print("context: {}\n", context.empty() ? "that of the cluster which this runs in" : context);
  return ExitCode::success;
}

}  // namespace opm::cli
