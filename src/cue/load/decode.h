// What data files hold.
#pragma once

#include <expected>
#include <vector>

#include "cue/load/file_type.h"
#include "cue/load/load.h"
#include "data/tree.h"
#include "diag/diagnostic.h"
#include "diag/source.h"

namespace opm::cue::load {

// All values of the file: one for each YAML document and JSON line, one for other encodings.
// CUE, protobuf, XML and code are no data in this sense: an error.
std::expected<std::vector<data::Value>, std::vector<diag::Diagnostic>> decode(Encoding encoding,
                                                                              const diag::Source& source);

// Reads the file first, unless that was done. `display`: what messages call it.
std::expected<std::vector<data::Value>, std::vector<diag::Diagnostic>> decode(const DataFile& file,
                                                                              const std::string& display,
                                                                              diag::SourceMap& sources);

}  // namespace opm::cue::load
