#include "cli/command_mod_build.h"

#include <memory>

#include "cli/manifest_output.h"
#include "cli/render_flags.h"
#include "cli/render_report.h"
#include "opm/render/render.h"

namespace opm::cli {

namespace {

struct Options {
  RenderFlags flags;
  ManifestFlags manifests;
};

ExitCode build(Session& session, const Options& options) {
  const ManifestFlags& manifests = options.manifests;
  if (ExitCode code = check_manifest_flags(session, manifests); code != ExitCode::success) return code;
  auto setup = set_up_render(session, options.flags);
  if (!setup) return setup.error();
  const std::string& here = setup->options.working_directory;
  setup->options.dump_jobs = !manifests.dump_dir.empty();
  setup->options.show_secrets = manifests.show_secrets;
  setup->options.find_secrets = manifests.redact;
  render::RenderResult result = render::render(setup->options);
  ExitCode code = report_render(session, result, {here, options.flags.verbose, options.flags.timings});
  if (!manifests.dump_dir.empty()) {
    ExitCode dumped = write_job_dump(session, manifests, here, result.dump);
    if (code == ExitCode::success) code = dumped;
  }
  if (code != ExitCode::success) return code;
  return write_resources(session, manifests, here, std::move(result.resources));
}

}  // namespace

void add_mod_build_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("build", "Render a module as Kubernetes manifests");
  declare_manifest_flags(command, options->manifests);
  declare_render_flags(command, options->flags);
  command.run([&session, options] { return build(session, *options); });
}

}  // namespace opm::cli
