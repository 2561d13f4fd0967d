// A file that is large enough for several threads.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/arena.h"
#include "cue/syntax/parser.h"

namespace opm::cue::syntax {

// The same as parse_file. What other threads have read is in arenas that are appended to `more_arenas`. Where comments are
// kept, one thread reads it all.
ParsedFile parse_in_parts(base::Arena& arena, std::vector<std::unique_ptr<base::Arena>>& more_arenas,
                          const diag::Source& source, const ParseOptions& options, std::size_t threads);

}  // namespace opm::cue::syntax
