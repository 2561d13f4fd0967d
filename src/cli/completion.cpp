#include "cli/completion.h"

#include <algorithm>
#include <optional>

namespace opm::cli {

namespace {

bool is_flag(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

const CommandDescription* find_below(const CommandDescription& command, std::string_view name) {
  auto found = std::ranges::find(command.below, name, &CommandDescription::name);
  return found == command.below.end() ? nullptr : &*found;
}

std::string_view long_name(const OptionDescription& option) {
  for (const std::string& name : option.names) {
    if (name.starts_with("--")) return name;
  }
  return option.names.front();
}

bool takes_value(const OptionDescription& option) { return !option.value.empty() && !option.has_optional_value; }

// Which names an option or argument stands for.
std::optional<NameKind> names_of(const OptionDescription& option, std::string_view command) {
  std::string_view name = long_name(option);
  if (name == "--namespace") return NameKind::namespace_name;
  if (name == "--context" || name == "--confirm-context") return NameKind::context;
  if (name == "--environment" || name == "--against") return NameKind::environment;
  if (name == "--provider") return NameKind::provider;
  if (name == "RELEASE" || name == "--release") return NameKind::release;
  if (name == "PLATFORM") return NameKind::platform;
  if (name == "RESOURCE") return NameKind::resource;
  if (name.starts_with("PATH") && name.find("@VERSION") != std::string_view::npos) return NameKind::module_path;
  if (name == "command" && command == "help") return NameKind::topic;
  return std::nullopt;
}

CompletionRest rest_of(const OptionDescription& option) {
  std::string_view value = option.is_argument ? long_name(option) : std::string_view(option.value);
  if (value == "DIR") return CompletionRest::folders;
  // Modules are named by their folder or a file in it.
  if (value == "FILE" || value == "MODULE" || value == "inputs" || value == "first" || value == "second" || value == "rest")
    return CompletionRest::files;
  return CompletionRest::nothing;
}

class Completer {
 public:
  Completer(const CommandDescription& root, std::span<const std::string> words, const NameSource& names)
      : command_(&root), words_(words), names_(names) {}

  Completion run() {
    for (std::size_t i = 0; i + 1 < words_.size(); ++i) read(words_[i]);
    std::string_view last = words_.empty() ? std::string_view() : std::string_view(words_.back());
    if (pending_ != nullptr) return values_of(*pending_, last, "");
    if (!only_arguments_ && is_flag(last)) return flags(last);
    if (!only_arguments_ && !command_->below.empty() && arguments_ == 0) return commands(last);
    if (const OptionDescription* argument = next_argument()) return values_of(*argument, last, "");
    return {};
  }

 private:
  void read(const std::string& word) {
    if (pending_ != nullptr) {
      given_.emplace(long_name(*pending_), word);
      pending_ = nullptr;
    } else if (!only_arguments_ && word == "--") {
      only_arguments_ = true;
    } else if (!only_arguments_ && is_flag(word)) {
      read_flag(word);
    } else if (const CommandDescription* below = only_arguments_ ? nullptr : find_below(*command_, word)) {
      above_.push_back(command_);
      command_ = below;
      arguments_ = 0;
    } else {
      if (const OptionDescription* argument = next_argument()) given_.emplace(long_name(*argument), word);
      ++arguments_;
    }
  }

  void read_flag(const std::string& word) {
    std::size_t equals = word.find('=');
    const OptionDescription* option = find_option(std::string_view(word).substr(0, equals));
    if (option == nullptr || !takes_value(*option)) return;
    if (equals == std::string::npos) pending_ = option;
    else given_.emplace(long_name(*option), word.substr(equals + 1));
  }

  // Those of the groups above may stand behind a command.
  const OptionDescription* find_option(std::string_view name) const {
    for (const CommandDescription* command : commands_from_here()) {
      for (const OptionDescription& option : command->options) {
        if (!option.is_argument && std::ranges::find(option.names, name) != option.names.end()) return &option;
      }
    }
    return nullptr;
  }

  std::vector<const CommandDescription*> commands_from_here() const {
    std::vector<const CommandDescription*> all{command_};
    all.insert(all.end(), above_.rbegin(), above_.rend());
    return all;
  }

  const OptionDescription* next_argument() const {
    std::size_t number = 0;
    for (const OptionDescription& option : command_->options) {
      if (!option.is_argument) continue;
      if (number++ == arguments_ || option.is_repeatable) return &option;
    }
    return nullptr;
  }

  Completion commands(std::string_view prefix) const {
    Completion completion;
    for (const CommandDescription& below : command_->below) {
      if (!below.is_hidden && below.name.starts_with(prefix)) completion.candidates.push_back({below.name, below.description});
    }
    return completion;
  }

  Completion flags(std::string_view prefix) const {
    if (std::size_t equals = prefix.find('='); equals != std::string_view::npos) {
      const OptionDescription* option = find_option(prefix.substr(0, equals));
      if (option == nullptr || option->value.empty()) return {};
      return values_of(*option, prefix.substr(equals + 1), prefix.substr(0, equals + 1));
    }
    Completion completion;
    for (const CommandDescription* command : commands_from_here()) {
      for (const OptionDescription& option : command->options) {
        if (option.is_argument || (given_.contains(long_name(option)) && !option.is_repeatable)) continue;
        std::string_view name = long_name(option);
        bool is_known = std::ranges::find(completion.candidates, name, &Candidate::value) != completion.candidates.end();
        if (name.starts_with(prefix) && !is_known) completion.candidates.push_back({std::string(name), option.description});
      }
    }
    return completion;
  }

  // `before`: what stands before the value in the same word.
  Completion values_of(const OptionDescription& option, std::string_view prefix, std::string_view before) const {
    Completion completion;
    auto add = [&](const Candidate& candidate) {
      if (candidate.value.starts_with(prefix)) completion.candidates.push_back({std::string(before) + candidate.value, candidate.description});
    };
    for (const std::string& choice : option.choices) add({choice, {}});
    if (!option.choices.empty()) return completion;
    if (auto kind = names_of(option, command_->name)) {
      for (const Candidate& candidate : names_(*kind, given_)) add(candidate);
      return completion;
    }
    completion.rest = rest_of(option);
    return completion;
  }

  const CommandDescription* command_;
  std::vector<const CommandDescription*> above_;
  std::span<const std::string> words_;
  const NameSource& names_;
  const OptionDescription* pending_ = nullptr;  // waits for its value
  bool only_arguments_ = false;                 // "--" was there
  std::size_t arguments_ = 0;
  GivenWords given_;
};

// One line, and nothing that a terminal would act on.
std::string plain_line(std::string_view text) {
  std::string line;
  for (char c : text) {
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) line.push_back(c);
  }
  return line;
}

constexpr std::string_view kBash = R"(# Completion of PROGRAM for bash: source this, or put it into a folder that bash-completion reads.
_opm_complete() {
  # Bash takes "--flag=value" and "name:tag" apart; here they are one word again, as opm gets it.
  local -a words=()
  local piece joined=''
  local -i i
  for ((i = 1; i <= COMP_CWORD; i++)); do
    piece=${COMP_WORDS[i]}
    if [[ $piece == [=:] && ${#words[@]} -gt 0 ]]; then
      words[-1]+=$piece
      joined=yes
    elif [[ -n $joined ]]; then
      words[-1]+=$piece
      joined=''
    else
      words+=("$piece")
    fi
  done
  local current=${COMP_WORDS[COMP_CWORD]}
  [[ $current == [=:] ]] && current=''
  local whole=''
  ((${#words[@]} > 0)) && whole=${words[-1]}
  local before=${whole%"$current"}
  local line rest=0
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :* ]]; then
      rest=${line#:}
    else
      line=${line%%$'\t'*}
      COMPREPLY+=("${line#"$before"}")
    fi
  done < <("${COMP_WORDS[0]}" __complete -- "${words[@]}" 2>/dev/null)
  if ((rest == 0)); then
    local IFS=$'\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -f -- "$current"))
  elif ((rest == 16)); then
    local IFS=$'\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -d -- "$current"))
  fi
}
complete -F _opm_complete PROGRAM
)";

constexpr std::string_view kZsh = R"(#compdef PROGRAM
# Completion of PROGRAM for zsh: put it into a folder of $fpath as _PROGRAM, or source it behind compinit.
_opm_complete() {
  local -a candidates=()
  local line rest=0 value
  while IFS= read -r line; do
    if [[ $line == :* ]]; then
      rest=${line#:}
    else
      value=${line%%$'\t'*}
      value=${value//:/\\:}
      if [[ $line == *$'\t'* ]]; then
        candidates+=("$value:${line#*$'\t'}")
      else
        candidates+=("$value")
      fi
    fi
  done < <("${words[1]}" __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)
  local -i found=1
  (( ${#candidates} )) && _describe 'opm' candidates && found=0
  if (( rest == 0 )); then
    _files && found=0
  elif (( rest == 16 )); then
    _files -/ && found=0
  fi
  return found
}
if [[ $funcstack[1] == _PROGRAM ]]; then
  _opm_complete "$@"
else
  compdef _opm_complete PROGRAM
fi
)";

constexpr std::string_view kFish = R"(# Completion of PROGRAM for fish: put it into ~/.config/fish/completions/PROGRAM.fish, or source it.
function __opm_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l program $words[1]
    set -l rest 0
    for line in ($program __complete -- $words[2..] 2>/dev/null)
        if string match -qr '^:[0-9]+$' -- $line
            set rest (string sub -s 2 -- $line)
        else
            echo $line
        end
    end
    switch $rest
        case 0
            __fish_complete_path (commandline -ct)
        case 16
            __fish_complete_directories (commandline -ct)
    end
end
complete -c PROGRAM -f -a '(__opm_complete)'
)";

}  // namespace

Completion complete(const CommandDescription& root, std::span<const std::string> words, const NameSource& names) {
  return Completer(root, words, names).run();
}

std::string completion_text(const Completion& completion) {
  std::string text;
  for (const Candidate& candidate : completion.candidates) {
    text += plain_line(candidate.value);
    if (!candidate.description.empty()) text += "\t" + plain_line(candidate.description);
    text += "\n";
  }
  return text + ":" + std::to_string(static_cast<int>(completion.rest)) + "\n";
}

std::string completion_script(std::string_view shell, std::string_view program) {
  std::string_view script = shell == "bash" ? kBash : shell == "zsh" ? kZsh : shell == "fish" ? kFish : std::string_view();
  std::string text(script);
  constexpr std::string_view kPlace = "PROGRAM";
  for (std::size_t at = text.find(kPlace); at != std::string::npos; at = text.find(kPlace, at + program.size()))
    text.replace(at, kPlace.size(), program);
  return text;
}

}  // namespace opm::cli
