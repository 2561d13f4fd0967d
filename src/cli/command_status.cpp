#include "cli/command_status.h"

#include <memory>

#include "cli/environment_target.h"

namespace opm::cli {

namespace {

struct Options {
  EnvironmentFlags target;
  StatusFlags flags;
};

}  // namespace

void add_status_command(CommandLine& line, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = line.root().add("status", "Say how a release is doing in an environment");
  declare_status_flags(command, options->flags);
  declare_environment_flags(command, options->target);
  command.run([&session, options] {
    auto target = open_environment(session, options->target, RenderNeed::identity);
    if (!target) return target.error();
    return show_status(session, target->run(), target->key(), options->flags);
  });
}

}  // namespace opm::cli
