#include "cli/command_line.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "base/joined.h"
#include "base/suggestion.h"

namespace opm::cli {

namespace {

constexpr int kHelpColumn = 32;

constexpr const char* kHelpFlag = "-h,--help";

void prepare(CLI::App& app, bool takes_help = true) {
  if (takes_help)
    app.set_help_flag(kHelpFlag, "Print this help and exit");
  else
    app.set_help_flag();  // commands below would inherit it
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

// Names as people type them: without what a plain flag stands for, and without the types of arguments.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    std::string name = CLI::Formatter::make_option_name(option, is_positional);
    for (std::size_t begin = name.find('{'); begin != std::string::npos; begin = name.find('{')) {
      std::size_t end = name.find('}', begin);
      name.erase(begin, end == std::string::npos ? end : end - begin + 1);
    }
    return name;
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string text = option->get_option_text();
    if (text.starts_with("[=")) return text;
    return option->get_positional() && text.empty() ? std::string() : CLI::Formatter::make_option_opts(option);
  }
};

// Not App::help(): that one shows the help of the command that was parsed.
std::string help_text(const CLI::App& command, const std::string& name) {
  HelpFormatter formatter;
  formatter.column_width(kHelpColumn);
  return formatter.make_help(&command, name, CLI::AppFormatMode::Normal);
}

std::string lower_first(std::string text) {
  // A word in capitals keeps them.
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  }
  return text;
}

// The command or flag that is nearest to a misspelt one; empty: none is near.
std::string what_was_meant(const CLI::App& command, const std::string& word) {
  base::Suggestion suggestion(word);
  std::vector<std::string> names;
  if (word.starts_with('-')) {
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  } else {
    for (const CLI::App* below : command.get_subcommands([](const CLI::App*) { return true; })) {
      if (!below->get_name().starts_with('_')) names.push_back(below->get_name());
    }
  }
  for (const std::string& name : names) suggestion.consider(name);
  return suggestion.best().empty() ? std::string() : fmt::format(": did you mean \"{}\"?", suggestion.best());
}

std::string usage_message(const CLI::App& root, const CLI::ParseError& error) {
  auto [command, name] = chosen(root);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    std::vector<std::string> extras = root.remaining(true);
    if (!extras.empty()) {
      std::string_view what = extras.front().starts_with('-') ? "unknown flag"
                              : is_group(*command)            ? "unknown command"
                                                              : "unexpected argument";
      return fmt::format("{} \"{}\" for \"{}\"{}", what, extras.front(), name, what_was_meant(*command, extras.front()));
    }
  }
  std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return text.substr(0, text.find(':')) + " needs a value";
  }
  return lower_first(std::move(text));
}

bool may_name_command(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) { return (c >= 'a' && c <= 'z') || c == '-' || c == '_'; });
}

// Those of the words that may name commands, sorted; there may be hundreds of files among them.
template <typename Words>
std::vector<std::string_view> command_names(const Words& words) {
  std::vector<std::string_view> names;
  for (std::string_view word : words) {
    if (may_name_command(word)) names.push_back(word);
  }
  std::ranges::sort(names);
  return names;
}

// `-c=false` is how people take a flag back; CLI11 only understands `--concrete=false`.
std::vector<std::string> spelled_out(const CLI::App& root, std::span<const char* const> arguments) {
  std::vector<std::string> words(arguments.begin(), arguments.end());
  const CLI::App* command = &root;
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
    std::string& word = words[i];
    if (may_name_command(word)) {
      auto below = command->get_subcommands([&word](const CLI::App* app) { return app->check_name(word); });
      if (!below.empty()) command = below.front();
    }
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

// The words, and those at their end that can only be arguments.
struct PartedWords {
  std::span<const char* const> words;
  std::span<const char* const> arguments;
};

// CLI11 copies each word several times, which takes long where there are hundreds of files.
PartedWords set_arguments_aside(std::span<const char* const> words) {
  constexpr std::size_t kWorthIt = 16;
  // The first of them may be the value of a flag, and others those that a command has a name for.
  constexpr std::size_t kLeft = 4;
  auto is_argument = [](std::string_view word) {
    if (word.empty() || may_name_command(word)) return false;
    char first = word.front();
    return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '.' || first == '/' || first == '_';
  };
  std::size_t from = words.size();
  while (from > 1 && is_argument(words[from - 1])) --from;
  if (words.size() - from < kLeft + kWorthIt) return {words, {}};
  return {words.first(from + kLeft), words.subspan(from + kLeft)};
}

}  // namespace

// What was declared of a command.
struct Command::Declared {
  struct Part {
    std::string names;  // as CLI11 wants them
    std::function<void(CLI::App& app, const std::string& names)> tell;
  };

  std::string name;
  std::string description;
  std::vector<Part> parts;
  std::string footer;
  std::function<ExitCode()> action;
  std::vector<std::string>* arguments = nullptr;  // where any number of them goes
  std::vector<std::unique_ptr<Declared>> below;
  bool is_hidden = false;
};

Command Command::add(std::string name, std::string description) const {
  declared_->below.push_back(std::make_unique<Declared>(std::move(name), std::move(description)));
  return Command(*declared_->below.back());
}

const Command& Command::flag(std::string names, bool& target, std::string description) const {
  declared_->parts.push_back(
      {std::move(names), [&target, description = std::move(description)](CLI::App& app, const std::string& all_names) {
         app.add_flag(all_names, target, description);
       }});
  return *this;
}

const Command& Command::flag(std::string names, std::optional<bool>& target, std::string description) const {
  declared_->parts.push_back(
      {std::move(names), [&target, description = std::move(description)](CLI::App& app, const std::string& all_names) {
         app.add_flag_function(
             all_names, [&target](std::int64_t count) { target = count > 0; }, description);
       }});
  return *this;
}

const Command& Command::option(std::string names, std::string& target, std::string value,
                               std::string description) const {
  declared_->parts.push_back(
      {std::move(names), [&target, value = std::move(value), description = std::move(description)](
                             CLI::App& app, const std::string& all_names) {
         app.add_option(all_names, target, description)->take_last()->option_text(value);
       }});
  return *this;
}

const Command& Command::option(std::string names, std::optional<std::string>& target, std::string value,
                               std::string description) const {
  declared_->parts.push_back(
      {std::move(names), [&target, value = std::move(value), description = std::move(description)](
                             CLI::App& app, const std::string& all_names) {
         app.add_option(all_names, target, description)->take_last()->option_text(value);
       }});
  return *this;
}

const Command& Command::option(std::string names, int& target, std::string value, std::string description) const {
  auto check = [](std::string& given) {
    int number = 0;
    auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
    if (error == std::errc() && end == given.data() + given.size()) return std::string();
    return fmt::format("\"{}\" is not a whole number", given);
  };
  declared_->parts.push_back(
      {std::move(names), [&target, value = std::move(value), description = std::move(description), check](
                             CLI::App& app, const std::string& all_names) {
         app.add_option(all_names, target, description)
             ->take_last()
             ->check(CLI::Validator(check, "", "whole number"))
             ->option_text(value);
       }});
  return *this;
}

const Command& Command::option(std::string names, std::vector<std::string>& target, std::string value,
                               std::string description) const {
  declared_->parts.push_back(
      {std::move(names), [&target, value = std::move(value) + " (repeatable)", description = std::move(description)](
                             CLI::App& app, const std::string& all_names) {
         app.add_option(all_names, target, description)->allow_extra_args(false)->option_text(value);
       }});
  return *this;
}

const Command& Command::choice(std::string names, std::string& target, std::vector<std::string> choices,
                               std::string description) const {
  declared_->parts.push_back(
      {std::move(names), [&target, choices = std::move(choices), description = std::move(description)](
                             CLI::App& app, const std::string& all_names) {
         auto check = [choices](std::string& given) {
           for (const std::string& choice : choices) {
             if (given == choice) return std::string();
           }
           return fmt::format("\"{}\" is not one of {}", given, base::joined(choices, ", "));
         };
         app.add_option(all_names, target, description)
             ->take_last()
             ->check(CLI::Validator(check, "", "choice"))
             ->option_text(base::joined(choices, "|"));
       }});
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
  declared_->parts.push_back(
      {std::move(with_value), [&target, value = std::move(value), description = std::move(description)](
                                  CLI::App& app, const std::string& all_names) {
         app.add_flag(all_names, target, description)->option_text("[=" + value + "]");
       }});
  return *this;
}

const Command& Command::argument(std::string name, std::string& target, std::string description) const {
  declared_->parts.push_back(
      {std::move(name), [&target, description = std::move(description)](CLI::App& app, const std::string& all_names) {
         app.add_option(all_names, target, description)->required()->option_text("");
       }});
  return *this;
}

const Command& Command::optional_argument(std::string name, std::string& target, std::string description) const {
  declared_->parts.push_back(
      {std::move(name), [&target, description = std::move(description)](CLI::App& app, const std::string& all_names) {
         app.add_option(all_names, target, description)->option_text("");
       }});
  return *this;
}

const Command& Command::arguments(std::string name, std::vector<std::string>& target, std::string description) const {
  declared_->parts.push_back(
      {std::move(name), [&target, description = std::move(description)](CLI::App& app, const std::string& all_names) {
         app.add_option(all_names, target, description)->option_text("...");
       }});
  declared_->arguments = &target;
  return *this;
}

const Command& Command::footer(std::string text) const {
  declared_->footer = std::move(text);
  return *this;
}

const Command& Command::hide() const {
  declared_->is_hidden = true;
  return *this;
}

const Command& Command::run(std::function<ExitCode()> action) const {
  declared_->action = std::move(action);
  return *this;
}

// CLI11's view of the commands that some words name: of all that there is to say about them, or only of the flags and
// commands that the words name too. CLI11 takes longer to learn of all flags than most runs take.
class CommandLine::Parser {
 public:
  enum class Extent { named, all };

  template <typename Words>
  Parser(const Command::Declared& root, const Words& words, Extent extent)
      : app_(root.description, root.name), names_(command_names(words)), extent_(extent) {
    for (std::string_view word : words) {
      if (word.size() > 1 && word.starts_with('-')) flags_.push_back(word);
    }
    declare(app_, root);
  }

  const CLI::App& app() const { return app_; }

  // What the words ask for; nullptr: help, or nothing that makes sense.
  const Command::Declared* parse(std::span<const char* const> arguments) {
    try {
      return parse_or_throw(arguments);
    } catch (const CLI::ParseError&) {
      return nullptr;
    }
  }

  const Command::Declared* parse_or_throw(std::span<const char* const> arguments) {
    std::vector<std::string> words = spelled_out(app_, arguments);
    // CLI11 takes them from the end, without the name of the program.
    std::ranges::reverse(words);
    if (!words.empty()) words.pop_back();
    app_.parse(std::move(words));
    auto found = commands_.find(chosen(app_).first);
    return found == commands_.end() ? nullptr : found->second;
  }

 private:
  void declare(CLI::App& app, const Command::Declared& command) {
    prepare(app, extent_ == Extent::all || may_be_given(kHelpFlag));
    for (const Command::Declared::Part& part : command.parts) {
      bool is_argument = !part.names.starts_with('-');
      if (extent_ == Extent::all || is_argument || may_be_given(part.names)) part.tell(app, part.names);
    }
    if (!command.footer.empty()) app.footer(command.footer);
    if (command.action) commands_[&app] = &command;
    for (const auto& below : command.below) {
      // Which of the words are commands is known only when all flags are; a few too many do no harm.
      bool is_named = std::ranges::binary_search(names_, below->name);
      if (extent_ == Extent::named && !is_named) continue;
      CLI::App* made = app.add_subcommand(below->name, below->description);
      if (below->is_hidden) made->group("");
      if (is_named) declare(*made, *below);
    }
  }

  // `names` are "-o,--output" or "-v{text},--verbose{text}". A word with one dash may be several flags: "-ac".
  bool may_be_given(std::string_view names) const {
    while (!names.empty()) {
      std::string_view name = names.substr(0, names.find(','));
      names.remove_prefix(std::min(names.size(), name.size() + 1));
      name = name.substr(0, name.find('{'));
      bool is_long = name.starts_with("--");
      for (std::string_view flag : flags_) {
        bool is_given = is_long ? flag.substr(0, flag.find('=')) == name
                                : !flag.starts_with("--") && flag.find(name.back(), 1) != flag.npos;
        if (is_given) return true;
      }
    }
    return false;
  }

  CLI::App app_;
  std::vector<std::string_view> names_;
  std::vector<std::string_view> flags_;
  Extent extent_;
  std::unordered_map<const CLI::App*, const Command::Declared*> commands_;  // that do something
};

CommandLine::CommandLine(std::span<const char* const> words)
    : root_(std::make_unique<Command::Declared>("opm",
                                                "Render, check and deliver OPM modules, with a CUE engine built in")),
      words_(words) {}

CommandLine::~CommandLine() = default;

ExitCode CommandLine::run(std::span<const char* const> arguments, Session& session) {
  auto [words, aside] = set_arguments_aside(arguments);
  if (Parser parser(*root_, words, Parser::Extent::named); const Command::Declared* command = parser.parse(words)) {
    if (aside.empty()) return command->action();
    if (command->arguments != nullptr) {
      command->arguments->insert(command->arguments->end(), aside.begin(), aside.end());
      return command->action();
    }
  }
  // Help was asked for, or something is wrong: now all that there is matters.
  Parser parser(*root_, arguments, Parser::Extent::all);
  const CLI::App& app = parser.app();
  try {
    if (const Command::Declared* command = parser.parse_or_throw(arguments)) return command->action();
  } catch (const CLI::CallForHelp&) {
    // Printed below.
  } catch (const CLI::ParseError& error) {
    session.err.print("error: {}\n  help: run \"{} --help\" for what it takes\n", usage_message(app, error), chosen(app).second);
    return ExitCode::failure;
  }
  // Help was asked for, or a group stands on its own: show what there is to choose from.
  auto [command, name] = chosen(app);
  session.out.write(help_text(*command, name));
  return ExitCode::success;
}

namespace {

OptionDescription description_of(const CLI::Option& option) {
  OptionDescription result;
  result.is_argument = option.get_positional();
  result.is_required = option.get_required();
  result.description = option.get_description();
  result.value = option.get_option_text();
  if (result.is_argument) {
    result.names.push_back(option.get_name(true));
    result.is_repeatable = result.value == "...";
    result.value.clear();
    return result;
  }
  for (const std::string& name : option.get_snames()) result.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) result.names.push_back("--" + name);
  constexpr std::string_view kRepeatable = " (repeatable)";
  if (result.value.ends_with(kRepeatable)) {
    result.is_repeatable = true;
    result.value.resize(result.value.size() - kRepeatable.size());
  }
  if (result.value.starts_with("[=")) {
    result.has_optional_value = true;
    result.value = result.value.substr(2, result.value.size() - 3);
    result.choices = {result.value};
  } else if (result.value.find('|') != std::string::npos) {
    for (std::size_t at = 0; at <= result.value.size();) {
      std::size_t end = std::min(result.value.find('|', at), result.value.size());
      result.choices.push_back(result.value.substr(at, end - at));
      at = end + 1;
    }
  }
  return result;
}

}  // namespace

CommandDescription CommandLine::describe() const {
  // A command at a time: what CLI11 makes of one knows nothing of those below it.
  auto describe = [](const Command::Declared& command, const auto& self) -> CommandDescription {
    CommandDescription result;
    result.name = command.name;
    result.description = command.description;
    result.is_hidden = command.is_hidden;
    CLI::App app(command.description, command.name);
    prepare(app);
    for (const Command::Declared::Part& part : command.parts) part.tell(app, part.names);
    for (const CLI::Option* option : app.get_options()) result.options.push_back(description_of(*option));
    result.footer = command.footer;
    for (const auto& below : command.below) result.below.push_back(self(*below, self));
    return result;
  };
  return describe(*root_, describe);
}

bool CommandLine::print_help(std::span<const std::string> words, Session& session) const {
  Parser parser(*root_, words, Parser::Extent::all);
  const CLI::App* command = &parser.app();
  std::string name = command->get_name();
  for (const std::string& word : words) {
    auto found = command->get_subcommands([&word](const CLI::App* below) { return below->check_name(word); });
    if (found.empty()) {
      session.err.print("error: unknown command \"{}\" for \"{}\"\n", word, name);
      return false;
    }
    command = found.front();
    name += ' ' + word;
  }
  session.out.write(help_text(*command, name));
  return true;
}

}  // namespace opm::cli
