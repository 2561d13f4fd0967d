#include "cli/command_apply.h"

#include <memory>

#include "cli/environment_target.h"

namespace opm::cli {

namespace {

struct Options {
  EnvironmentFlags target;
  ApplyFlags flags;
};

}  // namespace

void add_apply_command(CommandLine& line, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = line.root().add("apply", "Bring the cluster of an environment to what a release says");
  declare_apply_flags(command, options->flags);
  declare_environment_flags(command, options->target);
  command.run([&session, options] {
    auto target = open_environment(session, options->target, RenderNeed::everything);
    if (!target) return target.error();
    return apply_rendered(session, target->run(), std::move(target->render.result), options->flags);
  });
}

}  // namespace opm::cli
