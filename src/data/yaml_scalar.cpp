#include "data/yaml_scalar.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/number.h"

namespace opm::data {

namespace {

bool is_digit(char character) { return character >= '0' && character <= '9'; }

bool is_hex_digit(char character) {
  return is_digit(character) || (character >= 'a' && character <= 'f') || (character >= 'A' && character <= 'F');
}

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view text) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

constexpr auto kNulls = std::to_array<std::string_view>({"", "~", "null", "Null", "NULL"});
constexpr auto kBooleans =
    std::to_array<std::string_view>({"true", "True", "TRUE", "false", "False", "FALSE"});
constexpr auto kNotFinite = std::to_array<std::string_view>({".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf",
                                                             "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF"});
constexpr auto kLegacyWords = std::to_array<std::string_view>(
    {"y",    "Y",    "yes",  "Yes",   "YES",   "n",     "N",  "t",  "T",  "f",   "F",   "no",  "No", "NO",
     "true", "True", "TRUE", "false", "False", "FALSE", "on", "On", "ON", "off", "Off", "OFF", ".Nan"});

std::string without_underscores(std::string_view text) {
  std::string plain(text);
  std::erase(plain, '_');
  return plain;
}

unsigned digit_value(char character) {
  if (is_digit(character)) return static_cast<unsigned>(character - '0');
  return static_cast<unsigned>((character | 0x20) - 'a') + 10;
}

// An integer of at most 64 bits, with the prefixes 0x, 0b, 0o and 0. Larger decimals
// are read as floats first, larger ones of other bases are strings.
bool is_integer(std::string_view text) {
  bool has_sign = text.starts_with('-') || text.starts_with('+');
  bool negative = text.starts_with('-');
  if (has_sign) text.remove_prefix(1);
  unsigned base = 10;
  if (text.size() > 1 && text[0] == '0') {
    char letter = static_cast<char>(text[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
    text.remove_prefix(letter == 'x' || letter == 'b' || letter == 'o' ? 2 : 1);
  }
  if (text.empty()) return false;
  std::uint64_t value = 0;
  for (char character : text) {
    if (!is_hex_digit(character) || digit_value(character) >= base) return false;
    if (__builtin_mul_overflow(value, base, &value) || __builtin_add_overflow(value, digit_value(character), &value)) {
      return false;
    }
  }
  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  return !has_sign || value <= (negative ? largest + 1 : largest);
}

// [-+]? ( .5 | 5 | 5. | 5.5 ) exponent?
bool has_float_shape(std::string_view text) {
  std::size_t at = 0;
  auto digits = [&] {
    std::size_t start = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - start;
  };
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  bool has_whole = digits() > 0;
  if (at < text.size() && text[at] == '.') {
    ++at;
    bool has_fraction = digits() > 0;
    if (!has_whole && !has_fraction) return false;
  } else if (!has_whole) {
    return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

// A float is one only if it is within the range of a double; 1e400 is a string.
bool is_float(std::string_view text) {
  if (!has_float_shape(text)) return false;
  if (text.size() < 300 && text.find_first_of("eE") == std::string_view::npos) return true;
  base::Arena arena;
  auto number = base::Number::parse_decimal(arena, text);
  return number && std::isfinite(number->to_double());
}

// 0777, which is an octal in YAML 1.1, and 0789, which is not.
bool has_leading_zero(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.size() < 2 || text[0] != '0') return false;
  return std::all_of(text.begin() + 1, text.end(), [](char c) { return is_digit(c) || c == '_'; });
}

bool is_json_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || !is_digit(text[0]) || text.find('_') != std::string_view::npos) return false;
  if (text.size() > 1 && text[0] == '0' && is_digit(text[1])) return false;
  auto point = text.find('.');
  if (point != std::string_view::npos && (point + 1 >= text.size() || !is_digit(text[point + 1]))) return false;
  return has_float_shape(text);
}

// Octals in CUE's notation; everything else as it is.
std::string as_literal(std::string_view text) {
  std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  if (text.size() > sign + 1 && text[sign] == '0' && is_digit(text[sign + 1])) {
    return fmt::format("{}0o{}", text.substr(0, sign), text.substr(sign + 1));
  }
  return std::string(text);
}

bool is_time_character(char c) {
  return is_digit(c) || c == '-' || c == '+' || c == ':' || c == '.' || c == ' ' || c == '\t';
}

// Dates, times and sexagesimal numbers, and whatever looks like one.
bool looks_like_time(std::string_view text) {
  if (text.ends_with('z') || text.ends_with('Z')) text.remove_suffix(1);
  if (text.size() < 3) return false;
  bool has_separator = false;
  std::size_t letters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool inside = i > 0 && i + 1 < text.size();
    if (text[i] == 't' || text[i] == 'T') {
      if (!inside || ++letters > 1) return false;
    } else if (!is_time_character(text[i])) {
      return false;
    } else if (inside && (text[i] == '-' || text[i] == ':')) {
      has_separator = true;
    }
  }
  return letters == 1 || has_separator;
}

bool looks_like_hex(std::string_view text) {
  return text.size() > 2 && text.starts_with("0x") && std::all_of(text.begin() + 2, text.end(), is_hex_digit);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& character : lower) {
    if (character >= 'A' && character <= 'Z') character = static_cast<char>(character | 0x20);
  }
  return lower;
}

// Numbers of any size in any notation that some reader knows.
bool looks_like_number(std::string_view text) {
  std::string plain = without_underscores(text);
  if (has_float_shape(plain)) return true;
  std::string_view digits = plain;
  if (digits.starts_with('-') || digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.size() < 3 || digits[0] != '0') return false;
  char letter = static_cast<char>(digits[1] | 0x20);
  if (letter != 'x' && letter != 'o' && letter != 'b') return false;
  return std::all_of(digits.begin() + 2, digits.end(), is_hex_digit);
}

}  // namespace

YamlKind resolve_yaml_plain(std::string_view text) {
  if (text.empty()) return YamlKind::null;
  switch (text[0]) {
    case '~':
    case 'n':
    case 'N':
      return contains(kNulls, text) ? YamlKind::null : YamlKind::string;
    case 't':
    case 'T':
    case 'f':
    case 'F':
      return contains(kBooleans, text) ? YamlKind::boolean : YamlKind::string;
    case '<':
      return text == "<<" ? YamlKind::merge : YamlKind::string;
    case '.':
      if (contains(kNotFinite, text)) return YamlKind::not_finite;
      return is_float(text) ? YamlKind::floating : YamlKind::string;
    default:
      break;
  }
  if (!is_digit(text[0]) && text[0] != '+' && text[0] != '-') return YamlKind::string;
  if (contains(kNotFinite, text)) return YamlKind::not_finite;
  std::string plain = without_underscores(text);
  if (is_integer(plain)) return YamlKind::integer;
  if (!is_float(plain)) return YamlKind::string;
  return has_leading_zero(text) ? YamlKind::false_octal : YamlKind::floating;
}

std::expected<NumberText, std::string> read_yaml_number(std::string_view text, YamlKind kind) {
  if (is_json_number(text)) {
    bool is_integer = text.find_first_of(".eE") == std::string_view::npos;
    if (is_integer || kind == YamlKind::floating) return NumberText{std::string(text), is_integer};
  }
  base::Arena arena;
  std::string plain = without_underscores(text);
  bool is_decimal = has_float_shape(plain) && plain.find_first_of(".eE") != std::string::npos;
  auto number = is_decimal ? base::Number::parse_decimal(arena, plain)
                           : base::Number::parse_literal(arena, as_literal(plain));
  if (!number || (kind == YamlKind::integer && number->is_float())) {
    return std::unexpected(
        fmt::format("cannot decode \"{}\" as {}", text, kind == YamlKind::integer ? "!!int" : "!!float"));
  }
  return NumberText{number->text(base::NumberStyle::cue), number->is_int()};
}

std::string yaml_number_key(std::string_view text) { return as_literal(text); }

bool is_yaml_legacy(std::string_view text) {
  return contains(kLegacyWords, text) || looks_like_time(text) || looks_like_hex(text);
}

bool is_yaml_ambiguous(std::string_view text) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "t", "f", "<<", "=", ".inf", "+.inf",
       "-.inf", ".nan"});
  constexpr std::size_t kLongestWord = 5;
  if (text.size() <= kLongestWord && contains(kWords, lower_case(text))) return true;
  char first = text[0];
  if (!is_digit(first) && first != '+' && first != '-' && first != '.') return false;
  return looks_like_time(text) || looks_like_number(text);
}

}  // namespace opm::data
