// The commands of opm. A command is a file command_<name>.{h,cpp} with one function that adds it
// to the command line; commands.cpp holds the list of them.
#pragma once

#include <CLI/App.hpp>

#include "cli/session.h"

namespace opm::cli {

// A registration declares the command's arguments below `root` and sets a callback that does
// the work, writes to the session and sets its exit code. Both outlive the callback.
using Registration = void (*)(CLI::App& root, Session& session);

void add_commands(CLI::App& root, Session& session);

}  // namespace opm::cli
