#include "cli/command_config.h"

#include "cli/command_config_init.h"
#include "cli/command_config_show.h"
#include "cli/command_config_vet.h"

namespace opm::cli {

void add_config_command(CommandLine& line, Session& session) {
  Command group = line.root().add("config", "Work with the configuration of opm");
  add_config_init_command(group, session);
  add_config_vet_command(group, session);
  add_config_show_command(group, session);
}

}  // namespace opm::cli
