// Data that mirrors a message of Protocol Buffers says less than it means: numbers may stand in quotes, bytes in base64, a
// single element for a list. A schema tells what is meant.
#pragma once

#include <expected>

#include "cue/load/file_type.h"
#include "cue/value.h"

namespace opm::cli {

bool needs_shape(const cue::load::FileType& type);

// The data as the schema means it; the errors say what it can't mean.
std::expected<data::Value, cue::Diagnostics> shape_protobuf(const data::Value& data, const cue::Value& schema,
                                                            const cue::load::FileType& type);

}  // namespace opm::cli
