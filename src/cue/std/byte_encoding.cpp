#include "cue/std/byte_encoding.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace opm::cue::standard::encoding {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::int8_t, 256> kSextets = [] {
  std::array<std::int8_t, 256> table{};
  table.fill(-1);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) table[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
  return table;
}();

std::unexpected<std::string> illegal(std::size_t offset) {
  return wrong(fmt::format("illegal base64 data at input byte {}", offset));
}

bool is_line_break(char c) { return c == '\n' || c == '\r'; }

std::size_t skip_line_breaks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_line_break(text[at])) ++at;
  return at;
}

std::string invalid_byte(char c) {
  unsigned value = static_cast<unsigned char>(c);
  // Bytes count as characters of Latin-1, and are shown where they can be.
  if (value >= ' ' && value < 0x7F) return fmt::format("encoding/hex: invalid byte: U+{:04X} '{}'", value, c);
  if (value > 0xA0 && value != 0xAD) {
    return fmt::format("encoding/hex: invalid byte: U+{:04X} '{}{}'", value, static_cast<char>(0xC0 | (value >> 6)),
                       static_cast<char>(0x80 | (value & 0x3F)));
  }
  return fmt::format("encoding/hex: invalid byte: U+{:04X}", value);
}

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) group = group << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j) out += j <= count ? kAlphabet[group >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

Result<ByteString> from_base64(std::string_view text) {
  ByteString out;
  std::size_t at = 0;
  for (;;) {
    std::uint32_t group = 0;
    std::size_t count = 0;
    bool padded = false;
    while (count < 4) {
      at = skip_line_breaks(text, at);
      if (at == text.size()) {
        if (count == 0) return out;
        return illegal(at - count);
      }
      char c = text[at++];
      if (std::int8_t sextet = kSextets[static_cast<unsigned char>(c)]; sextet >= 0) {
        group = group << 6 | static_cast<std::uint32_t>(sextet);
        ++count;
        continue;
      }
      if (c != '=' || count < 2) return illegal(at - 1);
      if (count == 2) {
        at = skip_line_breaks(text, at);
        if (at == text.size()) return illegal(at);
        if (text[at] != '=') return illegal(at - 1);
        ++at;
      }
      at = skip_line_breaks(text, at);
      if (at < text.size()) return illegal(at);
      padded = true;
      break;
    }
    group <<= 6 * (4 - count);
    for (std::size_t j = 0; j + 1 < count; ++j) out.bytes += static_cast<char>(group >> (16 - 8 * j) & 0xFF);
    if (padded) return out;
  }
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string to_hexadecimal(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (char c : bytes) {
    out += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
    out += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

Result<ByteString> from_hexadecimal(std::string_view text) {
  ByteString out;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    if (digit(text[i]) < 0) return wrong(invalid_byte(text[i]));
    if (i + 1 == text.size()) return wrong("encoding/hex: odd length hex string");
    if (digit(text[i + 1]) < 0) return wrong(invalid_byte(text[i + 1]));
    out.bytes += static_cast<char>(digit(text[i]) << 4 | digit(text[i + 1]));
  }
  return out;
}

Result<std::string> hexadecimal_dump(std::string_view bytes) {
  if (bytes.size() > kMaxResultBytes / 5) return wrong("result is too long");
  std::string out;
  for (std::size_t line = 0; line < bytes.size(); line += 16) {
    fmt::format_to(std::back_inserter(out), "{:08x} ", line);
    std::string shown;
    for (std::size_t i = 0; i < 16; ++i) {
      if (i % 8 == 0) out += ' ';
      if (line + i >= bytes.size()) {
        out += "   ";
        continue;
      }
      auto value = static_cast<unsigned char>(bytes[line + i]);
      fmt::format_to(std::back_inserter(out), "{:02x} ", value);
      shown += value >= ' ' && value < 0x7F ? static_cast<char>(value) : '.';
    }
    out += " |" + shown + "|\n";
  }
  return out;
}

}  // namespace opm::cue::standard::encoding
