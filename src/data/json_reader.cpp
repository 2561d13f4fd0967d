// A reader of our own, because every value and key carries its position and numbers keep
// their text, which no JSON library gives in one pass.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/unicode.h"
#include "data/duplicates.h"
#include "data/json.h"

namespace opm::data {

namespace {

bool is_digit(char character) { return character >= '0' && character <= '9'; }

class JsonReader {
 public:
  JsonReader(const diag::Source& source, const ReadLimits& limits)
      : source_(source), limits_(limits), begin_(source.text.data()), at_(begin_), end_(begin_ + source.text.size()) {}

  std::expected<Value, std::vector<diag::Diagnostic>> read() {
    if (begin()) {
      if (auto value = read_document()) return std::move(*value);
    }
    return std::unexpected(std::vector{std::move(*diagnostic_)});
  }

  // The value at `offset`, which stands behind it afterwards.
  std::expected<std::optional<Value>, std::vector<diag::Diagnostic>> read_next(std::size_t& offset) {
    if (offset == 0 && !begin()) return std::unexpected(std::vector{std::move(*diagnostic_)});
    at_ = std::max(at_, begin_ + offset);
    skip_space();
    if (at_ == end_) return std::nullopt;
    Value value;
    if (!read_value(value, 0)) return std::unexpected(std::vector{std::move(*diagnostic_)});
    offset = static_cast<std::size_t>(at_ - begin_);
    return value;
  }

 private:
  bool begin() {
    if (source_.text.size() > limits_.max_bytes) {
      return fail("json-limit", fmt::format("file is larger than {} bytes", limits_.max_bytes));
    }
    if (base::find_invalid_utf8(source_.text) != std::string_view::npos) {
      std::size_t offset = base::find_invalid_utf8(source_.text);
      at_ = begin_ + (offset == std::string::npos ? 0 : offset);
      return fail("json-syntax", "invalid UTF-8");
    }
    if (source_.text.starts_with("\xEF\xBB\xBF")) at_ += 3;
    return true;
  }

  std::optional<Value> read_document() {
    Value value;
    if (!read_value(value, 0)) return std::nullopt;
    skip_space();
    if (at_ != end_) {
      fail_at_character("after top-level value");
      return std::nullopt;
    }
    return value;
  }

  // A source that is in no map, such as the answer of a server, has no positions to give.
  diag::Position position() const {
    return source_.begin.valid() ? source_.begin.plus(static_cast<std::uint32_t>(at_ - begin_)) : diag::Position{};
  }

  bool fail(std::string_view code, std::string message) {
    diagnostic_ = diag::Diagnostic{.code = std::string(code), .message = std::move(message), .positions = {position()}};
    return false;
  }

  bool fail_at_character(std::string_view context) {
    if (at_ >= end_) return fail("json-syntax", "unexpected end of JSON input");
    auto character = base::decode_utf8({at_, end_});
    std::string shown;
    if (character.value < 0x20) {
      shown = fmt::format("\\x{:02x}", static_cast<unsigned>(character.value));
    } else {
      shown.assign(at_, character.size);
    }
    return fail("json-syntax", fmt::format("invalid character '{}' {}", shown, context));
  }

  void skip_space() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
  }

  bool read_value(Value& out, unsigned depth) {
    skip_space();
    out.position = position();
    if (++nodes_ > limits_.max_nodes) {
      return fail("json-limit", fmt::format("more than {} values", limits_.max_nodes));
    }
    if (at_ >= end_) return fail("json-syntax", "unexpected end of JSON input");
    switch (*at_) {
      case '{':
      case '[':
        if (depth >= limits_.max_depth) {
          return fail("json-limit", fmt::format("nested more than {} levels deep", limits_.max_depth));
        }
        return *at_ == '{' ? read_map(out, depth + 1) : read_list(out, depth + 1);
      case '"': {
        std::string text;
        if (!read_string(text)) return false;
        out.variant = std::move(text);
        return true;
      }
      case 't':
        out.variant = true;
        return read_word("true");
      case 'f':
        out.variant = false;
        return read_word("false");
      case 'n':
        return read_word("null");
      default:
        return read_number(out);
    }
  }

  bool read_word(std::string_view word) {
    for (char expected : word) {
      if (at_ >= end_ || *at_ != expected) return fail_at_character(fmt::format("in literal {}", word));
      ++at_;
    }
    return true;
  }

  bool read_digits(std::string_view context) {
    if (at_ >= end_ || !is_digit(*at_)) return fail_at_character(context);
    while (at_ < end_ && is_digit(*at_)) ++at_;
    return true;
  }

  bool read_number(Value& out) {
    const char* start = at_;
    NumberText number;
    if (*at_ == '-') {
      ++at_;
      if (at_ >= end_ || !is_digit(*at_)) return fail_at_character("in numeric literal");
    }
    if (!is_digit(*at_)) return fail_at_character("looking for beginning of value");
    if (*at_ == '0') {
      ++at_;
    } else {
      while (at_ < end_ && is_digit(*at_)) ++at_;
    }
    if (at_ < end_ && *at_ == '.') {
      number.is_integer = false;
      ++at_;
      if (!read_digits("after decimal point in numeric literal")) return false;
    }
    if (at_ < end_ && (*at_ == 'e' || *at_ == 'E')) {
      number.is_integer = false;
      ++at_;
      if (at_ < end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      if (!read_digits("in exponent of numeric literal")) return false;
    }
    number.text.assign(start, at_);
    out.variant = std::move(number);
    return true;
  }

  bool read_string(std::string& out) {
    ++at_;
    const char* run = at_;
    while (at_ < end_) {
      auto byte = static_cast<unsigned char>(*at_);
      if (byte == '"') {
        out.append(run, at_);
        ++at_;
        return true;
      }
      if (byte < 0x20) return fail_at_character("in string literal");
      if (byte != '\\') {
        ++at_;
        continue;
      }
      out.append(run, at_);
      if (!read_escape(out)) return false;
      run = at_;
    }
    return fail("json-syntax", "unexpected end of JSON input");
  }

  bool read_escape(std::string& out) {
    ++at_;
    if (at_ >= end_) return fail("json-syntax", "unexpected end of JSON input");
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (auto letter = kLetters.find(*at_); letter != std::string_view::npos) {
      out.push_back(kMeanings[letter]);
      ++at_;
      return true;
    }
    if (*at_ != 'u') return fail_at_character("in string escape code");
    ++at_;
    char32_t character = 0;
    if (!read_hex(character)) return false;
    bool is_high = character >= 0xD800 && character < 0xDC00;
    if (is_high && end_ - at_ >= 6 && at_[0] == '\\' && at_[1] == 'u') {
      const char* before = at_;
      at_ += 2;
      char32_t low = 0;
      if (!read_hex(low)) return false;
      if (low >= 0xDC00 && low < 0xE000) {
        character = 0x10000 + ((character - 0xD800) << 10) + (low - 0xDC00);
      } else {
        at_ = before;
      }
    }
    base::append_utf8(out, character);  // a surrogate that stands alone becomes U+FFFD
    return true;
  }

  bool read_hex(char32_t& out) {
    for (int i = 0; i < 4; ++i, ++at_) {
      if (at_ >= end_) return fail("json-syntax", "unexpected end of JSON input");
      char character = *at_;
      char32_t digit = 0;
      if (is_digit(character)) {
        digit = static_cast<char32_t>(character - '0');
      } else if (character >= 'a' && character <= 'f') {
        digit = static_cast<char32_t>(character - 'a' + 10);
      } else if (character >= 'A' && character <= 'F') {
        digit = static_cast<char32_t>(character - 'A' + 10);
      } else {
        return fail_at_character("in \\u hexadecimal character escape");
      }
      out = out * 16 + digit;
    }
    return true;
  }

  bool read_list(Value& out, unsigned depth) {
    ++at_;
    List list;
    skip_space();
    if (at_ < end_ && *at_ == ']') {
      ++at_;
      out.variant = std::move(list);
      return true;
    }
    while (true) {
      if (!read_value(list.emplace_back(), depth)) return false;
      skip_space();
      if (at_ < end_ && *at_ == ',') {
        ++at_;
        continue;
      }
      if (at_ >= end_ || *at_ != ']') return fail_at_character("after array element");
      ++at_;
      out.variant = std::move(list);
      return true;
    }
  }

  bool read_map(Value& out, unsigned depth) {
    ++at_;
    Map map;
    skip_space();
    if (at_ < end_ && *at_ == '}') {
      ++at_;
      out.variant = std::move(map);
      return true;
    }
    while (true) {
      skip_space();
      if (at_ >= end_ || *at_ != '"') return fail_at_character("looking for beginning of object key string");
      Member& member = map.emplace_back();
      member.key_position = position();
      if (!read_string(member.key)) return false;
      skip_space();
      if (at_ >= end_ || *at_ != ':') return fail_at_character("after object key");
      ++at_;
      if (!read_value(member.value, depth)) return false;
      skip_space();
      if (at_ < end_ && *at_ == ',') {
        ++at_;
        continue;
      }
      if (at_ >= end_ || *at_ != '}') return fail_at_character("after object key:value pair");
      ++at_;
      break;
    }
    if (auto duplicate = find_duplicate(map)) {
      diagnostic_ = diag::Diagnostic{
          .code = "duplicate-key",
          .message = fmt::format("duplicate key \"{}\"", map[duplicate->first].key),
          .positions = {map[duplicate->first].key_position, map[duplicate->second].key_position},
      };
      return false;
    }
    out.variant = std::move(map);
    return true;
  }

  const diag::Source& source_;
  const ReadLimits& limits_;
  const char* begin_;
  const char* at_;
  const char* end_;
  std::size_t nodes_ = 0;
  std::optional<diag::Diagnostic> diagnostic_;
};

}  // namespace

std::expected<Value, std::vector<diag::Diagnostic>> read_json(const diag::Source& source, const ReadLimits& limits) {
  return JsonReader(source, limits).read();
}

std::expected<std::optional<Value>, std::vector<diag::Diagnostic>> read_json_next(const diag::Source& source,
                                                                                  std::size_t& offset,
                                                                                  const ReadLimits& limits) {
  return JsonReader(source, limits).read_next(offset);
}

}  // namespace opm::data
