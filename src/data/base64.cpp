#include "data/base64.h"

#include <array>
#include <cstdint>

namespace opm::data {

namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 255;

constexpr std::array<std::uint8_t, 256> kDigits = [] {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(kNoDigit);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return digits;
}();

}  // namespace

void append_base64(std::string& out, std::string_view bytes) {
  out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::size_t left = bytes.size() - i;
    std::uint32_t group = static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << 16;
    if (left > 1) group |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i + 1])) << 8;
    if (left > 2) group |= static_cast<unsigned char>(bytes[i + 2]);
    out.push_back(kAlphabet[group >> 18]);
    out.push_back(kAlphabet[(group >> 12) & 63]);
    out.push_back(left > 1 ? kAlphabet[(group >> 6) & 63] : '=');
    out.push_back(left > 2 ? kAlphabet[group & 63] : '=');
  }
}

std::optional<std::string> decode_base64(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t group = 0;
  unsigned digits = 0;
  unsigned padding = 0;
  for (char character : text) {
    if (character == '\n' || character == '\r') continue;
    if (character == '=') {
      if (digits < 2 || digits + padding >= 4) return std::nullopt;
      ++padding;
      continue;
    }
    std::uint8_t digit = kDigits[static_cast<unsigned char>(character)];
    if (digit == kNoDigit || padding > 0) return std::nullopt;
    group = group << 6 | digit;
    if (++digits == 4) {
      out.push_back(static_cast<char>(group >> 16));
      out.push_back(static_cast<char>(group >> 8));
      out.push_back(static_cast<char>(group));
      digits = 0;
      group = 0;
    }
  }
  if (digits == 0) return out;
  if (digits + padding != 4) return std::nullopt;
  out.push_back(static_cast<char>(digits == 2 ? group >> 4 : group >> 10));
  if (digits == 3) out.push_back(static_cast<char>(group >> 2));
  return out;
}

}  // namespace opm::data
