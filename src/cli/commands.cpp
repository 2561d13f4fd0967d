#include "cli/commands.h"

#include "cli/command_help.h"
#include "cli/command_version.h"

namespace opm::cli {

namespace {

// In the order in which the help lists them.
constexpr Registration kRegistrations[] = {
    add_help_command,
    add_version_command,
};

}  // namespace

void add_commands(CLI::App& root, Session& session) {
  for (Registration add : kRegistrations) add(root, session);
}

}  // namespace opm::cli
