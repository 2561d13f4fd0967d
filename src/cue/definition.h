// Definitions that stand by themselves.
#pragma once

#include <string>

#include "cue/value.h"

namespace opm::cue {

// As Value::to_cue, with what is imported in place of the references to it; standard packages stay imported.
std::string definition_with_imports(const Value& value, const SourceSettings& settings);

}  // namespace opm::cue
