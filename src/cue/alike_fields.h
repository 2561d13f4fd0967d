// Fields of one struct that are written alike: their declarations differ in texts and numbers only, as those of services
// that were copied from one another. They are evaluated together, each in a world of its own (see Context::open_worlds).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cue/value.h"

namespace opm::cue {

// What Value::shallow_fields() has, but in no order at all, which takes less time. Empty where not all fields are known.
std::vector<Value> known_fields(const Value& structure);

// The same for fields that in_worlds() can put together, and another one for most that it can't.
std::size_t written_shape(const Value& field);

// What is the first of these in the first world, the second in the second…: as many as there are worlds. They are fields
// of a struct all of whose fields are known (Value::shallow_fields), and not evaluated yet. An invalid value: more
// differs between them than texts and numbers.
Value in_worlds(std::span<const Value> fields);

}  // namespace opm::cue
