#include "cli/command_values_validate.h"

#include <memory>

#include "cli/values_flags.h"

namespace opm::cli {

namespace {

struct Options {
  ValuesFlags flags;
  std::vector<std::string> files;
};

ExitCode validate(Session& session, const Options& options) {
  ValuesFlags flags = options.flags;
  if (!options.files.empty() && !flags.overlays.empty()) {
    session.err.write("error: files without a flag are the End User's: use --platform rather than --overlay beside them\n");
    return ExitCode::failure;
  }
  flags.user.insert(flags.user.begin(), options.files.begin(), options.files.end());
  auto run = run_values(session, flags, {.complete = true});
  return run ? ExitCode::success : run.error();
}

}  // namespace

void add_values_validate_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("validate", "Check values against the schema of the module, tier by tier");
  command.argument("MODULE", options->flags.module, "The folder of the module, or a CUE file in it");
  command.arguments("FILE", options->files, "Values of the End User");
  declare_values_flags(command, options->flags);
  command.run([&session, options] { return validate(session, *options); });
}

}  // namespace opm::cli
