#include "cli/command_platform.h"

#include <memory>

#include "cli/release_flags.h"
#include "cli/release_listing.h"
#include "cli/render_report.h"

namespace opm::cli {

namespace {

struct Options {
  RenderFlags flags;
  std::string output = "table";
};

ExitCode list(Session& session, const Options& options) {
  auto setup = set_up_release_render(session, options.flags);
  if (!setup) return setup.error();
  render::ReleaseList releases = render::list_platforms(setup->options);
  ExitCode code = report_problems(session, releases.program.get(), releases.errors,
                                  {setup->options.working_directory, options.flags.verbose, false});
  if (code != ExitCode::success) return code;
  session.out.write(options.output == "json" ? platforms_json(releases) : platforms_table(releases, setup->options.working_directory));
  return code;
}

}  // namespace

void add_platform_command(CommandLine& line, Session& session) {
  Command group = line.root().add("platform", "Clusters that environments run on");
  auto options = std::make_shared<Options>();
  Command command = group.add("list", "List the platforms of the folder .opm here or above");
  command.choice("-o,--output", options->output, {"table", "json"}, "Format");
  declare_folder_flags(command, options->flags);
  command.run([&session, options] { return list(session, *options); });
}

}  // namespace opm::cli
