// A value that stands where source has an expression: what is another literal in each of several fields that are written
// alike. To those who look at expressions before they are evaluated it is a reference to a label: they know nothing of it.
#pragma once

#include "cue/compile/program.h"
#include "cue/eval/value.h"

namespace opm::cue::eval {

struct GivenValue : compile::LabelReference {
  static constexpr std::uint32_t kUp = ~0u;  // where references have how many scopes to go up

  Value value;
};

}  // namespace opm::cue::eval
