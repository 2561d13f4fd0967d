// The package html.
#include <algorithm>

#include "base/unicode.h"
#include "cue/std/bind.h"
#include "cue/std/html_entities.h"
#include "cue/std/packages.h"

namespace opm::cue::standard {
namespace {

std::string escape(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '\'': out += "&#39;"; break;
      case '"': out += "&#34;"; break;
      default: out += c;
    }
  }
  return out;
}

int digit_of(char c, bool is_hexadecimal) {
  if (c >= '0' && c <= '9') return c - '0';
  if (is_hexadecimal && c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (is_hexadecimal && c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Numbers that mean what they meant in Windows-1252, as browsers take them.
constexpr char32_t kOldNumbers[] = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
    0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

char32_t numbered_character(char32_t number) {
  if (number >= 0x80 && number <= 0x9F) return kOldNumbers[number - 0x80];
  if (number == 0 || number > 0x10FFFF || (number >= 0xD800 && number <= 0xDFFF)) return 0xFFFD;
  return number;
}

// What "&#…" at the start of the text stands for; how many bytes of it are read, or 0 where it is nothing.
std::size_t read_number(std::string_view text, std::string& out) {
  std::size_t at = 2;
  bool is_hexadecimal = text.size() > at && (text[at] == 'x' || text[at] == 'X');
  if (is_hexadecimal) ++at;
  char32_t number = 0;
  for (; at < text.size(); ++at) {
    int digit = digit_of(text[at], is_hexadecimal);
    if (digit < 0) break;
    number = std::min<char32_t>(number * (is_hexadecimal ? 16 : 10) + static_cast<char32_t>(digit), 0x110000);
  }
  if (at < text.size() && text[at] == ';') ++at;
  // Fewer bytes are no number, whether they hold a digit or not.
  if (at <= 3) return 0;
  base::append_utf8(out, numbered_character(number));
  return at;
}

bool is_name_character(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

constexpr std::size_t kLongestNameWithoutEnd = 6;

std::size_t read_name(std::string_view text, std::string& out) {
  std::size_t end = 1;
  while (end < text.size() && is_name_character(text[end])) ++end;
  if (end < text.size() && text[end] == ';') ++end;
  std::string_view name = text.substr(1, end - 1);
  if (auto found = named_character(name)) {
    out += *found;
    return end;
  }
  if (name.empty()) return 0;
  for (std::size_t length = std::min(name.size() - 1, kLongestNameWithoutEnd); length > 1; --length) {
    auto found = named_character(name.substr(0, length));
    if (!found) continue;
    out += *found;
    return 1 + length;
  }
  return 0;
}

std::string unescape(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::size_t plain = std::min(text.find('&'), text.size());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    bool is_number = text.size() > 1 && text[1] == '#';
    std::size_t read = is_number ? read_number(text, out) : read_name(text, out);
    if (read == 0) {
      out += '&';
      read = 1;
    }
    text.remove_prefix(read);
  }
  return out;
}

}  // namespace

StandardPackage html_package() {
  return make_package("html", {
    bind<escape>("Escape"),
    bind<unescape>("Unescape"),
  });
}

}  // namespace opm::cue::standard
