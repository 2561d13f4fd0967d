// What may stand next on a command line: commands, flags, their values, and names that the module, the configuration or
// the cluster know.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"

namespace opm::cli {

struct Candidate {
  std::string value;
  std::string description;  // may be empty
};

// What shells do where the candidates are not all. The numbers are those of the protocol that kubectl and other programs
// speak with theirs.
enum class CompletionRest : std::uint8_t { nothing = 4, files = 0, folders = 16 };

struct Completion {
  std::vector<Candidate> candidates;
  CompletionRest rest = CompletionRest::nothing;
};

// Names that are not known from the command line itself.
enum class NameKind : std::uint8_t { release, environment, platform, provider, context, namespace_name, module_path, resource, topic };

// What stands on the line already: options by their first long name ("--directory") and arguments by theirs ("RELEASE").
using GivenWords = std::multimap<std::string, std::string, std::less<>>;
using NameSource = std::function<std::vector<Candidate>(NameKind kind, const GivenWords& given)>;

// `words`: those behind the name of the program; the last one is being written, and may be empty.
Completion complete(const CommandDescription& root, std::span<const std::string> words, const NameSource& names);

// The answer in the protocol: a line "value<tab>description" for each, then ":" and a number.
std::string completion_text(const Completion& completion);

// What a shell reads to complete with `program`; empty: the shell is not known.
std::string completion_script(std::string_view shell, std::string_view program);

}  // namespace opm::cli
