// JSON as text: whether it is valid, and how it is laid out. Numbers, escapes and the
// order of keys stay as written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cue/std/bind.h"

namespace opm::cue::standard::json {

bool is_valid(std::string_view text);
Result<std::string> compact(std::string_view text);
// Each element on a line of its own, which begins with `prefix` and as many times
// `indent` as it is nested.
Result<std::string> indented(std::string_view text, std::string_view prefix, std::string_view indent);
// <, >, &, U+2028 and U+2029 as \u escapes, so that it can stand in HTML.
std::string escape_html(std::string_view text);
// The values of a stream, one after the other; each is valid JSON.
Result<std::vector<std::string_view>> split_stream(std::string_view text);

}  // namespace opm::cue::standard::json
