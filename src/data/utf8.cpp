#include "data/utf8.h"

#include <simdjson.h>

#include "base/unicode.h"

namespace opm::data {

namespace {

// From here on simdjson is faster even when it has to be loaded first (cmake/simdjson.cpp).
constexpr std::size_t kLarge = std::size_t{4} << 20;

}  // namespace

bool is_utf8(std::string_view text) {
  if (text.size() < kLarge) return base::find_invalid_utf8(text) == std::string_view::npos;
  return simdjson::validate_utf8(text);
}

}  // namespace opm::data
