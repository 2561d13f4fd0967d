#include "cli/command_help.h"

namespace opm::cli {

void add_help_command(CommandLine& line, Session& session) {
  auto words = std::make_shared<std::vector<std::string>>();
  line.root()
      .add("help", "Print the help of opm or of one of its commands")
      .arguments("command", *words, "The command, e.g. version")
      .run([&line, &session, words] {
        return line.print_help(*words, session) ? ExitCode::success : ExitCode::failure;
      });
}

}  // namespace opm::cli
