// Does a value have the error that a directive describes?
#pragma once

#include <optional>
#include <string>

#include "directive.h"
#include "subject.h"

namespace opm::inline_test {

struct ErrorCheck {
  Engine& engine;
  int base_line = 0;
  bool check_positions = true;  // reordered fields have moved
};

// What differs. `path`: of the field, which error paths may be relative to. Inside the body of an eq
// the error's path, arguments and parts don't count.
std::optional<std::string> check_error(const ErrorCheck& check, const std::string& path, const Subject& actual,
                                       const ErrorExpectation& expected, bool nested);

}  // namespace opm::inline_test
