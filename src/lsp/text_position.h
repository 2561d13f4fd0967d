// Places in a text as editors name them: a line and a character in it, both from 0, characters counted in UTF-16 code
// units unless editor and server agreed on bytes.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace opm::lsp {

enum class Encoding : std::uint8_t { utf16, utf8 };

struct TextPosition {
  std::uint32_t line = 0;
  std::uint32_t character = 0;
  auto operator<=>(const TextPosition&) const = default;
};

struct TextRange {
  TextPosition start;
  TextPosition end;
  auto operator<=>(const TextRange&) const = default;
};

// Where the lines of a text begin. Lines end with \n, \r\n or \r.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);

  // A place behind the end of its line means the end of the line, one behind the last line the end of the text. A place
  // within a character means its beginning.
  std::size_t offset(std::string_view text, TextPosition position, Encoding encoding) const;
  TextPosition position(std::string_view text, std::size_t offset, Encoding encoding) const;

 private:
  // The offset behind the last character of a line.
  std::size_t line_end(std::string_view text, std::size_t line) const;

  std::vector<std::size_t> begins_;
};

TextPosition position_at(std::string_view text, std::size_t offset, Encoding encoding);

}  // namespace opm::lsp
