// Reading single fields of evaluated CUE. What is missing or of another kind is empty.
#pragma once

#include <string>
#include <string_view>

#include "cue/value.h"
#include "data/tree.h"

namespace opm::model {

std::string text_of(const cue::Value& value, std::string_view field);
data::Value data_of(const cue::Value& value, std::string_view field);

}  // namespace opm::model
