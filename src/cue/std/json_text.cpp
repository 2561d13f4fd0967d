#include "cue/std/json_text.h"

#include <fmt/core.h>

#include <optional>

#include "cue/std/byte_encoding.h"

namespace opm::cue::standard::json {
namespace {

constexpr std::size_t kMaxDepth = 10'000;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

enum class Token { begin_object, end_object, begin_array, end_array, colon, comma, string, number, word };

// Walks over one value with a stack of its own, and tells of each token.
class Scanner {
 public:
  Scanner(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  // On failure error() says why. Stops behind the value.
  template <typename Tell>
  bool value(Tell tell) {
    std::string open;  // { and [
    bool wants_value = true, may_close = false;
    do {
      skip_space();
      if (at_ == text_.size()) return fail_at_end();
      char c = text_[at_];
      std::size_t start = at_;
      auto told = [&](Token token) { tell(token, text_.substr(start, at_ - start)); };
      if (wants_value) {
        if (may_close && c == ']' && open.back() == '[') {
          ++at_;
          told(Token::end_array);
          open.pop_back();
          wants_value = may_close = false;
          continue;
        }
        may_close = false;
        if (c == '{' || c == '[') {
          if (open.size() == kMaxDepth) return fail("exceeded max depth");
          ++at_;
          open += c;
          told(c == '{' ? Token::begin_object : Token::begin_array);
          if (c == '[') {
            may_close = true;
            continue;
          }
          skip_space();
          if (at_ < text_.size() && text_[at_] == '}') {
            start = at_++;
            told(Token::end_object);
            open.pop_back();
            wants_value = false;
            continue;
          }
          if (!key(tell, "looking for beginning of object key string")) return false;
          continue;
        }
        if (!scalar(c)) return false;
        told(c == '"' ? Token::string : is_digit(c) || c == '-' ? Token::number : Token::word);
        wants_value = false;
        continue;
      }
      // Behind a value, inside of something.
      bool in_object = open.back() == '{';
      if (c == ',') {
        ++at_;
        told(Token::comma);
        if (in_object) {
          if (!key(tell, "looking for beginning of object key string")) return false;
        }
        wants_value = true;
      } else if (c == (in_object ? '}' : ']')) {
        ++at_;
        told(in_object ? Token::end_object : Token::end_array);
        open.pop_back();
      } else {
        return unexpected(in_object ? "after object key:value pair" : "after array element");
      }
    } while (wants_value || !open.empty());
    return true;
  }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  std::size_t position() const { return at_; }
  bool at_end() const { return at_ == text_.size(); }
  const std::string& error() const { return error_; }
  bool unexpected(std::string_view where) {
    if (at_ >= text_.size()) return fail_at_end();
    char c = text_[at_];
    std::string shown = c == '\'' ? "'\\''" : c == '"' ? "'\"'" : fmt::format("'{}'", c);
    if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) >= 0x7F) {
      shown = fmt::format("'\\x{:02x}'", static_cast<unsigned char>(c));
    }
    return fail(fmt::format("invalid character {} {}", shown, where));
  }

 private:
  bool fail(std::string why) {
    error_ = std::move(why);
    return false;
  }
  bool fail_at_end() { return fail("unexpected end of JSON input"); }

  template <typename Tell>
  bool key(Tell tell, std::string_view where) {
    skip_space();
    std::size_t start = at_;
    if (at_ == text_.size() || text_[at_] != '"') return unexpected(where);
    if (!string()) return false;
    tell(Token::string, text_.substr(start, at_ - start));
    skip_space();
    if (at_ == text_.size() || text_[at_] != ':') return unexpected("after object key");
    ++at_;
    tell(Token::colon, ":");
    return true;
  }

  bool scalar(char c) {
    if (c == '"') return string();
    if (c == '-' || is_digit(c)) return number();
    for (std::string_view word : {"true", "false", "null"}) {
      if (c != word[0]) continue;
      for (std::size_t i = 0; i < word.size(); ++i, ++at_) {
        if (at_ == text_.size()) return fail_at_end();
        if (text_[at_] != word[i]) return unexpected(fmt::format("in literal {} (expecting '{}')", word, word[i]));
      }
      return true;
    }
    return unexpected("looking for beginning of value");
  }

  bool string() {
    for (++at_; at_ < text_.size(); ++at_) {
      char c = text_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (static_cast<unsigned char>(c) < ' ') return unexpected("in string literal");
      if (c != '\\') continue;
      if (++at_ == text_.size()) break;
      if (text_[at_] == 'u') {
        for (int i = 0; i < 4; ++i) {
          if (++at_ == text_.size()) return fail_at_end();
          if (encoding::digit(text_[at_]) < 0) return unexpected("in \\u hexadecimal character escape");
        }
      } else if (std::string_view("\"\\/bfnrt").find(text_[at_]) == std::string_view::npos) {
        return unexpected("in string escape code");
      }
    }
    return fail_at_end();
  }

  bool digits(std::string_view where) {
    if (at_ == text_.size() || !is_digit(text_[at_])) return unexpected(where);
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    return true;
  }

  bool number() {
    if (text_[at_] == '-') ++at_;
    if (at_ < text_.size() && text_[at_] == '0') {
      ++at_;
    } else if (!digits("in numeric literal")) {
      return false;
    }
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      if (!digits("after decimal point in numeric literal")) return false;
    }
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      if (!digits("in exponent of numeric literal")) return false;
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_;
  std::string error_;
};

// One value and nothing else.
template <typename Tell>
std::optional<std::string> scan(std::string_view text, Tell tell) {
  Scanner scanner(text, 0);
  if (!scanner.value(tell)) return scanner.error();
  scanner.skip_space();
  if (scanner.at_end()) return std::nullopt;
  scanner.unexpected("after top-level value");
  return scanner.error();
}

}  // namespace

bool is_valid(std::string_view text) {
  return !scan(text, [](Token, std::string_view) {}).has_value();
}

Result<std::string> compact(std::string_view text) {
  std::string out;
  auto error = scan(text, [&](Token, std::string_view token) { out += token; });
  if (error) return wrong(*error);
  return out;
}

Result<std::string> indented(std::string_view text, std::string_view prefix, std::string_view indent) {
  std::string out;
  std::size_t depth = 0;
  bool too_long = false, is_empty = false;
  auto new_line = [&] {
    too_long = too_long || out.size() + prefix.size() + depth * indent.size() > kMaxResultBytes;
    if (too_long) return;
    out += '\n';
    out += prefix;
    for (std::size_t i = 0; i < depth; ++i) out += indent;
  };
  auto error = scan(text, [&](Token token, std::string_view part) {
    bool ends = token == Token::end_object || token == Token::end_array;
    if (is_empty && !ends) {
      ++depth;
      new_line();
    }
    if (ends && !is_empty) {
      --depth;
      new_line();
    }
    is_empty = token == Token::begin_object || token == Token::begin_array;
    out += part;
    if (token == Token::comma) new_line();
    if (token == Token::colon) out += ' ';
  });
  if (error) return wrong(*error);
  if (too_long) return wrong("result is too long");
  // White space behind the value is kept.
  std::size_t end = text.find_last_not_of(" \t\r\n");
  out += text.substr(end + 1);
  return out;
}

std::string escape_html(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '<' || c == '>' || c == '&') {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
    } else if (text.substr(i, 3) == "\u2028" || text.substr(i, 3) == "\u2029") {
      out += text.substr(i, 3) == "\u2028" ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += c;
    }
  }
  return out;
}

Result<std::vector<std::string_view>> split_stream(std::string_view text) {
  std::vector<std::string_view> values;
  Scanner scanner(text, 0);
  for (;;) {
    scanner.skip_space();
    if (scanner.at_end()) return values;
    std::size_t start = scanner.position();
    if (!scanner.value([](Token, std::string_view) {})) return wrong(scanner.error());
    values.push_back(text.substr(start, scanner.position() - start));
  }
}

}  // namespace opm::cue::standard::json
