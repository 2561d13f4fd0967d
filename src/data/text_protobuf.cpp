#include "data/text_protobuf.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/unicode.h"

namespace opm::data {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '.';
}

class TextProtobufReader {
 public:
  TextProtobufReader(const diag::Source& source, const ReadLimits& limits)
      : source_(source), limits_(limits), text_(source.text) {}

  std::expected<Value, std::vector<diag::Diagnostic>> read() {
    Value message;
    if (text_.size() > limits_.max_bytes) fail(fmt::format("file is larger than {} bytes", limits_.max_bytes));
    else if (base::find_invalid_utf8(text_) != std::string_view::npos) fail("invalid UTF-8");
    else read_message(message, '\0', 0);
    if (problem_) return std::unexpected(std::vector{std::move(*problem_)});
    return message;
  }

 private:
  diag::Position position() const { return source_.begin.plus(static_cast<std::uint32_t>(at_)); }

  bool fail(std::string message) {
    problem_ = diag::Diagnostic{.code = "textproto-syntax", .message = "textproto: " + std::move(message),
                                .positions = {position()}};
    return false;
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool at_end() const { return at_ >= text_.size(); }

  void skip_space() {
    while (!at_end()) {
      if (peek() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
      else if (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
      else return;
    }
  }

  bool take(char c) {
    skip_space();
    if (at_end() || peek() != c) return false;
    ++at_;
    return true;
  }

  // `end`: what closes it; '\0' is the end of the text.
  bool read_message(Value& out, char end, unsigned depth) {
    if (depth > limits_.max_depth) return fail(fmt::format("nested more than {} levels deep", limits_.max_depth));
    Map map;
    std::unordered_map<std::string, std::size_t> places;
    out.position = position();
    for (;;) {
      skip_space();
      if (end == '\0' ? at_end() : take(end)) break;
      Member member;
      if (!read_name(member)) return false;
      bool has_colon = take(':');
      skip_space();
      if (!has_colon && peek() != '{' && peek() != '<') return fail("missing separator :");
      if (!read_value(member.value, depth + 1)) return false;
      if (!take(',')) take(';');
      auto [place, is_new] = places.try_emplace(member.key, map.size());
      if (is_new) map.push_back(std::move(member));
      else add(map[place->second].value, std::move(member.value));
    }
    out.variant = std::move(map);
    return true;
  }

  // One more of what was there already.
  static void add(Value& known, Value more) {
    if (!known.is_list()) {
      Value list;
      list.position = known.position;
      list.variant = List{std::move(known)};
      known = std::move(list);
    }
    if (more.is_list()) std::ranges::move(more.as_list(), std::back_inserter(known.as_list()));
    else known.as_list().push_back(std::move(more));
  }

  bool read_name(Member& member) {
    member.key_position = position();
    std::size_t begin = at_;
    if (peek() == '[') {  // an extension, or a type
      at_ = std::min(text_.find(']', at_), text_.size());
      if (at_end()) return fail("missing ]");
      member.key = text_.substr(begin, ++at_ - begin);
      return true;
    }
    while (is_name_character(peek())) ++at_;
    if (at_ == begin) return fail(at_end() ? "unexpected end" : fmt::format("invalid character '{}'", peek()));
    member.key = text_.substr(begin, at_ - begin);
    return true;
  }

  bool read_value(Value& out, unsigned depth) {
    skip_space();
    out.position = position();
    if (++nodes_ > limits_.max_nodes) return fail(fmt::format("more than {} values", limits_.max_nodes));
    if (take('{')) return read_message(out, '}', depth);
    if (take('<')) return read_message(out, '>', depth);
    if (take('[')) return read_list(out, depth);
    if (peek() == '"' || peek() == '\'') return read_text(out);
    std::size_t begin = at_;
    if (peek() == '-') ++at_;
    skip_space();
    std::size_t digits = at_;
    while (is_name_character(peek()) || ((peek() == '+' || peek() == '-') && (text_[at_ - 1] | 0x20) == 'e')) ++at_;
    std::string_view word = std::string_view(text_).substr(digits, at_ - digits);
    if (word.empty()) return fail(at_end() ? "unexpected end" : fmt::format("invalid character '{}'", peek()));
    if (is_digit(word[0]) || word[0] == '.') return read_number(out, text_[begin] == '-', word);
    if (word == "true" || word == "false") out.variant = word == "true";
    else out.variant = std::string(word);
    return true;
  }

  bool read_number(Value& out, bool is_negative, std::string_view word) {
    bool is_hex = word.starts_with("0x") || word.starts_with("0X");
    bool is_octal = word.size() > 1 && word[0] == '0' && std::ranges::all_of(word, is_digit);
    NumberText number;
    if (is_hex || is_octal) {
      unsigned long long value = 0;
      int base = is_hex ? 16 : 8;
      for (char c : word.substr(is_hex ? 2 : 1)) {
        int digit = is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10;
        if (digit < 0 || digit >= base || value > (~0ull - 15) / 16) return fail(fmt::format("invalid number {}", word));
        value = value * static_cast<unsigned>(base) + static_cast<unsigned>(digit);
      }
      number.text = std::to_string(value);
    } else {
      if ((word.back() | 0x20) == 'f') word.remove_suffix(1);
      number.is_integer = std::ranges::all_of(word, is_digit);
      number.text = word.starts_with('.') ? "0" + std::string(word) : std::string(word);
      if (number.text.ends_with('.')) number.text += "0";
      bool is_plain = number.text.find_first_not_of("0123456789.eE+-") == std::string::npos;
      if (!is_plain || std::ranges::count(number.text, '.') > 1) return fail(fmt::format("invalid number {}", word));
    }
    if (is_negative) number.text.insert(0, "-");
    out.variant = std::move(number);
    return true;
  }

  // Strings that stand beside each other are one.
  bool read_text(Value& out) {
    std::string text;
    while (peek() == '"' || peek() == '\'') {
      char quote = text_[at_++];
      while (peek() != quote) {
        if (at_end() || peek() == '\n') return fail("unterminated string");
        if (peek() != '\\') text += text_[at_++];
        else if (!read_escape(text)) return false;
      }
      ++at_;
      skip_space();
    }
    out.variant = std::move(text);
    return true;
  }

  bool read_escape(std::string& text) {
    ++at_;
    constexpr std::string_view kLetters = "\"'\\?abfnrtv";
    constexpr std::string_view kMeanings = "\"'\\?\a\b\f\n\r\t\v";
    char letter = peek();
    ++at_;
    if (std::size_t known = kLetters.find(letter); known != std::string_view::npos) {
      text += kMeanings[known];
      return true;
    }
    bool is_octal = letter >= '0' && letter <= '7';
    std::size_t most = is_octal ? 2 : letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
    if (most == 0) return fail("invalid escape");
    char32_t value = is_octal ? static_cast<char32_t>(letter - '0') : 0;
    std::size_t count = 0;
    for (; count < most; ++count, ++at_) {
      char c = peek();
      int digit = is_digit(c) ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : 99;
      if (digit >= (is_octal ? 8 : 16)) break;
      value = value * (is_octal ? 8 : 16) + static_cast<char32_t>(digit);
    }
    if (!is_octal && (count == 0 || (most > 2 && count < most))) return fail("invalid escape");
    if (most > 2) base::append_utf8(text, value);
    else text += static_cast<char>(value);
    return true;
  }

  bool read_list(Value& out, unsigned depth) {
    if (depth > limits_.max_depth) return fail(fmt::format("nested more than {} levels deep", limits_.max_depth));
    List list;
    while (!take(']')) {
      if (at_end()) return fail("missing ]");
      if (!read_value(list.emplace_back(), depth + 1)) return false;
      if (!take(',')) {
        if (!take(']')) return fail("missing ]");
        break;
      }
    }
    out.variant = std::move(list);
    return true;
  }

  const diag::Source& source_;
  const ReadLimits& limits_;
  const std::string& text_;
  std::size_t at_ = 0;
  std::size_t nodes_ = 0;
  std::optional<diag::Diagnostic> problem_;
};

}  // namespace

std::expected<Value, std::vector<diag::Diagnostic>> read_text_protobuf(const diag::Source& source,
                                                                       const ReadLimits& limits) {
  return TextProtobufReader(source, limits).read();
}

}  // namespace opm::data
