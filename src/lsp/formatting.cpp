#include "lsp/formatting.h"

#include <algorithm>

#include "base/arena.h"
#include "cue/syntax/format.h"
#include "cue/syntax/parser.h"

namespace opm::lsp {

std::optional<std::vector<TextEdit>> format_document(std::string_view text, Encoding encoding) {
  base::Arena arena;
  diag::Source source{"", std::string(text), diag::Position{1}};
  cue::syntax::ParsedFile parsed = cue::syntax::parse_file(arena, source);
  if (!parsed.errors.empty()) return std::nullopt;
  return line_edits(text, cue::syntax::format(*parsed.file, {.source = &source}), encoding);
}

std::vector<TextEdit> line_edits(std::string_view before, std::string_view after, Encoding encoding) {
  if (before == after) return {};
  // Both from the start and from the end as far as whole lines are the same.
  std::size_t start = static_cast<std::size_t>(std::ranges::mismatch(before, after).in1 - before.begin());
  std::size_t line_start = before.substr(0, start).rfind('\n');
  start = line_start == before.npos ? 0 : line_start + 1;
  std::size_t most = std::min(before.size(), after.size()) - start;
  std::size_t same = 0;
  while (same < most && before[before.size() - same - 1] == after[after.size() - same - 1]) ++same;
  std::size_t line_end = before.find('\n', before.size() - same);
  // The line break at the end of the changed part is left out of the edit's text and of its range alike.
  same = line_end == before.npos ? 0 : before.size() - line_end - 1;
  LineIndex lines(before);
  TextEdit edit;
  edit.range = {lines.position(before, start, encoding), lines.position(before, before.size() - same, encoding)};
  edit.text = after.substr(start, after.size() - same - start);
  return {edit};
}

}  // namespace opm::lsp
