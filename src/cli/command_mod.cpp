#include "cli/command_mod.h"

#include "cli/command_mod_build.h"
#include "cli/command_mod_get.h"
#include "cli/command_mod_init.h"
#include "cli/command_mod_publish.h"
#include "cli/command_mod_resolve.h"
#include "cli/command_mod_tidy.h"
#include "cli/command_mod_vet.h"

namespace opm::cli {

void add_mod_command(CommandLine& line, Session& session) {
  Command group = line.root().add("mod", "Work with a module: start it, check it, render it");
  add_mod_init_command(group, session);
  add_mod_vet_command(group, session);
  add_mod_build_command(group, session);
  add_mod_get_command(group, session);
  add_mod_tidy_command(group, session);
  add_mod_resolve_command(group, session);
  add_mod_publish_command(group, session);
}

}  // namespace opm::cli
