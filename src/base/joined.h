// Texts in a row with something between them, for messages that list names.
#pragma once

#include <string>
#include <string_view>

namespace opm::base {

template <typename Texts>
std::string joined(const Texts& texts, std::string_view separator) {
  std::string out;
  bool first = true;
  for (std::string_view text : texts) {
    if (!first) out += separator;
    first = false;
    out += text;
  }
  return out;
}

}  // namespace opm::base
