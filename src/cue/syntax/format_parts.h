// Cuts a long file into parts that can be parsed and laid out side by side.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace opm::cue::syntax {

// Parts of the text, in order, of about that many bytes where it has places to cut. If each part can be parsed by itself,
// the layouts of all of them with an empty line in between are the layout of the whole; if one cannot, the cuts say nothing.
std::vector<std::string_view> parts_to_format(std::string_view text, std::size_t size);

}  // namespace opm::cue::syntax
