#include "cli/command_mod.h"

#include "cli/command_mod_apply.h"
#include "cli/command_mod_build.h"
#include "cli/command_mod_delete.h"
#include "cli/command_mod_diff.h"
#include "cli/command_mod_get.h"
#include "cli/command_mod_graph.h"
#include "cli/command_mod_init.h"
#include "cli/command_mod_publish.h"
#include "cli/command_mod_resolve.h"
#include "cli/command_mod_status.h"
#include "cli/command_mod_tidy.h"
#include "cli/command_mod_vet.h"

namespace opm::cli {

void add_mod_command(CommandLine& line, Session& session) {
  Command group = line.root().add("mod", "Work with a module: start it, check it, render it, bring it to a cluster");
  // It can end so soon that to declare all the others would be a good part of its time.
  if (line.word(2) == "build") return add_mod_build_command(group, session);
  add_mod_init_command(group, session);
  add_mod_vet_command(group, session);
  add_mod_build_command(group, session);
  add_mod_graph_command(group, session);
  add_mod_apply_command(group, session);
  add_mod_diff_command(group, session);
  add_mod_status_command(group, session);
  add_mod_delete_command(group, session);
  add_mod_get_command(group, session);
  add_mod_tidy_command(group, session);
  add_mod_resolve_command(group, session);
  add_mod_publish_command(group, session);
}

}  // namespace opm::cli
