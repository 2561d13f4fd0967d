// Numbers from text and back: literals of CUE, decimals of JSON and YAML, and the three
// ways that CUE prints a number.
#include <array>
#include <charconv>
#include <cstring>

#include "base/number_internal.h"

namespace opm::base {

namespace {

// Decimals of this many digits fit in 64 bits, whatever the digits are.
constexpr std::size_t kSmallDigits = 18;
// Zeros of more decimals than this are printed with an exponent.
constexpr std::int32_t kLongestZero = 2000;
constexpr std::int64_t kSmallestPlainExponent = -6;
constexpr std::string_view kUnits = "KMGTP";

struct Scanned {
  std::string digits;  // without separators and point
  std::int64_t exponent = 0;
  bool is_float = false;
};

int digit_value(char character) {
  if (character >= '0' && character <= '9') return character - '0';
  if (character >= 'a' && character <= 'f') return character - 'a' + 10;
  if (character >= 'A' && character <= 'F') return character - 'A' + 10;
  return 16;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip() { ++at_; }
  bool at_end() const { return at_ >= text_.size(); }
  bool accept(char character) {
    if (at_end() || text_[at_] != character) return false;
    ++at_;
    return true;
  }
  bool malformed() const { return malformed_; }

  // Appends the digits to `out`; separators stand alone and not at the end. Returns how many digits there were.
  std::size_t digits(std::string& out, int base, bool separators) {
    std::size_t before = out.size();
    bool after_separator = false;
    for (; !at_end(); ++at_) {
      char character = text_[at_];
      if (separators && character == '_') {
        malformed_ |= after_separator;
        after_separator = true;
      } else if (digit_value(character) < base) {
        out.push_back(character);
        after_separator = false;
      } else {
        break;
      }
    }
    malformed_ |= after_separator;
    return out.size() - before;
  }

  // The exponent behind `e`, held at a size that no number may have when it is larger.
  bool exponent(std::int64_t& out, bool separators) {
    bool negative = accept('-');
    if (!negative) accept('+');
    std::string text;
    if (digits(text, 10, separators) == 0) return false;
    std::int64_t value = 0;
    for (char character : text) {
      value = value * 10 + (character - '0');
      if (value > 4 * std::int64_t{Number::kMaxExponent}) value = 4 * std::int64_t{Number::kMaxExponent};
    }
    out = negative ? -value : value;
    return true;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  bool malformed_ = false;
};

bool exponent_in_range(std::int64_t exponent, std::size_t digits) {
  auto first = exponent + static_cast<std::int64_t>(digits) - 1;
  constexpr std::int64_t limit = Number::kMaxExponent;
  return exponent >= -limit && exponent <= limit && first >= -limit && first <= limit;
}

std::optional<Number> build(Arena& arena, std::string_view digits, int base, std::int64_t exponent, bool is_float,
                            bool negative) {
  std::size_t zeros = std::min(digits.find_first_not_of('0'), digits.size());
  digits.remove_prefix(zeros);
  if (digits.size() > Number::kMaxDigits) return std::nullopt;
  if (!exponent_in_range(exponent, digits.empty() ? 1 : digits.size())) return std::nullopt;
  if (base == 10 && digits.size() <= kSmallDigits) {
    std::int64_t small = 0;
    for (char character : digits) small = small * 10 + (character - '0');
    return NumberAccess::small(negative ? -small : small, exponent, is_float);
  }
  Integer value;
  mpz_set_str(value, std::string(digits).c_str(), base);
  if (negative) mpz_neg(value, value);
  if (!is_float) return Number::from_mpz(arena, value);
  return Number::float_from(arena, value, static_cast<std::int32_t>(exponent));
}

// K, M, G, T, P and their binary forms: the product must be an integer.
std::optional<Number> multiply_by_unit(Arena& arena, const Scanned& scanned, bool negative, char unit, bool binary) {
  std::int64_t factor = 1;
  for (std::size_t i = 0; i <= kUnits.find(unit); ++i) factor *= binary ? 1024 : 1000;
  auto number = build(arena, scanned.digits, 10, scanned.exponent, true, negative);
  if (!number) return std::nullopt;
  auto product = Number::multiply(arena, *number, Number::from_int(factor));
  if (!product) return std::nullopt;
  return product->as_int(arena);
}

// Most literals are a few digits.
std::optional<Number> parse_plain(std::string_view text) {
  bool has_leading_zero = text.size() > 1 && text.front() == '0';
  if (text.empty() || text.size() > kSmallDigits || has_leading_zero) return std::nullopt;
  std::int64_t value = 0;
  for (char character : text) {
    if (character < '0' || character > '9') return std::nullopt;
    value = value * 10 + (character - '0');
  }
  return Number::from_int(value);
}

}  // namespace

std::optional<Number> Number::parse_literal(Arena& arena, std::string_view text) {
  if (auto plain = parse_plain(text)) return plain;
  Scanner scanner(text);
  bool negative = scanner.accept('-');
  if (!negative) scanner.accept('+');
  if (scanner.peek() != '.' && digit_value(scanner.peek()) > 9) return std::nullopt;

  Scanned scanned;
  bool leading_zero = scanner.accept('0');
  if (leading_zero) {
    int base = 0;
    if (scanner.accept('x') || scanner.accept('X')) base = 16;
    else if (scanner.accept('b')) base = 2;
    else if (scanner.accept('o')) base = 8;
    if (base != 0) {
      if (scanner.digits(scanned.digits, base, true) == 0 || scanner.malformed() || !scanner.at_end()) {
        return std::nullopt;
      }
      return build(arena, scanned.digits, base, 0, false, negative);
    }
  }
  std::size_t whole = scanner.digits(scanned.digits, 10, true);
  std::size_t fraction = 0;
  if (scanner.accept('.')) {
    scanned.is_float = true;
    fraction = scanner.digits(scanned.digits, 10, true);
    scanned.exponent = -static_cast<std::int64_t>(fraction);
  }
  if (!leading_zero && whole + fraction == 0) return std::nullopt;
  if (scanner.peek() == 'e' || scanner.peek() == 'E') {
    scanner.skip();
    scanned.is_float = true;
    std::int64_t exponent = 0;
    if (!scanner.exponent(exponent, true)) return std::nullopt;
    scanned.exponent += exponent;
  } else if (!scanner.at_end() && kUnits.find(scanner.peek()) != std::string_view::npos) {
    char unit = scanner.peek();
    scanner.skip();
    bool binary = scanner.accept('i');
    if (leading_zero && whole > 0 && !scanned.is_float) return std::nullopt;
    if (scanner.malformed() || !scanner.at_end()) return std::nullopt;
    return multiply_by_unit(arena, scanned, negative, unit, binary);
  }
  // An integer other than 0 may not start with 0.
  if (leading_zero && whole > 0 && !scanned.is_float) return std::nullopt;
  if (scanner.malformed() || !scanner.at_end()) return std::nullopt;
  return build(arena, scanned.digits, 10, scanned.exponent, scanned.is_float, negative);
}

std::optional<Number> Number::parse_decimal(Arena& arena, std::string_view text) {
  Scanner scanner(text);
  bool negative = scanner.accept('-');
  if (!negative) scanner.accept('+');
  Scanned scanned;
  std::size_t count = scanner.digits(scanned.digits, 10, false);
  if (scanner.accept('.')) {
    scanned.is_float = true;
    std::size_t fraction = scanner.digits(scanned.digits, 10, false);
    scanned.exponent = -static_cast<std::int64_t>(fraction);
    count += fraction;
  }
  if (count == 0) return std::nullopt;
  if (scanner.peek() == 'e' || scanner.peek() == 'E') {
    scanner.skip();
    scanned.is_float = true;
    std::int64_t exponent = 0;
    if (!scanner.exponent(exponent, false)) return std::nullopt;
    scanned.exponent += exponent;
  }
  if (!scanner.at_end()) return std::nullopt;
  return build(arena, scanned.digits, 10, scanned.exponent, scanned.is_float, negative);
}

std::string Number::text(NumberStyle style) const {
  std::string digits;
  bool negative = sign() < 0 || is_negative_zero_;
  if (!is_big_) {
    std::array<char, 24> buffer;
    auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), small_);
    digits.assign(buffer.data(), written.ptr);
    if (small_ < 0) digits.erase(0, 1);
  } else {
    Integer value;
    coefficient(value);
    mpz_abs(value, value);
    digits.resize(mpz_sizeinbase(value, 10) + 2);
    mpz_get_str(digits.data(), 10, value);
    digits.resize(std::strlen(digits.c_str()));
  }

  std::string out;
  if (negative) out.push_back('-');
  std::int64_t exponent = exponent_;
  auto length = static_cast<std::int64_t>(digits.size());
  std::int64_t first = exponent + length - 1;  // exponent of the first digit
  bool plain_zero = is_zero() && exponent < 0 && exponent >= -kLongestZero;
  if (exponent <= 0 && (first >= kSmallestPlainExponent || plain_zero)) {
    if (exponent == 0) {
      out += digits;
      if (is_float_ && style == NumberStyle::cue) out += ".0";
      if (is_float_ && style == NumberStyle::yaml) out += ".";
      return out;
    }
    std::int64_t zeros = -exponent - length;
    if (zeros >= 0) {
      out += "0.";
      out.append(static_cast<std::size_t>(zeros), '0');
      out += digits;
    } else {
      out.append(digits, 0, static_cast<std::size_t>(-zeros));
      out.push_back('.');
      out.append(digits, static_cast<std::size_t>(-zeros));
    }
    return out;
  }
  out.push_back(digits[0]);
  if (digits.size() > 1) {
    out.push_back('.');
    out.append(digits, 1);
  }
  // In YAML an int with an exponent is rewritten in CUE's own notation.
  bool upper = style == NumberStyle::json || (style == NumberStyle::yaml && is_float_);
  out.push_back(upper ? 'E' : 'e');
  out.push_back(first < 0 ? '-' : '+');
  out += std::to_string(first < 0 ? -first : first);
  return out;
}

}  // namespace opm::base
