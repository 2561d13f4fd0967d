// Numbers, booleans and quoted text to strings and back, with the notation of CUE's
// package strconv (which is Go's).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cue/std/bind.h"
#include "cue/std/integer.h"

namespace opm::cue::standard::conversion {

Result<bool> parse_bool(std::string_view text);
std::string format_bool(bool value);

// Decimal and hexadecimal floats, rounded to 32 or 64 bits.
Result<double> parse_float(std::string_view text, std::int64_t bits);
// Any number literal of CUE.
Result<Decimal> parse_number(base::Arena& arena, std::string_view text);
// Whole numbers that must fit in `bits` bits; 0 bits: of any size. Base 0 goes by the
// prefix (0x, 0o, 0b, 0) and allows `_` between digits.
Result<Integer> parse_int(std::string_view text, std::int64_t base, std::int64_t bits);
Result<Integer> parse_uint(std::string_view text, std::int64_t base, std::int64_t bits);
Result<Integer> parse_decimal_int(std::string_view text);

// `format` is one of b e E f g G x X; precision -1 asks for the fewest digits that read
// back as the same value.
Result<std::string> format_float(double value, char format, std::int64_t precision, std::int64_t bits);
// Base 2 to 62; digits beyond 9 are a to z, then A to Z.
Result<std::string> format_int(Integer value, std::int64_t base);

enum class Quoting { plain, ascii, graphic };
std::string quote_text(std::string_view text, Quoting quoting);
std::string quote_character(char32_t character, Quoting quoting);
// As printable() but with all of Unicode's spaces.
bool is_graphic(char32_t character);

}  // namespace opm::cue::standard::conversion
