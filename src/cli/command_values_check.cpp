#include "cli/command_values_check.h"

#include <memory>

#include "cli/values_flags.h"

namespace opm::cli {

namespace {

ExitCode check(Session& session, const ValuesFlags& flags) {
  auto run = run_values(session, flags, {.complete = true});
  return run ? ExitCode::success : run.error();
}

}  // namespace

void add_values_check_command(const Command& group, Session& session) {
  auto flags = std::make_shared<ValuesFlags>();
  Command command = group.add("check", "Check that the End User's values keep to what the platform has locked");
  command.argument("MODULE", flags->module, "The folder of the module, or a CUE file in it");
  declare_values_flags(command, *flags);
  command.run([&session, flags] { return check(session, *flags); });
}

}  // namespace opm::cli
