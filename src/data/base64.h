// Base64 with the standard alphabet and padding, as JSON and YAML carry bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace opm::data {

void append_base64(std::string& out, std::string_view bytes);
// Line breaks are skipped; everything else must be right, padding included.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace opm::data
