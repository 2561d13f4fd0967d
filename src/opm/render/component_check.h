// Whether nothing is wrong with a component, seen from the fields that people see. Of what the catalog gives every component
// beside those no more is evaluated than that takes.
#pragma once

#include "cue/value.h"

namespace opm::render {

// No: it has to be evaluated as a whole to know.
bool looks_sound(const cue::Value& component);

}  // namespace opm::render
