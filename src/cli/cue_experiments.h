// What CUE_EXPERIMENT asks for. Experiments that were completed are how the engine works, and may be named.
#pragma once

#include <optional>
#include <string>

#include "base/environment.h"

namespace opm::cli {

// What is wrong with it, in the words of `cue`; nothing if all is well.
std::optional<std::string> wrong_experiment(const base::Environment& environment);

}  // namespace opm::cli
