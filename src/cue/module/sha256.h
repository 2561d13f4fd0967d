// SHA-256, by which registries name what they hold.
#pragma once

#include <string>
#include <string_view>

namespace opm::cue::module {

// In lower-case hexadecimal.
std::string sha256_hex(std::string_view data);

}  // namespace opm::cue::module
