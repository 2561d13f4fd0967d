// Columns that line up, for people.
#pragma once

#include <string>
#include <vector>

namespace opm::cli {

// The first row has the headings. Two spaces between columns, none at the ends of lines; widths are counted in
// characters.
std::string format_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace opm::cli
