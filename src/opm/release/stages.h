// In which order things are done to a cluster: stages of equal weight, one after the other, the objects of one stage at
// the same time. Applying starts with what others depend on, removing ends with it.
#pragma once

#include <cstddef>
#include <vector>

#include "opm/release/entry.h"

namespace opm::release {

struct Stage {
  int weight = 0;
  std::vector<std::size_t> objects;  // by index
};

std::vector<Stage> apply_stages(const std::vector<Entry>& entries);
std::vector<Stage> delete_stages(const std::vector<Entry>& entries);

}  // namespace opm::release
