#include "cli/command_cue.h"

#include "cli/command_cue_def.h"
#include "cli/command_cue_eval.h"
#include "cli/command_cue_export.h"
#include "cli/command_cue_fmt.h"
#include "cli/command_cue_vet.h"

namespace opm::cli {

void add_cue_command(CommandLine& line, Session& session) {
  Command group = line.root().add("cue", "Work with CUE as such; flags and output are those of cue");
  add_cue_def_command(group, session);
  add_cue_eval_command(group, session);
  add_cue_export_command(group, session);
  add_cue_fmt_command(group, session);
  add_cue_vet_command(group, session);
}

}  // namespace opm::cli
