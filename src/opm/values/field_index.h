// Where the fields of a struct stand. Few are looked through, many are looked up.
#pragma once

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "opm/values/merge.h"

namespace opm::values {

// The fields have to stay as they are while it is used.
class FieldIndex {
 public:
  explicit FieldIndex(const std::vector<Field>& fields) : fields_(fields) {
    constexpr std::size_t kFew = 16;
    if (fields.size() <= kFew) return;
    places_.reserve(fields.size());
    for (std::size_t i = 0; i < fields.size(); ++i) places_.emplace(fields[i].name, i);
  }

  // The number of fields, where there is none of that name.
  std::size_t find(std::string_view name) const {
    if (!places_.empty()) {
      auto found = places_.find(name);
      return found == places_.end() ? fields_.size() : found->second;
    }
    auto found = std::ranges::find(fields_, name, &Field::name);
    return static_cast<std::size_t>(found - fields_.begin());
  }

 private:
  const std::vector<Field>& fields_;
  std::unordered_map<std::string_view, std::size_t> places_;
};

}  // namespace opm::values
