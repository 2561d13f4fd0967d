// The commands of opm. A command is a file command_<name>.{h,cpp} with one function that adds it
// to the command line; commands.cpp holds the list of them.
#pragma once

#include "cli/command_line.h"
#include "cli/session.h"

namespace opm::cli {

// Declares the commands that the words of the line can be about. The session outlives the command line.
void add_commands(CommandLine& line, Session& session);

}  // namespace opm::cli
