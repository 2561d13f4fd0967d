#include "cli/command_mod_vet.h"

#include <memory>

#include "cli/render_flags.h"
#include "cli/render_report.h"
#include "opm/render/render.h"

namespace opm::cli {

namespace {

ExitCode vet(Session& session, const RenderFlags& flags) {
  auto setup = set_up_render(session, flags);
  if (!setup) return setup.error();
  setup->options.check_module = true;
  render::RenderResult result = render::render(setup->options);
  return report_render(session, result, {setup->options.working_directory, flags.verbose, flags.timings});
}

}  // namespace

void add_mod_vet_command(const Command& group, Session& session) {
  auto flags = std::make_shared<RenderFlags>();
  Command command = group.add("vet", "Check a module, its values and what would be rendered of it");
  declare_render_flags(command, *flags);
  command.run([&session, flags] { return vet(session, *flags); });
}

}  // namespace opm::cli
