#include "cli/command_mod_build.h"

#include <memory>

#include "cli/render_flags.h"
#include "cli/render_report.h"
#include "opm/render/manifests.h"
#include "opm/render/render.h"

namespace opm::cli {

namespace {

struct Options {
  RenderFlags flags;
  std::string output = "yaml";
  bool redact = false;
};

ExitCode build(Session& session, const Options& options) {
  auto setup = set_up_render(session, options.flags);
  if (!setup) return setup.error();
  render::RenderResult result = render::render(setup->options);
  ExitCode code =
      report_render(session, result, {setup->options.working_directory, options.flags.verbose, options.flags.timings});
  if (code != ExitCode::success) return code;
  if (options.redact) render::redact_secrets(result.resources);
  render::ManifestFormat format = options.output == "json" ? render::ManifestFormat::json : render::ManifestFormat::yaml;
  session.out.write(render::write_manifests(result.resources, format));
  return code;
}

}  // namespace

void add_mod_build_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("build", "Render a module as Kubernetes manifests");
  command.choice("-o,--output", options->output, {"yaml", "json"}, "Format of the manifests");
  command.flag("--redact", options->redact, "Show the content of Secrets only as a checksum");
  declare_render_flags(command, options->flags);
  command.run([&session, options] { return build(session, *options); });
}

}  // namespace opm::cli
