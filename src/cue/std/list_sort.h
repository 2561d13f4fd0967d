// Sorting for the package list, by a comparator: a struct with fields x, y and less.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cue/std/bind.h"

namespace opm::cue::standard {

Value sort_list(Call& call);       // list, comparator
Value is_sorted_list(Call& call);  // list, comparator
std::vector<std::string> sort_strings(const std::vector<std::string_view>& texts);
bool is_sorted_strings(const std::vector<std::string_view>& texts);

}  // namespace opm::cue::standard
