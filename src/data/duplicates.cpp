#include "data/duplicates.h"

#include <string_view>
#include <unordered_map>

namespace opm::data {

std::optional<std::pair<std::size_t, std::size_t>> find_duplicate(const Map& map) {
  constexpr std::size_t kFew = 8;  // comparing pairs is cheaper than a table up to here
  if (map.size() <= kFew) {
    for (std::size_t second = 1; second < map.size(); ++second) {
      for (std::size_t first = 0; first < second; ++first) {
        if (map[first].key == map[second].key) return std::pair{second, first};
      }
    }
    return std::nullopt;
  }
  std::unordered_map<std::string_view, std::size_t> seen;
  seen.reserve(map.size());
  for (std::size_t index = 0; index < map.size(); ++index) {
    auto [entry, is_new] = seen.emplace(map[index].key, index);
    if (!is_new) return std::pair{index, entry->second};
  }
  return std::nullopt;
}

}  // namespace opm::data
