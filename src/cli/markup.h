// Text in XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace opm::cli {

// As it stands in an attribute or between tags; what XML has no place for is left out.
std::string escape_markup(std::string_view text);

}  // namespace opm::cli
