// TOML in. Dates and times become strings, as CUE has no kind for them. Reading is
// hostile-safe: depth and size are capped, and nothing is looked up by comparing all keys.
#pragma once

#include <expected>
#include <vector>

#include "data/json.h"
#include "data/tree.h"

namespace opm::data {

std::expected<Value, std::vector<diag::Diagnostic>> read_toml(const diag::Source& source,
                                                              const ReadLimits& limits = {});

}  // namespace opm::data
