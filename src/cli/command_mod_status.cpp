#include "cli/command_mod_status.h"

#include <memory>

#include "cli/lifecycle.h"
#include "cli/release_target.h"

namespace opm::cli {

namespace {

struct Options {
  TargetFlags target;
  StatusFlags flags;
};

}  // namespace

void add_mod_status_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("status", "Say how the objects of a release are doing");
  declare_status_flags(command, options->flags);
  declare_target_flags(command, options->target);
  command.run([&session, options] {
    auto target = find_target(session, options->target);
    if (!target) return target.error();
    return show_status(session, target->run(), target->release, options->flags);
  });
}

}  // namespace opm::cli
