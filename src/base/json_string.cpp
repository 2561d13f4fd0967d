#include "base/json_string.h"

#include <array>

#include "base/unicode.h"

namespace opm::base {

namespace {

// Bytes that stand for themselves in a JSON string; the rest is looked at closer.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (unsigned byte = 0x20; byte < 0x80; ++byte) {
    plain[byte] = byte != '"' && byte != '\\' && byte != '<' && byte != '>' && byte != '&';
  }
  return plain;
}();

void append_unicode_escape(std::string& out, char32_t character) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out.push_back(kHex[(character >> shift) & 15]);
}

void append_ascii(std::string& out, char character, bool escape_html) {
  switch (character) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\b':
      out += "\\b";
      break;
    case '\f':
      out += "\\f";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      if (static_cast<unsigned char>(character) >= 0x20 && !escape_html) {
        out.push_back(character);
      } else {
        append_unicode_escape(out, static_cast<unsigned char>(character));
      }
  }
}

}  // namespace

void append_json_string(std::string& out, std::string_view text, bool escape_html) {
  out.push_back('"');
  std::size_t run = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    auto byte = static_cast<unsigned char>(text[at]);
    if (kPlain[byte]) {
      ++at;
      continue;
    }
    if (byte < 0x80) {
      out.append(text, run, at - run);
      append_ascii(out, text[at], escape_html);
      run = ++at;
      continue;
    }
    auto character = decode_utf8(text.substr(at));
    bool is_separator = character.value == 0x2028 || character.value == 0x2029;
    if (character.valid && !is_separator) {
      at += character.size;
      continue;
    }
    out.append(text, run, at - run);
    if (is_separator) {
      append_unicode_escape(out, character.value);
    } else {
      out += "\\ufffd";
    }
    at += character.size;
    run = at;
  }
  out.append(text, run);
  out.push_back('"');
}

}  // namespace opm::base
