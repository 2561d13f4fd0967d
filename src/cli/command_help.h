// opm help: the same text as --help, for those who type it in front.
#pragma once

#include <CLI/App.hpp>
#include <span>
#include <string>
#include <string_view>

#include "cli/session.h"

namespace opm::cli {

// Lists it. The words behind `help` are commands, which the parser would run instead of passing
// them on, so run() calls print_help() itself.
void add_help_command(CLI::App& root, Session& session);

// The help of a command, whose whole name is for example "opm cue fmt".
std::string help_text(const CLI::App& command, std::string_view name);

// Prints the help of the command that `words` name, one word for each level.
void print_help(CLI::App& root, Session& session, std::span<const char* const> words);

}  // namespace opm::cli
