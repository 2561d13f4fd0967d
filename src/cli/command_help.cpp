#include "cli/command_help.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "base/suggestion.h"
#include "cli/help_topics.h"
#include "cli/table.h"

namespace opm::cli {

namespace {

constexpr std::string_view kTopics = "topics";
constexpr std::string_view kTopic = "topic";

ExitCode list_topics(Session& session) {
  std::vector<std::vector<std::string>> rows{{"TOPIC", "ABOUT"}};
  for (const HelpTopic& topic : help_topics()) rows.push_back({topic.name, topic.title});
  session.out.write(format_table(rows));
  session.out.write("\nopm help topic TOPIC shows one\n");
  return ExitCode::success;
}

const CommandDescription* find_command(const CommandDescription& root, const std::vector<std::string>& words) {
  const CommandDescription* command = &root;
  for (const std::string& word : words) {
    auto found = std::ranges::find(command->below, word, &CommandDescription::name);
    if (found == command->below.end()) return nullptr;
    command = &*found;
  }
  return command;
}

ExitCode help(CommandLine& line, Session& session, std::vector<std::string> words) {
  if (words.size() == 1 && words.front() == kTopics) return list_topics(session);
  bool is_topic = words.size() > 1 && words.front() == kTopic;
  if (is_topic) words.erase(words.begin());
  // A command and a topic may have the same name; then the command is meant.
  CommandDescription root = line.describe();
  if (!is_topic && find_command(root, words) != nullptr) return line.print_help(words, session) ? ExitCode::success : ExitCode::failure;
  std::vector<HelpTopic> topics = help_topics();
  base::Suggestion near(words.front());
  for (const HelpTopic& topic : topics) {
    if (words.size() == 1 && topic.name == words.front()) {
      session.out.write(topic.text);
      return ExitCode::success;
    }
    near.consider(topic.name);
  }
  if (!is_topic) {
    for (const CommandDescription& command : root.below) {
      if (!command.is_hidden) near.consider(command.name);
    }
  }
  if (is_topic) session.err.print("error: unknown topic \"{}\"\n", words.front());
  else line.print_help(words, session);  // says which of the words is none
  std::string meant = near.best().empty() ? std::string() : fmt::format("did you mean \"{}\"? ", near.best());
  session.err.print("  help: {}run \"opm help topics\" for what there is to read\n", meant);
  return ExitCode::failure;
}

}  // namespace

void add_help_command(CommandLine& line, Session& session) {
  auto words = std::make_shared<std::vector<std::string>>();
  line.root()
      .add("help", "Print the help of opm, of one of its commands, or about a topic")
      .arguments("command", *words, "The command, e.g. mod build; a topic, e.g. getting-started; or topics, to list them")
      .run([&line, &session, words] { return help(line, session, *words); });
}

}  // namespace opm::cli
