// Tells a conjunct that refers to something which is not there from one that waits for a value: that one may be part of a
// circle which is closed from elsewhere.
#pragma once

#include <string_view>

#include "cue/eval/node.h"

namespace opm::cue::eval {

inline bool waits(const Task& task) {
  return task.state == TaskState::blocked && task.error != nullptr && task.error->code == ErrorCode::incomplete;
}

inline bool waits_for_missing_part(const Task& task) {
  return waits(task) && task.error->format != nullptr && std::string_view(task.error->format).starts_with("undefined field");
}

}  // namespace opm::cue::eval
