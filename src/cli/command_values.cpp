#include "cli/command_values.h"

#include "cli/command_values_check.h"
#include "cli/command_values_diff.h"
#include "cli/command_values_inspect.h"
#include "cli/command_values_merge.h"
#include "cli/command_values_validate.h"

namespace opm::cli {

void add_values_command(CommandLine& line, Session& session) {
  Command group = line.root().add("values", "See who sets which values of a module, and what they are in the end");
  add_values_merge_command(group, session);
  add_values_validate_command(group, session);
  add_values_inspect_command(group, session);
  add_values_diff_command(group, session);
  add_values_check_command(group, session);
}

}  // namespace opm::cli
