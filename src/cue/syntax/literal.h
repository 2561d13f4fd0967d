// What a literal says: the value of string, bytes and number tokens, and the other
// way round, how a string is quoted as CUE source.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "cue/syntax/ast.h"

namespace opm::cue::syntax {

struct LiteralError {
  std::string message;
  std::uint32_t offset = 0;  // in the token
};

// Quoting of one string: single or multi-line, raw level, string or bytes.
struct QuoteInfo {
  bool is_bytes = false;      // '...' rather than "..."
  bool is_multiline = false;  // """ or '''
  std::uint32_t hashes = 0;   // number of # on each side
  std::string_view indent;    // white space taken off each line of a multi-line string
};

// A complete string or bytes literal with its quotes. The result is in the arena (or
// a view of the token where nothing had to be decoded).
std::expected<std::string_view, LiteralError> unquote(base::Arena& arena, std::string_view token);
// For interpolations: the quoting of the whole (from first and last part), then each part.
std::expected<QuoteInfo, LiteralError> parse_quotes(std::string_view first, std::string_view last);
std::expected<std::string_view, LiteralError> unquote_part(base::Arena& arena, const QuoteInfo& quotes,
                                                           std::string_view part);

// As `cue` quotes: "..." on one line; quote_multiline uses """ with the given indent.
std::string quote(std::string_view text);
std::string quote_bytes(std::string_view bytes);
std::string quote_multiline(std::string_view text, std::string_view indent);
std::string quote_multiline_bytes(std::string_view bytes, std::string_view indent);
// A regular field's label: as it is where that reads back as the same field (keywords do), else quoted.
std::string quote_label(std::string_view name);
bool is_valid_identifier(std::string_view text);

}  // namespace opm::cue::syntax
