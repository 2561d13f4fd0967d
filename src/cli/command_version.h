// opm version: which opm this is.
#pragma once

#include <CLI/App.hpp>

#include "cli/session.h"

namespace opm::cli {

void add_version_command(CLI::App& root, Session& session);

}  // namespace opm::cli
