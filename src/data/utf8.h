// Whether text is valid UTF-8: what every reader asks first.
#pragma once

#include <string_view>

namespace opm::data {

bool is_utf8(std::string_view text);

}  // namespace opm::data
