// The formatter: whatever parses can be printed, in every mode.
#include <cstdint>
#include <string>

#include "cue/syntax/format.h"
#include "cue/syntax/parser.h"

using namespace opm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  diag::SourceMap sources;
  base::Arena arena;
  const diag::Source* source = sources.add("input.cue", std::string(bytes, bytes + size));
  if (source == nullptr) return 0;
  cue::syntax::ParsedFile parsed = cue::syntax::parse_file(arena, *source);
  if (!parsed.errors.empty()) return 0;
  for (bool simplify : {false, true}) {
    for (unsigned spaces : {0u, 4u}) {
      cue::syntax::format(*parsed.file, {.simplify = simplify, .indent_spaces = spaces});
    }
  }
  return 0;
}
