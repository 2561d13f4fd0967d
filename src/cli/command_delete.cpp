#include "cli/command_delete.h"

#include <memory>

#include "cli/environment_target.h"

namespace opm::cli {

namespace {

struct Options {
  EnvironmentFlags target;
  DeleteFlags flags;
};

}  // namespace

void add_delete_command(CommandLine& line, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = line.root().add("delete", "Take a release out of the cluster of an environment");
  declare_delete_flags(command, options->flags);
  declare_environment_flags(command, options->target);
  command.run([&session, options] {
    auto target = open_environment(session, options->target, RenderNeed::identity);
    if (!target) return target.error();
    return delete_named(session, target->run(), target->key(), options->flags);
  });
}

}  // namespace opm::cli
