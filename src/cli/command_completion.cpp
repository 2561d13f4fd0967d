#include "cli/command_completion.h"

#include <unistd.h>

#include <array>
#include <memory>

#include "cli/completion.h"
#include "cli/known_names.h"

namespace opm::cli {

namespace {

constexpr unsigned kLongestSeconds = 3;
constexpr std::array<std::string_view, 3> kShells = {"bash", "zsh", "fish"};

constexpr std::string_view kFooter = R"(Now and for every new shell:
  bash   opm completion bash > ~/.local/share/bash-completion/completions/opm
  zsh    opm completion zsh > "${fpath[1]}/_opm"
  fish   opm completion fish > ~/.config/fish/completions/opm.fish)";

}  // namespace

void add_completion_command(CommandLine& line, Session& session) {
  Command group = line.root().add("completion", "Print what a shell needs to complete commands, flags and names");
  group.footer(std::string(kFooter));
  for (std::string_view shell : kShells) {
    group.add(std::string(shell), "For " + std::string(shell)).run([&session, shell] {
      session.out.write(completion_script(shell, "opm"));
      return ExitCode::success;
    });
  }
  auto words = std::make_shared<std::vector<std::string>>();
  line.root()
      .add("__complete", "What may stand next on a command line")
      .arguments("words", *words, "The words so far, the last of which is being written")
      .hide()
      .run([&line, &session, words] {
        // Whoever waits at a prompt is not kept waiting, whatever a disk or a server does.
        ::alarm(kLongestSeconds);
        session.out.write(completion_text(complete(line.describe(), *words, known_names)));
        return ExitCode::success;
      });
}

}  // namespace opm::cli
