// The functions that need no import: len, close, and, or, div, mod, quo, rem, error,
// matchN, matchIf.
#pragma once

#include <span>

#include "cue/eval/builtin.h"

namespace opm::cue::eval {

std::span<const Builtin> predeclared_builtins();
const Builtin* find_predeclared(std::string_view name);

}  // namespace opm::cue::eval
