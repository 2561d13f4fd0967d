#include "cli/command_line.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <charconv>
#include <utility>

namespace opm::cli {

namespace {

constexpr int kHelpColumn = 32;

void prepare(CLI::App& app) {
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.get_formatter()->column_width(kHelpColumn);
  // One command a run. Without this an argument that is also the name of a command is taken for it.
  app.require_subcommand(0, 1);
  // Flags of the groups above may stand behind the command.
  app.fallthrough();
}

// The innermost command that the words named, and its whole name.
std::pair<const CLI::App*, std::string> chosen(const CLI::App& root) {
  const CLI::App* command = &root;
  std::string name = root.get_name();
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().back();
    name += ' ' + command->get_name();
  }
  return {command, name};
}

bool is_group(const CLI::App& command) { return !command.get_subcommands({}).empty(); }

// Not App::help(): that one shows the help of the command that was parsed.
std::string help_text(const CLI::App& command, const std::string& name) {
  return command.get_formatter()->make_help(&command, name, CLI::AppFormatMode::Normal);
}

std::string lower_first(std::string text) {
  // A word in capitals keeps them.
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  }
  return text;
}

std::string usage_message(const CLI::App& root, const CLI::ParseError& error) {
  auto [command, name] = chosen(root);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    std::vector<std::string> extras = root.remaining(true);
    if (!extras.empty()) {
      std::string_view what = extras.front().starts_with('-') ? "unknown flag"
                              : is_group(*command)            ? "unknown command"
                                                              : "unexpected argument";
      return fmt::format("{} \"{}\" for \"{}\"", what, extras.front(), name);
    }
  }
  std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return text.substr(0, text.find(':')) + " needs a value";
  }
  return lower_first(std::move(text));
}

// `-c=false` is how people take a flag back; CLI11 only understands `--concrete=false`.
std::vector<std::string> spelled_out(const CLI::App& root, std::span<const char* const> arguments) {
  std::vector<std::string> words(arguments.begin(), arguments.end());
  const CLI::App* command = &root;
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
    std::string& word = words[i];
    auto below = command->get_subcommands([&word](const CLI::App* app) { return app->check_name(word); });
    if (!below.empty()) command = below.front();
    bool is_short_with_value = word.size() > 3 && word[0] == '-' && word[1] != '-' && word[2] == '=';
    if (!is_short_with_value) continue;
    for (const CLI::App* app = command; app != nullptr; app = app->get_parent()) {
      const CLI::Option* option = app->get_option_no_throw(word.substr(0, 2));
      if (option == nullptr) continue;
      if (!option->get_lnames().empty()) word = "--" + option->get_lnames().front() + word.substr(2);
      break;
    }
  }
  return words;
}

}  // namespace

Command Command::add(std::string name, std::string description) const {
  CLI::App* below = app_->add_subcommand(std::move(name), std::move(description));
  prepare(*below);
  return Command(*below, *actions_);
}

const Command& Command::flag(std::string names, bool& target, std::string description) const {
  app_->add_flag(std::move(names), target, std::move(description));
  return *this;
}

const Command& Command::flag(std::string names, std::optional<bool>& target, std::string description) const {
  app_->add_flag_function(
      std::move(names), [&target](std::int64_t count) { target = count > 0; }, std::move(description));
  return *this;
}

const Command& Command::option(std::string names, std::string& target, std::string value,
                               std::string description) const {
  app_->add_option(std::move(names), target, std::move(description))->option_text(std::move(value));
  return *this;
}

const Command& Command::option(std::string names, std::optional<std::string>& target, std::string value,
                               std::string description) const {
  app_->add_option(std::move(names), target, std::move(description))->option_text(std::move(value));
  return *this;
}

const Command& Command::option(std::string names, int& target, std::string value, std::string description) const {
  auto check = [](std::string& given) {
    int number = 0;
    auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
    if (error == std::errc() && end == given.data() + given.size()) return std::string();
    return fmt::format("\"{}\" is not a whole number", given);
  };
  app_->add_option(std::move(names), target, std::move(description))
      ->check(CLI::Validator(check, "", "whole number"))
      ->option_text(std::move(value));
  return *this;
}

const Command& Command::option(std::string names, std::vector<std::string>& target, std::string value,
                               std::string description) const {
  app_->add_option(std::move(names), target, std::move(description))
      ->allow_extra_args(false)
      ->option_text(std::move(value) + " (repeatable)");
  return *this;
}

const Command& Command::choice(std::string names, std::string& target, std::vector<std::string> choices,
                               std::string description) const {
  std::string text = fmt::format("{}", fmt::join(choices, "|"));
  app_->add_option(std::move(names), target, std::move(description))
      ->check(CLI::Validator(
          [choices = std::move(choices)](std::string& given) {
            for (const std::string& choice : choices) {
              if (given == choice) return std::string();
            }
            return fmt::format("\"{}\" is not one of {}", given, fmt::join(choices, ", "));
          },
          "", "choice"))
      ->option_text(std::move(text));
  return *this;
}

const Command& Command::flag_or_value(std::string names, std::string& target, std::string when_plain, std::string value,
                                      std::string description) const {
  // CLI11 writes the value of a plain flag behind each of its names.
  std::string with_value;
  for (char c : names + ',') {
    if (c == ',') with_value += '{' + when_plain + '}';
    with_value += c;
  }
  with_value.pop_back();
  app_->add_flag(with_value, target, std::move(description))->option_text("[=" + value + "]");
  return *this;
}

const Command& Command::argument(std::string name, std::string& target, std::string description) const {
  app_->add_option(std::move(name), target, std::move(description))->required()->option_text("");
  return *this;
}

const Command& Command::optional_argument(std::string name, std::string& target, std::string description) const {
  app_->add_option(std::move(name), target, std::move(description))->option_text("");
  return *this;
}

const Command& Command::arguments(std::string name, std::vector<std::string>& target, std::string description) const {
  app_->add_option(std::move(name), target, std::move(description))->option_text("...");
  return *this;
}

const Command& Command::footer(std::string text) const {
  app_->footer(std::move(text));
  return *this;
}

const Command& Command::run(std::function<ExitCode()> action) const {
  (*actions_)[app_] = std::move(action);
  return *this;
}

CommandLine::CommandLine()
    : app_(std::make_unique<CLI::App>("Render, check and deliver OPM modules, with a CUE engine built in", "opm")) {
  prepare(*app_);
}

CommandLine::~CommandLine() = default;

ExitCode CommandLine::run(std::span<const char* const> arguments, Session& session) {
  try {
    std::vector<std::string> words = spelled_out(*app_, arguments);
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    app_->parse(static_cast<int>(pointers.size()), pointers.data());
    if (auto action = actions_.find(chosen(*app_).first); action != actions_.end()) return action->second();
  } catch (const CLI::CallForHelp&) {
    // Printed below.
  } catch (const CLI::ParseError& error) {
    session.err.print("{}\nrun \"{} --help\" for what it takes\n", usage_message(*app_, error), chosen(*app_).second);
    return ExitCode::failure;
  }
  // Help was asked for, or a group stands on its own: show what there is to choose from.
  auto [command, name] = chosen(*app_);
  session.out.write(help_text(*command, name));
  return ExitCode::success;
}

bool CommandLine::print_help(std::span<const std::string> words, Session& session) const {
  const CLI::App* command = app_.get();
  std::string name = command->get_name();
  for (const std::string& word : words) {
    auto found = command->get_subcommands([&word](const CLI::App* below) { return below->check_name(word); });
    if (found.empty()) {
      session.err.print("unknown command \"{}\" for \"{}\"\n", word, name);
      return false;
    }
    command = found.front();
    name += ' ' + word;
  }
  session.out.write(help_text(*command, name));
  return true;
}

}  // namespace opm::cli
