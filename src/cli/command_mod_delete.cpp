#include "cli/command_mod_delete.h"

#include <memory>

#include "cli/lifecycle.h"
#include "cli/release_target.h"

namespace opm::cli {

namespace {

struct Options {
  TargetFlags target;
  DeleteFlags flags;
};

}  // namespace

void add_mod_delete_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("delete", "Take a release out of a cluster");
  declare_delete_flags(command, options->flags);
  declare_target_flags(command, options->target);
  command.run([&session, options] {
    auto target = find_target(session, options->target);
    if (!target) return target.error();
    return delete_named(session, target->run(), target->release, options->flags);
  });
}

}  // namespace opm::cli
