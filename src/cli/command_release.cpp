#include "cli/command_release.h"

#include "cli/command_release_history.h"
#include "cli/command_release_list.h"
#include "cli/command_release_rollback.h"

namespace opm::cli {

void add_release_command(CommandLine& line, Session& session) {
  Command group = line.root().add("release", "See the releases that are in a cluster, and go back to an earlier one");
  add_release_list_command(group, session);
  add_release_history_command(group, session);
  add_release_rollback_command(group, session);
}

}  // namespace opm::cli
