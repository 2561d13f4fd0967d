// Messages of Protocol Buffers in their text format. A field that is there more than once is a list; what else may be one,
// or is text rather than a name, only a schema can tell.
#pragma once

#include <expected>
#include <vector>

#include "data/json.h"
#include "data/tree.h"

namespace opm::data {

std::expected<Value, std::vector<diag::Diagnostic>> read_text_protobuf(const diag::Source& source,
                                                                       const ReadLimits& limits = {});

}  // namespace opm::data
