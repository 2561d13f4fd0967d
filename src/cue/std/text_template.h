// Templates in the language of Go's text/template, executed over plain data.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "data/tree.h"

namespace opm::cue::standard {

// The text that the template makes of the data, or what is wrong with either.
std::expected<std::string, std::string> execute_template(std::string_view source, const data::Value& data);

}  // namespace opm::cue::standard
