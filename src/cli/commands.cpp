#include "cli/commands.h"

#include "cli/command_apply.h"
#include "cli/command_build.h"
#include "cli/command_completion.h"
#include "cli/command_config.h"
#include "cli/command_cue.h"
#include "cli/command_delete.h"
#include "cli/command_diff.h"
#include "cli/command_env.h"
#include "cli/command_explain.h"
#include "cli/command_help.h"
#include "cli/command_lsp.h"
#include "cli/command_manual.h"
#include "cli/command_mod.h"
#include "cli/command_platform.h"
#include "cli/command_release.h"
#include "cli/command_status.h"
#include "cli/command_values.h"
#include "cli/command_version.h"

namespace opm::cli {

namespace {

// A registration declares the command's arguments and sets the action that does the work.
using Registration = void (*)(CommandLine& line, Session& session);

// In the order in which the help lists them.
constexpr Registration kRegistrations[] = {
    add_help_command,
    add_version_command,
    add_mod_command,
    add_values_command,
    add_explain_command,
    add_build_command,
    add_apply_command,
    add_diff_command,
    add_status_command,
    add_delete_command,
    add_env_command,
    add_platform_command,
    add_release_command,
    add_config_command,
    add_cue_command,
    add_lsp_command,
    add_completion_command,
    add_manual_command,
};

// Those that can end so soon that to declare all the others would be a good part of their time.
struct QuickCommand {
  std::string_view name;
  Registration add;
};
constexpr QuickCommand kQuickCommands[] = {
    {"build", add_build_command}, {"cue", add_cue_command}, {"explain", add_explain_command},
    {"mod", add_mod_command},     {"version", add_version_command}};

}  // namespace

void add_commands(CommandLine& line, Session& session) {
  for (const QuickCommand& command : kQuickCommands) {
    if (command.name == line.word(1)) return command.add(line, session);
  }
  for (Registration add : kRegistrations) add(line, session);
}

}  // namespace opm::cli
