// CUE definitions as schemas of other languages: JSON Schema (2020-12) and OpenAPI 3.0.
#pragma once

#include <expected>
#include <string>

#include "cue/load/file_type.h"
#include "cue/value.h"
#include "data/tree.h"

namespace opm::cli {

// `source`: CUE as `opm cue def` writes it, with everything that it refers to. The error says what has no counterpart there.
std::expected<data::Value, std::string> write_schema(std::string source, cue::load::Interpretation language);

}  // namespace opm::cli
