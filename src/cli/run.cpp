#include "cli/run.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cerrno>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_help.h"
#include "cli/commands.h"

namespace opm::cli {

namespace {

// The innermost command that the words named.
const CLI::App* chosen_command(const CLI::App* command, std::string& name) {
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().back();
    name += ' ' + command->get_name();
  }
  return command;
}

std::string lower_first(std::string text) {
  // Flags keep their case, and so does a word in capitals.
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  }
  return text;
}

std::string usage_message(const CLI::App& root, const CLI::ParseError& error, std::string& name) {
  const CLI::App* command = chosen_command(&root, name);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    std::vector<std::string> extras = root.remaining(true);
    if (!extras.empty()) {
      const std::string& first = extras.front();
      if (first.starts_with('-')) return fmt::format("unknown flag \"{}\" for \"{}\"", first, name);
      bool takes_commands = !command->get_subcommands({}).empty();
      return fmt::format("{} \"{}\" for \"{}\"", takes_commands ? "unknown command" : "unexpected argument", first,
                         name);
    }
  }
  return lower_first(error.what());
}

ExitCode parse_and_run(std::span<const char* const> arguments, Session& session) {
  CLI::App root("Render, check and deliver OPM modules, with a CUE engine built in", "opm");
  root.get_formatter()->column_width(32);
  add_commands(root, session);
  if (arguments.size() > 1 && std::string_view(arguments[1]) == "help") {
    print_help(root, session, arguments.subspan(2));
    return session.exit_code;
  }
  try {
    root.parse(static_cast<int>(arguments.size()), arguments.data());
    std::string name = "opm";
    const CLI::App* command = chosen_command(&root, name);
    // A group on its own, or nothing at all: show what there is to choose from.
    if (!command->get_subcommands({}).empty()) session.out.write(help_text(*command, name));
  } catch (const CLI::CallForHelp&) {
    std::string name = "opm";
    const CLI::App* command = chosen_command(&root, name);
    session.out.write(help_text(*command, name));
  } catch (const CLI::ParseError& error) {
    std::string name = "opm";
    std::string message = usage_message(root, error, name);
    session.err.print("{}\nrun \"{} --help\" for what it takes\n", message, name);
    return ExitCode::failure;
  }
  return session.exit_code;
}

}  // namespace

ExitCode run(std::span<const char* const> arguments, Output& out, Output& err) {
  Session session{out, err};
  ExitCode code = ExitCode::failure;
  try {
    code = parse_and_run(arguments, session);
  } catch (const std::exception& error) {
    // Nothing that a user does gets here: it is a mistake in opm, or memory ran out.
    err.print("internal error: {}\n", error.what());
  }
  // A reader that has seen enough (as `head` does) closes the pipe; that is no failure of ours.
  if (!out.flush() && out.error() != EPIPE) {
    err.print("cannot write to standard output: {}\n", std::strerror(out.error()));
    if (code == ExitCode::success) code = ExitCode::failure;
  }
  err.flush();
  return code;
}

}  // namespace opm::cli
