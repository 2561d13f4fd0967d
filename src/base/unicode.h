// Characters beyond ASCII: UTF-8 decoding and encoding, and the few character
// classes that CUE's grammar and quoting depend on (Unicode 15).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace opm::base {

inline constexpr char32_t kReplacementCharacter = 0xFFFD;
inline constexpr char32_t kLastCharacter = 0x10FFFF;

struct DecodedCharacter {
  char32_t value = kReplacementCharacter;
  std::uint32_t size = 0;  // bytes; 0: the text is empty
  bool valid = false;      // false: a broken sequence, of which one byte is taken
};

// The first character of `text`.
DecodedCharacter decode_utf8(std::string_view text);
// Appends; what is no character (a surrogate, too large) becomes U+FFFD.
void append_utf8(std::string& out, char32_t character);
// Writes at most 4 bytes and returns how many.
std::uint32_t encode_utf8(char* out, char32_t character);
// The offset of the first byte that is not part of valid UTF-8, or npos.
std::size_t find_invalid_utf8(std::string_view text, std::size_t from = 0);
// Each run of broken bytes becomes one U+FFFD.
std::string valid_utf8(std::string text);

bool is_ascii(std::string_view text);
bool is_letter(char32_t character);     // category L
bool is_digit(char32_t character);      // category Nd
bool is_printable(char32_t character);  // letters, marks, numbers, punctuation, symbols, and the ASCII space
bool is_space(char32_t character);

}  // namespace opm::base
