// The command line, as commands declare it: names, flags, options, arguments and what to run. It
// is parsed by CLI11, which only command_line.cpp sees, because its headers take long to compile.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/session.h"

namespace opm::cli {

// What a command takes, for those who describe it elsewhere: completion, manual pages, the reference.
struct OptionDescription {
  std::vector<std::string> names;    // "-o", "--output"; of an argument its one name, "FILE"
  std::string value;                 // how the help names it; empty: it takes none
  std::vector<std::string> choices;  // the only values there are; empty: there are others
  bool is_argument = false;
  bool is_required = false;
  bool is_repeatable = false;
  bool has_optional_value = false;  // --verbose[=json]
  std::string description;
};
struct CommandDescription {
  std::string name;  // the last word
  std::string description;
  std::string footer;
  bool is_hidden = false;
  std::vector<OptionDescription> options;
  std::vector<CommandDescription> below;
};

// One command, or a group of them; a handle that is copied freely. The functions below return the
// command itself, to be chained. Targets are set before the action runs and have to live as long:
// let the action own them, for example in a std::shared_ptr<Options> that it captures.
//
// `names` are "-o,--output"; `description` starts with a capital and has no full stop.
class Command {
 public:
  // A command below this one, which makes this one a group.
  Command add(std::string name, std::string description) const;

  // `--name=false` takes it back.
  const Command& flag(std::string names, bool& target, std::string description) const;
  // Tells one that was not given from one that was taken back.
  const Command& flag(std::string names, std::optional<bool>& target, std::string description) const;
  // An option that takes a value. `value` is how the help names it, e.g. "FILE".
  const Command& option(std::string names, std::string& target, std::string value, std::string description) const;
  const Command& option(std::string names, std::optional<std::string>& target, std::string value,
                        std::string description) const;
  const Command& option(std::string names, int& target, std::string value, std::string description) const;
  // May be given many times, one value each.
  const Command& option(std::string names, std::vector<std::string>& target, std::string value,
                        std::string description) const;
  // Takes one of the given values.
  const Command& choice(std::string names, std::string& target, std::vector<std::string> choices,
                        std::string description) const;
  // A flag that may be given a value behind `=`: plain `--verbose` sets `when_plain`, `--verbose=json` sets "json".
  const Command& flag_or_value(std::string names, std::string& target, std::string when_plain, std::string value,
                               std::string description) const;

  // What stands on the line without a flag, in the order of declaration.
  const Command& argument(std::string name, std::string& target, std::string description) const;
  const Command& optional_argument(std::string name, std::string& target, std::string description) const;
  // All that are left; none is fine.
  const Command& arguments(std::string name, std::vector<std::string>& target, std::string description) const;

  // A few lines below the rest of the help, e.g. examples.
  const Command& footer(std::string text) const;

  // It is for programs: no list of commands has it.
  const Command& hide() const;

  // What the command does. Its result is the exit code of the process.
  const Command& run(std::function<ExitCode()> action) const;

 private:
  friend class CommandLine;
  struct Declared;
  explicit Command(Declared& declared) : declared_(&declared) {}

  Declared* declared_;
};

class CommandLine {
 public:
  // `words` are those that it will run, the name of the program first.
  explicit CommandLine(std::span<const char* const> words = {});
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command root() { return Command(*root_); }

  // The word at that place, empty where there is none: what it is not about need not be declared.
  std::string_view word(std::size_t place) const { return place < words_.size() ? words_[place] : std::string_view(); }

  // Runs the command that the words name (those of main(), the name of the program first), or says
  // on `session` what is wrong with them.
  ExitCode run(std::span<const char* const> arguments, Session& session);

  // The whole of it, from the root.
  CommandDescription describe() const;

  // The help of the command that `words` name, one word for each level; false where there is none.
  bool print_help(std::span<const std::string> words, Session& session) const;

 private:
  class Parser;

  std::unique_ptr<Command::Declared> root_;
  std::span<const char* const> words_;
};

}  // namespace opm::cli
