// Finds a key that stands twice in a map, without comparing every pair.
#pragma once

#include <optional>
#include <utility>

#include "data/tree.h"

namespace opm::data {

// The index of the second member of a pair with equal keys, and that of the first; the pair that
// comes first in the map.
std::optional<std::pair<std::size_t, std::size_t>> find_duplicate(const Map& map);

}  // namespace opm::data
