// opm build: releases of a package as Kubernetes manifests, or which of them there are.
#pragma once

#include "cli/command_line.h"

namespace opm::cli {

void add_build_command(CommandLine& line, Session& session);

}  // namespace opm::cli
