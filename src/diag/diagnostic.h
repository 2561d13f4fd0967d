// A thing worth telling a person: what is wrong, where, why and what to do. Stages
// return these; only cli/ prints them (printer.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diag/source.h"

namespace opm::diag {

enum class Severity : std::uint8_t { error, warning, note };

// A second place or sentence that explains the first.
struct Note {
  std::string message;
  std::vector<Position> positions;
};

struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;     // a stable word for programs, e.g. "field-not-allowed"
  std::string path;     // the CUE path that it is about, or empty
  std::string message;  // lower case, no full stop
  std::vector<Position> positions;  // the user's own file first
  // The positions only explain; none is where it was noticed. Such errors are told first.
  bool only_explains = false;
  std::vector<Note> notes;
  std::string advice;   // what to do, if we know
};

}  // namespace opm::diag
