// Whether a definition declares all fields of a value that was evaluated with more than the definition: seen from the program,
// without evaluating the two together once more.
#pragma once

#include "cue/value.h"

namespace opm::cue {

// Yes: without the declarations in files that `left_out` names, too, the definition allows every field of the value, which was
// unified with all of them, and validated. No means that it has to be evaluated to know.
bool declares_fields_of(const Value& definition, const Value::FilePredicate& left_out, const Value& value);

}  // namespace opm::cue
