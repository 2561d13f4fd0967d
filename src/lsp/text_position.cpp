#include "lsp/text_position.h"

#include <algorithm>

#include "base/unicode.h"

namespace opm::lsp {

namespace {

// How many units of the encoding a character takes that is `bytes` long. What is no UTF-8 counts a unit a byte, which
// is how editors show it.
std::uint32_t units_of(const base::DecodedCharacter& character, Encoding encoding) {
  if (encoding == Encoding::utf8) return character.size;
  return character.valid && character.value > 0xFFFF ? 2 : 1;
}

}  // namespace

LineIndex::LineIndex(std::string_view text) {
  begins_.push_back(0);
  for (std::size_t at = text.find_first_of("\r\n"); at != text.npos; at = text.find_first_of("\r\n", at)) {
    at += text.substr(at).starts_with("\r\n") ? 2 : 1;
    begins_.push_back(at);
  }
}

std::size_t LineIndex::line_end(std::string_view text, std::size_t line) const {
  if (line + 1 == begins_.size()) return text.size();
  std::size_t end = begins_[line + 1] - 1;
  if (text[end] == '\n' && end > begins_[line] && text[end - 1] == '\r') --end;
  return end;
}

std::size_t LineIndex::offset(std::string_view text, TextPosition position, Encoding encoding) const {
  if (position.line >= begins_.size()) return text.size();
  std::size_t at = begins_[position.line];
  std::size_t end = line_end(text, position.line);
  std::uint32_t units = 0;
  while (at < end && units < position.character) {
    base::DecodedCharacter character = base::decode_utf8(text.substr(at, end - at));
    units += units_of(character, encoding);
    if (units > position.character) break;
    at += character.size;
  }
  return at;
}

TextPosition LineIndex::position(std::string_view text, std::size_t offset, Encoding encoding) const {
  offset = std::min(offset, text.size());
  std::size_t line = static_cast<std::size_t>(std::ranges::upper_bound(begins_, offset) - begins_.begin()) - 1;
  std::size_t end = std::min(offset, line_end(text, line));
  TextPosition result{static_cast<std::uint32_t>(line), 0};
  for (std::size_t at = begins_[line]; at < end;) {
    base::DecodedCharacter character = base::decode_utf8(text.substr(at));
    if (at + character.size > end) break;
    result.character += units_of(character, encoding);
    at += character.size;
  }
  return result;
}

TextPosition position_at(std::string_view text, std::size_t offset, Encoding encoding) {
  return LineIndex(text).position(text, offset, encoding);
}

}  // namespace opm::lsp
