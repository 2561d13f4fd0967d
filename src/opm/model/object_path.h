// A part of an object, named by keys and indices from its root.
#pragma once

#include <span>
#include <string>

#include "data/tree.h"

namespace opm::model {

// Null where there is none.
const data::Value* part_of(const data::Value& object, std::span<const std::string> path);
data::Value* part_of(data::Value& object, std::span<const std::string> path);

}  // namespace opm::model
