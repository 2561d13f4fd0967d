// The lexer, the parser and the formatter: any bytes become a tree or errors, and the canonical
// text of a tree without errors can be parsed again.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/arena.h"
#include "cue/syntax/format.h"
#include "cue/syntax/parser.h"
#include "diag/source.h"

using namespace opm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  diag::SourceMap sources;
  base::Arena arena;
  std::string text(bytes, bytes + size);
  const diag::Source* source = sources.add("input.cue", text);
  if (source == nullptr) return 0;
  cue::syntax::parse_expression(arena, *source);
  cue::syntax::parse_file(arena, *source, {.comments = false, .only_imports = true});
  for (bool comments : {true, false}) {
    cue::syntax::ParsedFile parsed = cue::syntax::parse_file(arena, *source, {.comments = comments});
    if (parsed.file == nullptr && parsed.errors.empty()) std::abort();  // no tree, and no reason for it
    if (parsed.file == nullptr || !parsed.errors.empty()) continue;
    const diag::Source* written = sources.add("written.cue", cue::syntax::format(*parsed.file));
    cue::syntax::ParsedFile again = cue::syntax::parse_file(arena, *written);
    // CUE's layout moves some comments into the middle of an operation, which is then none.
    if (!comments && (again.file == nullptr || !again.errors.empty())) std::abort();
  }
  return 0;
}
