// TOML in and out. Dates and times become strings, as CUE has no kind for them. Reading is
// hostile-safe: depth and size are capped, and nothing is looked up by comparing all keys.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "data/json.h"
#include "data/tree.h"

namespace opm::data {

std::expected<Value, std::vector<diag::Diagnostic>> read_toml(const diag::Source& source,
                                                              const ReadLimits& limits = {});

// Byte for byte as `cue export --out toml`: keys sorted, members that are null left out. The error: an element of a list is
// null, for which TOML has no word.
std::expected<std::string, std::string> write_toml(const Value& value);

}  // namespace opm::data
