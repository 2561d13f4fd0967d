// "Did you mean": the known name that a misspelt one is nearest to.
#pragma once

#include <cstddef>
#include <string_view>

namespace opm::base {

// Offer every candidate to consider(), then ask for best(): empty if none is near enough
// to be what was meant. The first of equally near ones wins.
class Suggestion {
 public:
  explicit Suggestion(std::string_view name);
  void consider(std::string_view candidate);
  std::string_view best() const { return best_; }

 private:
  std::string_view name_;
  std::string_view best_;
  std::size_t best_distance_;
};

}  // namespace opm::base
