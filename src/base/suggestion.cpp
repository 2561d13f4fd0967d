#include "base/suggestion.h"

#include <algorithm>
#include <vector>

namespace opm::base {

namespace {

constexpr std::size_t kLongestName = 64;

// How many letters to change, add, drop or swap to get from one word to the other; at most `limit` + 1.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > limit) return limit + 1;
  std::vector<std::size_t> before(a.size() + 1), row(a.size() + 1), next(a.size() + 1);
  for (std::size_t i = 0; i <= a.size(); ++i) row[i] = i;
  for (std::size_t j = 1; j <= b.size(); ++j) {
    next[0] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
      next[i] = std::min({row[i] + 1, next[i - 1] + 1, row[i - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) next[i] = std::min(next[i], before[i - 2] + 1);
    }
    std::swap(before, row);
    std::swap(row, next);
  }
  return row[a.size()];
}

}  // namespace

Suggestion::Suggestion(std::string_view name)
    : name_(name), best_distance_(name.size() > kLongestName ? 0 : std::max<std::size_t>(1, name.size() / 3) + 1) {}

void Suggestion::consider(std::string_view candidate) {
  if (candidate.size() > kLongestName || best_distance_ == 0 || candidate == name_) return;
  std::size_t distance = edit_distance(name_, candidate, best_distance_ - 1);
  if (distance >= best_distance_ || distance >= name_.size() || distance >= candidate.size()) return;
  best_distance_ = distance;
  best_ = candidate;
}

}  // namespace opm::base
