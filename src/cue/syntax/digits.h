// What a digit is worth in numbers and escapes.
#pragma once

namespace opm::cue::syntax {

inline constexpr int kNoDigit = 16;  // more than any digit

constexpr int hexadecimal_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return kNoDigit;
}

}  // namespace opm::cue::syntax
