#include "cli/command_cue.h"

#include "cli/command_cue_def.h"
#include "cli/command_cue_eval.h"
#include "cli/command_cue_export.h"
#include "cli/command_cue_fmt.h"
#include "cli/command_cue_import.h"
#include "cli/command_cue_mod_edit.h"
#include "cli/command_cue_refactor.h"
#include "cli/command_cue_vet.h"
#include "cli/command_mod_get.h"
#include "cli/command_mod_publish.h"
#include "cli/command_mod_tidy.h"

namespace opm::cli {

namespace {

using Registration = void (*)(const Command& group, Session& session);

// Those that can end so soon that to declare all the others would be a good part of their time.
struct QuickCommand {
  std::string_view name;
  Registration add;
};
constexpr QuickCommand kQuickCommands[] = {
    {"def", add_cue_def_command}, {"eval", add_cue_eval_command}, {"export", add_cue_export_command},
    {"fmt", add_cue_fmt_command}, {"vet", add_cue_vet_command}};

}  // namespace

void add_cue_command(CommandLine& line, Session& session) {
  Command group = line.root().add("cue", "Work with CUE as such; flags and output are those of cue");
  for (const QuickCommand& command : kQuickCommands) {
    if (command.name == line.word(2)) return command.add(group, session);
  }
  add_cue_def_command(group, session);
  add_cue_eval_command(group, session);
  add_cue_export_command(group, session);
  add_cue_fmt_command(group, session);
  add_cue_import_command(group, session);
  Command modules = group.add("mod", "Work with what a module depends on, as cue mod does");
  add_cue_mod_edit_command(modules, session);
  add_mod_get_command(modules, session, ModFace::cue);
  add_mod_publish_command(modules, session, ModFace::cue);
  add_mod_tidy_command(modules, session, ModFace::cue);
  add_cue_refactor_command(group, session);
  add_cue_vet_command(group, session);
}

}  // namespace opm::cli
