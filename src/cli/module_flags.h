// The flags of commands that render a module which is not their argument.
#pragma once

#include "cli/render_flags.h"

namespace opm::cli {

// All of declare_render_flags but the argument.
void declare_module_flags(const Command& command, RenderFlags& flags);

}  // namespace opm::cli
