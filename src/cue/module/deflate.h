// Compression for module archives. The bytes are those that Go's archive/zip writes, so that
// the same folder has the same digest whichever of `cue` and `opm` published it. zlib makes
// other choices among the many that the format leaves open.
#pragma once

#include <string>
#include <string_view>

namespace opm::cue::module {

// Appends a complete raw deflate stream.
void deflate_like_go(std::string& out, std::string_view input);

}  // namespace opm::cue::module
