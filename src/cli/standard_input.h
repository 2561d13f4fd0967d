// What the process gets on its standard input.
#pragma once

#include <expected>
#include <string>

namespace opm::cli {

// All of it; the error is what the operating system says.
std::expected<std::string, std::string> read_standard_input();

}  // namespace opm::cli
