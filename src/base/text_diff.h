// What changed between two texts, as a unified diff with three lines of context.
#pragma once

#include <string>
#include <string_view>

namespace opm::base {

// Empty if the texts are the same. Lines that are unique in both texts anchor the comparison, so
// that the result is what a person would mark, in time that hardly grows faster than the texts.
std::string unified_diff(std::string_view old_name, std::string_view old_text, std::string_view new_name,
                         std::string_view new_text);

}  // namespace opm::base
