#include "base/text_builder.h"

#include <algorithm>

namespace opm::base {

namespace {
constexpr std::size_t kLeastRoom = 1024;
}

void TextBuilder::grow(std::size_t count) {
  std::size_t used = size();
  std::size_t wanted = std::max({used + count, used + used / 2, kLeastRoom, text_.capacity()});
  text_.resize_and_overwrite(wanted, [](char*, std::size_t room) { return room; });
  cursor_ = text_.data() + used;
  limit_ = text_.data() + wanted;
}

}  // namespace opm::base
