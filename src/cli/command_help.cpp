#include "cli/command_help.h"

#include <string>

namespace opm::cli {

std::string help_text(const CLI::App& command, std::string_view name) {
  std::size_t last = name.rfind(' ');
  return command.help(std::string(name.substr(0, last == name.npos ? 0 : last)));
}

void print_help(CLI::App& root, Session& session, std::span<const char* const> words) {
  CLI::App* command = &root;
  std::string name = root.get_name();
  for (std::string word : words) {
    auto found = command->get_subcommands([&word](CLI::App* below) { return below->check_name(word); });
    if (found.empty()) {
      session.err.print("unknown command \"{}\" for \"{}\"\n", word, name);
      session.exit_code = ExitCode::failure;
      return;
    }
    command = found.front();
    name += ' ' + word;
  }
  session.out.write(help_text(*command, name));
}

void add_help_command(CLI::App& root, Session&) {
  root.add_subcommand("help", "Print the help of opm or of one of its commands");
}

}  // namespace opm::cli
