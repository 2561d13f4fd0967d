// What the language server does with bytes before anything is evaluated: messages are framed or refused, and every place of any
// text can be asked about, mended, laid out and outlined.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "cue/syntax/format.h"
#include "lsp/analysis.h"
#include "lsp/cursor.h"
#include "lsp/formatting.h"
#include "lsp/message_stream.h"
#include "lsp/symbols.h"

using namespace opm;

namespace {

void read_messages(std::string_view bytes) {
  lsp::MessageStream whole(1024);
  lsp::MessageStream pieces(1024);
  whole.feed(bytes);
  for (std::size_t at = 0; at < bytes.size(); at += 7) pieces.feed(bytes.substr(at, 7));
  for (;;) {
    lsp::MessageStream::Next one = whole.next();
    lsp::MessageStream::Next other = pieces.next();
    if (one.outcome != other.outcome || one.body != other.body) std::abort();
    if (one.outcome == lsp::MessageStream::Outcome::incomplete || one.outcome == lsp::MessageStream::Outcome::broken) return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2) return 0;
  std::string text(bytes + 2, bytes + size);
  read_messages(text);
  std::size_t offset = text.empty() ? 0 : (bytes[0] * 256u + bytes[1]) % (text.size() + 1);
  lsp::ParsedText parsed(text);
  lsp::Cursor cursor = lsp::cursor_at(parsed, offset);
  if (cursor.scopes.empty()) std::abort();
  lsp::mended(text, offset, "syntax");
  lsp::mended(text, offset, "reference-not-found");
  lsp::document_symbols(text, lsp::Encoding::utf16);
  lsp::LineIndex lines(text);
  for (lsp::Encoding encoding : {lsp::Encoding::utf16, lsp::Encoding::utf8}) {
    lsp::TextPosition place = lines.position(text, offset, encoding);
    std::size_t back = lines.offset(text, place, encoding);
    if (back > offset || lines.position(text, back, encoding) != place) std::abort();
    auto edits = lsp::format_document(text, encoding);
    if (!edits) continue;
    std::string result = text;
    for (const lsp::TextEdit& edit : *edits) {
      std::size_t begin = lines.offset(text, edit.range.start, encoding);
      result.replace(begin, lines.offset(text, edit.range.end, encoding) - begin, edit.text);
    }
    if (result != cue::syntax::format(*parsed.file, {.source = &parsed.source})) std::abort();
  }
  return 0;
}
