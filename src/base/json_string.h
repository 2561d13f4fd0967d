// Text as a JSON string. It stands this low in the house because diagnostics are
// printed as JSON too.
#pragma once

#include <string>
#include <string_view>

namespace opm::base {

// With quotes, escaped as Go's encoder does: U+2028 and U+2029 always, so that the result is
// JavaScript as well; <, > and & if asked. What is not UTF-8 becomes U+FFFD.
void append_json_string(std::string& out, std::string_view text, bool escape_html = false);

}  // namespace opm::base
