#include "cue/std/conversion.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>

#include "base/unicode.h"

namespace opm::cue::standard::conversion {
namespace {

constexpr const char* kSyntax = "invalid syntax";
constexpr const char* kRange = "value out of range";

std::string failure(std::string_view function, std::string_view text, std::string_view reason) {
  return fmt::format("strconv.{}: parsing {}: {}", function, quote_text(text, Quoting::plain), reason);
}

bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool is_hexadecimal(char c) { return is_decimal(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool equals_ignoring_case(std::string_view text, std::string_view lower_case) {
  if (text.size() != lower_case.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (lower(text[i]) != lower_case[i]) return false;
  }
  return true;
}

// An underscore stands between two digits, or between a base prefix and a digit.
bool underscores_are_well_placed(std::string_view digits, bool after_prefix) {
  char previous = after_prefix ? '0' : '!';
  for (char c : digits) {
    if (c == '_') {
      if (!is_hexadecimal(previous)) return false;
    } else if (previous == '_' && !is_hexadecimal(c)) {
      return false;
    }
    previous = c;
  }
  return previous != '_';
}

// Checks the notation of a finite float and takes its underscores out.
bool clean_float(std::string_view text, std::string& out) {
  std::size_t i = 0;
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) out += text[i++];
  bool is_hex = text.size() >= i + 2 && text[i] == '0' && lower(text[i + 1]) == 'x';
  if (is_hex) {
    out += "0x";
    i += 2;
  }
  if (!underscores_are_well_placed(text.substr(i), is_hex)) return false;
  std::size_t digits = 0;
  bool seen_point = false;
  for (; i < text.size(); ++i) {
    char c = text[i];
    if (c == '_') continue;
    if (c == '.' && !seen_point) {
      seen_point = true;
    } else if (is_hex ? is_hexadecimal(c) : is_decimal(c)) {
      ++digits;
    } else {
      break;
    }
    out += c;
  }
  if (digits == 0) return false;
  if (i == text.size()) return !is_hex;  // a hexadecimal float needs its exponent
  if (lower(text[i]) != (is_hex ? 'p' : 'e')) return false;
  out += text[i++];
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) out += text[i++];
  if (i == text.size() || !is_decimal(text[i])) return false;
  for (; i < text.size(); ++i) {
    if (text[i] == '_') continue;
    if (!is_decimal(text[i])) return false;
    out += text[i];
  }
  return true;
}

int digit_value(char c, std::int64_t base) {
  if (is_decimal(c)) return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + (base <= 36 ? 10 : 36);
  return 99;
}

// Digits beyond 9 the way GMP wants them: A to Z first where both cases count.
char digit_for_gmp(char c, std::int64_t base) {
  if (base <= 36 || is_decimal(c)) return c;
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : static_cast<char>(c + 32);
}

Result<Integer> parse_whole(std::string_view function, std::string_view text, std::int64_t base) {
  if (base != 0 && (base < 2 || base > 62)) return wrong(fmt::format("invalid number base {}", base));
  std::string_view digits = text;
  bool negative = false;
  if (!digits.empty() && (digits[0] == '+' || digits[0] == '-')) {
    negative = digits[0] == '-';
    digits.remove_prefix(1);
  }
  bool by_prefix = base == 0;
  bool has_prefix = false;
  if (by_prefix) {
    base = 10;
    if (digits.size() > 1 && digits[0] == '0') {
      has_prefix = true;
      switch (lower(digits[1])) {
        case 'x': base = 16; break;
        case 'b': base = 2; break;
        case 'o': base = 8; break;
        default: base = 8;
      }
      digits.remove_prefix(is_decimal(digits[1]) || digits[1] == '_' ? 1 : 2);
    }
    if (!underscores_are_well_placed(digits, has_prefix)) return wrong(failure(function, text, kSyntax));
  }
  std::string clean;
  clean.reserve(digits.size());
  for (char c : digits) {
    if (c == '_' && by_prefix) continue;
    if (digit_value(c, base) >= base) return wrong(failure(function, text, kSyntax));
    clean += digit_for_gmp(c, base);
  }
  if (clean.empty() || clean.size() > base::Number::kMaxDigits) return wrong(failure(function, text, kSyntax));
  Integer result;
  mpz_set_str(result, clean.c_str(), static_cast<int>(base));
  if (negative) mpz_neg(result, result);
  return result;
}

Result<Integer> parse_signed(std::string_view function, std::string_view text, std::int64_t base, std::int64_t bits) {
  if (bits < 0) return wrong(failure(function, text, kRange));
  Result<Integer> value = parse_whole(function, text, base);
  if (!value || bits == 0) return value;
  // The least number has as many bits as its magnitude less one.
  Integer magnitude = *value;
  if (value->sign() < 0) mpz_add_ui(magnitude, magnitude, 1);
  if (static_cast<std::int64_t>(magnitude.bit_length()) > bits - 1) return wrong(failure(function, text, kRange));
  return value;
}

// What CUE says of text that is no number literal.
std::string number_complaint(std::string_view text) {
  std::string quoted = quote_text(text, Quoting::plain);
  if (text.empty()) return fmt::format("invalid number {}", quoted);
  std::string_view rest = text;
  if (rest[0] == '-' || rest[0] == '+') rest.remove_prefix(1);
  auto take_digits = [&](int base) {
    bool any = false;
    bool misplaced = false;
    char previous = 0;
    while (!rest.empty() && (rest[0] == '_' || digit_value(rest[0], 16) < base)) {
      if (rest[0] == '_' && previous == '_') misplaced = true;
      any |= rest[0] != '_';
      previous = rest[0];
      rest.remove_prefix(1);
    }
    return std::pair(any, misplaced || previous == '_');
  };
  constexpr const char* kUnderscore = "illegal '_' in number";
  if (rest.size() > 1 && rest[0] == '0' && (lower(rest[1]) == 'x' || rest[1] == 'b' || rest[1] == 'o')) {
    int base = lower(rest[1]) == 'x' ? 16 : rest[1] == 'b' ? 2 : 8;
    rest.remove_prefix(2);
    auto [any, misplaced] = take_digits(base);
    const char* name = base == 16 ? "hexadecimal" : base == 2 ? "binary" : "octal";
    if (!any) return fmt::format("illegal {} number {}", name, quoted);
    return misplaced && rest.empty() ? kUnderscore : fmt::format("illegal number {}", quoted);
  }
  if (!rest.empty() && rest[0] == '.') {
    rest.remove_prefix(1);
    if (!take_digits(10).first) return fmt::format("illegal fraction {}", quoted);
  } else {
    bool leading_zero = !rest.empty() && rest[0] == '0';
    std::size_t before = rest.size();
    auto [any, misplaced] = take_digits(10);
    if (!any) return fmt::format("illegal number start {}", quoted);
    if (misplaced && rest.empty()) return kUnderscore;
    bool is_float = !rest.empty() && (rest[0] == '.' || lower(rest[0]) == 'e');
    if (leading_zero && before - rest.size() > 1 && !is_float) return fmt::format("illegal integer number {}", quoted);
    if (!rest.empty() && rest[0] == '.') {
      rest.remove_prefix(1);
      take_digits(10);
    }
  }
  if (!rest.empty() && lower(rest[0]) == 'e') {
    rest.remove_prefix(1);
    if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) rest.remove_prefix(1);
    if (!take_digits(10).first) return fmt::format("illegal exponent {}", quoted);
  }
  return fmt::format("illegal number {}", quoted);
}

// The decimal digits of a positive float without trailing zeros, d1 d2 d3…, and the
// place of the point: the value is 0.d1d2d3… x 10^point.
struct Digits {
  std::string digits;
  int point = 0;
};

Digits digits_of(std::string_view scientific) {
  Digits result;
  std::size_t at = scientific.find('e');
  for (char c : scientific.substr(0, at)) {
    if (is_decimal(c)) result.digits += c;
  }
  result.point = std::atoi(std::string(scientific.substr(at + 1)).c_str()) + 1;
  while (result.digits.size() > 1 && result.digits.back() == '0') result.digits.pop_back();
  if (result.digits == "0") result = {"", 0};
  return result;
}

std::string scientific(double value, bool is_short, int precision) {
  // Shortest for a float of 32 bits is not the shortest for the same value in 64.
  if (precision < 0) return is_short ? fmt::format("{:e}", static_cast<float>(value)) : fmt::format("{:e}", value);
  return fmt::format("{:.{}e}", value, precision);
}

Digits shortest_digits(double value, bool is_short) {
  // "{}" of fmt gives the fewest digits; its notation varies, so only digits and scale are taken.
  std::string text = is_short ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  std::string mantissa = text;
  int exponent = 0;
  if (std::size_t at = text.find('e'); at != std::string::npos) {
    mantissa = text.substr(0, at);
    exponent = std::atoi(text.c_str() + at + 1);
  }
  std::size_t point = mantissa.find('.');
  if (point == std::string::npos) {
    point = mantissa.size();
  } else {
    mantissa.erase(point, 1);
  }
  Digits result;
  result.point = static_cast<int>(point) + exponent;
  std::size_t first = mantissa.find_first_not_of('0');
  if (first == std::string::npos) return {"", 0};
  result.point -= static_cast<int>(first);
  result.digits = mantissa.substr(first);
  while (result.digits.back() == '0') result.digits.pop_back();
  return result;
}

void append_exponent(std::string& out, int exponent) { fmt::format_to(std::back_inserter(out), "{:+03d}", exponent); }

// d.ddd e±dd with `precision` digits behind the point.
std::string in_e(const Digits& number, int precision, char letter) {
  std::string out;
  out += number.digits.empty() ? '0' : number.digits[0];
  if (precision > 0) {
    out += '.';
    std::string rest = number.digits.empty() ? "" : number.digits.substr(1);
    rest.resize(static_cast<std::size_t>(precision), '0');
    out += rest;
  }
  out += letter;
  append_exponent(out, number.digits.empty() ? 0 : number.point - 1);
  return out;
}

std::string in_f(const Digits& number, int precision) {
  std::string out;
  for (int i = 0; i < number.point; ++i) out += static_cast<std::size_t>(i) < number.digits.size() ? number.digits[i] : '0';
  if (number.point <= 0) out += '0';
  if (precision > 0) {
    out += '.';
    for (int i = 0; i < precision; ++i) {
      int at = number.point + i;
      out += at >= 0 && static_cast<std::size_t>(at) < number.digits.size() ? number.digits[at] : '0';
    }
  }
  return out;
}

std::string in_g(const Digits& number, int precision, bool is_shortest, char letter) {
  int count = static_cast<int>(number.digits.size());
  int limit = precision;
  if (limit > count && count >= number.point) limit = count;
  if (is_shortest) limit = 6;
  int exponent = number.point - 1;
  if (exponent < -4 || exponent >= limit) return in_e(number, std::min(precision, count) - 1, letter);
  return in_f(number, std::max(count - number.point, 0));
}

// 0x1.hhhp±dd
std::string in_hexadecimal(double value, int precision, bool is_upper) {
  int exponent = 0;
  double mantissa = value == 0 ? 0 : std::frexp(value, &exponent) * 2;  // 1 <= mantissa < 2
  if (value != 0) --exponent;
  std::string text = precision < 0 ? fmt::format("{:a}", mantissa) : fmt::format("{:.{}a}", mantissa, precision);
  std::size_t at = text.find('p');
  exponent += std::atoi(text.c_str() + at + 1);
  text.resize(at);
  // Rounding may have carried into the first digit.
  if (text.size() > 2 && text[2] == '2') {
    text[2] = '1';
    ++exponent;
  }
  text += 'p';
  append_exponent(text, exponent);
  if (is_upper) {
    for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  }
  return text;
}

// The mantissa as a whole number, times a power of two.
std::string in_binary(double value, bool is_short) {
  int width = is_short ? 24 : 53;
  int least = is_short ? -149 : -1074;
  int exponent = 0;
  double fraction = std::frexp(value, &exponent);
  exponent -= width;
  if (value == 0 || exponent < least) {
    fraction = std::ldexp(value, -least - width);
    exponent = least;
  }
  return fmt::format("{:.0f}p{:+d}", std::ldexp(fraction, width), exponent);
}

void append_escaped(std::string& out, char32_t character, char mark, Quoting quoting) {
  if (character == static_cast<char32_t>(mark) || character == '\\') {
    out += '\\';
    out += static_cast<char>(character);
    return;
  }
  bool shown = quoting == Quoting::ascii     ? character < 0x80 && base::is_printable(character)
               : quoting == Quoting::graphic ? is_graphic(character)
                                             : base::is_printable(character);
  if (shown) {
    base::append_utf8(out, character);
    return;
  }
  switch (character) {
    case '\a': out += "\\a"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    case '\v': out += "\\v"; return;
    default: break;
  }
  std::uint32_t code = character;
  if (code < ' ' || code == 0x7F) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", code);
  } else if (code < 0x10000) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
  } else {
    fmt::format_to(std::back_inserter(out), "\\U{:08x}", code);
  }
}

}  // namespace

Result<bool> parse_bool(std::string_view text) {
  for (std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (text == yes) return true;
  }
  for (std::string_view no : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (text == no) return false;
  }
  return wrong(failure("ParseBool", text, kSyntax));
}

std::string format_bool(bool value) { return value ? "true" : "false"; }

Result<double> parse_float(std::string_view text, std::int64_t bits) {
  std::string_view name = text;
  bool negative = name.starts_with('-');
  if (name.starts_with('+') || negative) name.remove_prefix(1);
  if (equals_ignoring_case(name, "inf") || equals_ignoring_case(name, "infinity")) return negative ? -INFINITY : INFINITY;
  if (equals_ignoring_case(text, "nan")) return NAN;
  std::string clean;
  if (!clean_float(text, clean)) return wrong(failure("ParseFloat", text, kSyntax));
  double value = bits == 32 ? static_cast<double>(std::strtof(clean.c_str(), nullptr)) : std::strtod(clean.c_str(), nullptr);
  if (std::isinf(value)) return wrong(failure("ParseFloat", text, kRange));
  return value;
}

Result<Decimal> parse_number(base::Arena& arena, std::string_view text) {
  auto number = base::Number::parse_literal(arena, text);
  if (!number) return wrong(failure("ParseNumber", text, number_complaint(text)));
  return Decimal{*number};
}

Result<Integer> parse_int(std::string_view text, std::int64_t base, std::int64_t bits) {
  return parse_signed("ParseInt", text, base, bits);
}

Result<Integer> parse_uint(std::string_view text, std::int64_t base, std::int64_t bits) {
  if (bits < 0) return wrong(failure("ParseUint", text, kRange));
  Result<Integer> value = parse_whole("ParseUint", text, base);
  if (!value) return value;
  bool fits = value->sign() >= 0 && (bits == 0 || static_cast<std::int64_t>(value->bit_length()) <= bits);
  if (!fits) return wrong(failure("ParseUint", text, kRange));
  return value;
}

Result<Integer> parse_decimal_int(std::string_view text) { return parse_signed("Atoi", text, 10, 0); }

Result<std::string> format_float(double value, char format, std::int64_t precision, std::int64_t bits) {
  if (bits != 32 && bits != 64) return wrong("strconv: illegal AppendFloat/FormatFloat bitSize");
  if (precision > 1'000'000) return wrong(fmt::format("precision {} exceeds limit of 1000000", precision));
  bool is_short = bits == 32;
  if (is_short) value = static_cast<double>(static_cast<float>(value));
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Inf" : "+Inf";
  std::string sign = std::signbit(value) ? "-" : "";
  double size = std::fabs(value);
  int wanted = precision < 0 ? -1 : static_cast<int>(precision);
  bool is_shortest = wanted < 0;
  switch (format) {
    case 'e':
    case 'E': {
      Digits number = is_shortest ? shortest_digits(size, is_short) : digits_of(scientific(size, is_short, wanted));
      return sign + in_e(number, is_shortest ? std::max(static_cast<int>(number.digits.size()) - 1, 0) : wanted, format);
    }
    case 'f': {
      if (!is_shortest) return sign + fmt::format("{:.{}f}", size, wanted);
      Digits number = shortest_digits(size, is_short);
      return sign + in_f(number, std::max(static_cast<int>(number.digits.size()) - number.point, 0));
    }
    case 'g':
    case 'G': {
      if (wanted == 0) wanted = 1;
      Digits number = is_shortest ? shortest_digits(size, is_short) : digits_of(scientific(size, is_short, wanted - 1));
      if (is_shortest) wanted = static_cast<int>(number.digits.size());
      return sign + in_g(number, wanted, is_shortest, format == 'g' ? 'e' : 'E');
    }
    case 'x':
    case 'X': return sign + in_hexadecimal(size, wanted, format == 'X');
    case 'b': return sign + in_binary(size, is_short);
    default: return std::string{'%', format};
  }
}

Result<std::string> format_int(Integer value, std::int64_t base) {
  if (base < 2 || base > 62) return wrong("invalid base");
  std::string text(mpz_sizeinbase(value, static_cast<int>(base)) + 2, '\0');
  mpz_get_str(text.data(), static_cast<int>(base), value);
  text.resize(text.find('\0'));
  if (base > 36) {
    for (char& c : text) {
      if (c >= 'a' && c <= 'z') {
        c = static_cast<char>(c - 32);
      } else if (c >= 'A' && c <= 'Z') {
        c = static_cast<char>(c + 32);
      }
    }
  }
  return text;
}

std::string quote_text(std::string_view text, Quoting quoting) {
  std::string out = "\"";
  while (!text.empty()) {
    auto character = base::decode_utf8(text);
    if (character.valid) {
      append_escaped(out, character.value, '"', quoting);
    } else {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(text[0]));
    }
    text.remove_prefix(character.size);
  }
  out += '"';
  return out;
}

std::string quote_character(char32_t character, Quoting quoting) {
  if (character > base::kLastCharacter || (character >= 0xD800 && character < 0xE000)) character = base::kReplacementCharacter;
  std::string out = "'";
  append_escaped(out, character, '\'', quoting);
  out += '\'';
  return out;
}

bool is_graphic(char32_t character) {
  if (base::is_printable(character)) return true;
  switch (character) {
    case 0xA0: case 0x1680: case 0x202F: case 0x205F: case 0x3000: return true;
    default: return character >= 0x2000 && character <= 0x200A;
  }
}

}  // namespace opm::cue::standard::conversion
