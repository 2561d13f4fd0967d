// The commands of opm. A command is a file command_<name>.{h,cpp} with one function that adds it
// to the command line; commands.cpp holds the list of them.
#pragma once

#include <string_view>

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

// Declares the commands that a line which starts with this word can be about. The session outlives the command line.
void add_commands(CommandLine& line, Session& session, std::string_view first_word);

}  // namespace opm::cli
