#include "cli/command_env.h"

#include <algorithm>
#include <memory>

#include "cli/release_flags.h"
#include "cli/release_listing.h"
#include "cli/render_report.h"

namespace opm::cli {

namespace {

struct Options {
  RenderFlags flags;
  std::string release;
  std::string output = "table";
};

ExitCode list(Session& session, const Options& options) {
  auto setup = set_up_release_render(session, options.flags);
  if (!setup) return setup.error();
  render::ReleaseList releases = render::list_releases(setup->options);
  ExitCode code = report_problems(session, releases.program.get(), releases.errors,
                                  {setup->options.working_directory, options.flags.verbose, false});
  if (code != ExitCode::success) return code;
  if (!options.release.empty() && std::ranges::find(releases.releases, options.release, &model::ReleaseDeclaration::field) == releases.releases.end()) {
    session.err.print("error: there is no release \"{}\"\n", options.release);
    return ExitCode::invalid;
  }
  session.out.write(options.output == "json" ? environments_json(releases, options.release)
                                             : environments_table(releases, options.release));
  return code;
}

}  // namespace

void add_env_command(CommandLine& line, Session& session) {
  Command group = line.root().add("env", "Environments of releases");
  auto options = std::make_shared<Options>();
  Command command = group.add("list", "List the environments of releases");
  command.optional_argument("RELEASE", options->release, "Only those of this release");
  command.choice("-o,--output", options->output, {"table", "json"}, "Format");
  declare_folder_flags(command, options->flags);
  command.run([&session, options] { return list(session, *options); });
}

}  // namespace opm::cli
