#include "opm/release/stages.h"

#include <algorithm>
#include <map>

namespace opm::release {

std::vector<Stage> apply_stages(const std::vector<Entry>& entries) {
  std::map<int, std::vector<std::size_t>> by_weight;
  for (std::size_t i = 0; i < entries.size(); ++i) by_weight[weight(entries[i].object)].push_back(i);
  std::vector<Stage> stages;
  for (auto& [weight, objects] : by_weight) stages.push_back({weight, std::move(objects)});
  return stages;
}

std::vector<Stage> delete_stages(const std::vector<Entry>& entries) {
  std::vector<Stage> stages = apply_stages(entries);
  std::ranges::reverse(stages);
  return stages;
}

}  // namespace opm::release
