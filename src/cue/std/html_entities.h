// What the names of characters in HTML stand for: "aacute;" is á.
#pragma once

#include <optional>
#include <string_view>

namespace opm::cue::standard {

// `name` is what stands behind the "&", with its ";". Some names are known without one as well.
std::optional<std::string_view> named_character(std::string_view name);

}  // namespace opm::cue::standard
