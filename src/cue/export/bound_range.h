// Bounds that say what a predeclared type says: >=0 & <=255 & int is uint8.
#pragma once

#include <string_view>

#include "cue/eval/value.h"

namespace opm::cue::exporting {

class BoundRange {
 public:
  // Whether the value is part of the range; others have to be shown beside it.
  bool add(const eval::Value& value);

  // What the range is: up to two types, and bounds that they don't cover. `is_complete` is false where
  // there is no lower or no upper bound; then all values have to be shown as they are.
  struct Result {
    bool is_complete = false;
    std::string_view integer_type;
    std::string_view float_type;
    const eval::BoundValue* lower = nullptr;
    const eval::BoundValue* upper = nullptr;
  };
  // `is_all`: there are no others.
  Result result(bool is_all) const;

 private:
  bool is_integer_ = false;
  const eval::BoundValue* lower_ = nullptr;
  const eval::BoundValue* upper_ = nullptr;
};

}  // namespace opm::cue::exporting
