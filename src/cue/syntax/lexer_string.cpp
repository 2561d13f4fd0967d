// The lexer's strings, their interpolations, and attributes.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "base/unicode.h"
#include "cue/syntax/digits.h"
#include "cue/syntax/lexer.h"

namespace opm::cue::syntax {

namespace {

constexpr std::array<bool, 256> make_string_stops() {
  std::array<bool, 256> stops{};
  stops['"'] = stops['\''] = stops['\\'] = stops['\n'] = stops[0] = true;
  return stops;
}
constexpr auto kStringStops = make_string_stops();

bool all_hashes(const char* at, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (at[i] != '#') return false;
  }
  return true;
}

}  // namespace

// One quote (behind `hashes` hashes) has been taken.
void Lexer::scan_quoted(LexedToken& token, const char* start, std::uint32_t hashes) {
  Quote quote;
  quote.character = cursor_[-1];
  quote.hashes = hashes;
  quote.start = offset_of(start);
  token.kind = Token::string;

  if (*cursor_ == quote.character) {
    bool three = cursor_[1] == quote.character;
    if (!three && all_hashes(cursor_ + 1, hashes)) {  // the empty string
      cursor_ += 1 + hashes;
      token.text = text_from(start);
      return;
    }
    if (three && hashes > 0 && all_hashes(cursor_ + 2, hashes)) {  // #"""#: a single quote
      cursor_ += 2 + hashes;
      token.text = text_from(start);
      return;
    }
    if (three) {
      cursor_ += 2;
      quote.multiline = true;
      const char* at = cursor_;
      if (*at == '\r') ++at;
      if (*at != '\n') {
        error(start, fmt::format("expected newline after multiline quote {}", text_from(start)));
        token.text = text_from(start);
        return;
      }
      cursor_ = at + 1;
      ++line_;
    }
  }
  StringPart part = scan_string(start, quote, false);
  token.text = part.text;
  if (part.continues) token.kind = Token::interpolation;
}

Lexer::StringPart Lexer::scan_string(const char* start, Quote quote, bool continuation) {
  return quote.multiline ? scan_multiline_string(start, quote, continuation) : scan_line_string(start, quote);
}

bool Lexer::closes(const char* at, const Quote& quote) const {
  if (*at != quote.character) return false;
  if (!quote.multiline) return all_hashes(at + 1, quote.hashes);
  return at[1] == quote.character && at[2] == quote.character && all_hashes(at + 3, quote.hashes);
}

// Behind the quotes at the beginning of a line that close a string of several lines, and in `at` where they begin; null: there are
// none. Carriage returns are no part of the text, so that they make no difference here either.
const char* Lexer::behind_closing_line(const char*& at, const Quote& quote) const {
  if (!has_returns_) return closes(at, quote) ? at + 3 + quote.hashes : nullptr;
  const char* quotes = at;
  while (*quotes == ' ' || *quotes == '\t' || *quotes == '\r') ++quotes;
  const char* behind = quotes;
  for (std::uint32_t left = 3 + quote.hashes; left > 0; ++behind) {
    if (*behind == '\r') continue;
    if (*behind != (left > quote.hashes ? quote.character : '#')) return nullptr;
    --left;
  }
  at = quotes;
  return behind;
}

// The parenthesis belongs to the text of the part, and is a token of its own besides.
Lexer::StringPart Lexer::open_interpolation(const char* start, const Quote& quote) {
  quotes_.push_back(quote);
  return {{start, static_cast<std::size_t>(cursor_ + 1 - start)}, true};
}

Lexer::StringPart Lexer::scan_line_string(const char* start, Quote& quote) {
  for (;;) {
    const char* at = cursor_;
    while (!kStringStops[static_cast<unsigned char>(*at)]) ++at;
    cursor_ = at;
    char c = *at;
    if (c == '\n' || at_end()) {
      error(start, "string literal not terminated");
      return {text_from(start), false};
    }
    if (closes(cursor_, quote)) {
      cursor_ += 1 + quote.hashes;
      return {text_from(start), false};
    }
    ++cursor_;
    if (c == '\\' && scan_escape(quote)) return open_interpolation(start, quote);
  }
}

void Lexer::note_indent(Quote& quote, std::string_view indent) {
  if (!quote.has_lines) {
    quote.has_lines = true;
    quote.indent = indent;
    return;
  }
  std::size_t common = 0;
  while (common < indent.size() && common < quote.indent.size() && indent[common] == quote.indent[common]) ++common;
  quote.indent = quote.indent.substr(0, common);
}

Lexer::StringPart Lexer::scan_multiline_string(const char* start, Quote& quote, bool continuation) {
  bool line_start = !continuation;
  for (;;) {
    if (line_start) {
      const char* line = cursor_;
      while (*cursor_ == ' ' || *cursor_ == '\t') ++cursor_;
      std::string_view indent = text_from(line);
      if (const char* behind = behind_closing_line(cursor_, quote)) {
        indent = without_returns(text_from(line));
        cursor_ = behind;
        if (quote.has_lines && !quote.indent.starts_with(indent)) {
          error(begin_ + quote.start, "non-matching whitespace for multiline strings");
        }
        return {without_returns(text_from(start)), false};
      }
      if (*cursor_ == '\r' && cursor_[1] == '\n') ++cursor_;
      if (*cursor_ != '\n' || !indent.empty()) note_indent(quote, indent);
      line_start = false;
    }
    const char* at = cursor_;
    while (!kStringStops[static_cast<unsigned char>(*at)]) ++at;
    cursor_ = at;
    if (at_end()) {
      error(start, "string literal not terminated");
      return {without_returns(text_from(start)), false};
    }
    char c = *cursor_++;
    if (c == '\n') {
      ++line_;
      line_start = true;
    } else if (c == '\\' && scan_escape(quote)) {
      StringPart part = open_interpolation(start, quote);
      part.text = without_returns(part.text);
      return part;
    }
  }
}

bool Lexer::scan_escape(const Quote& quote) {
  for (std::uint32_t i = 0; i < quote.hashes; ++i) {
    if (*cursor_ != '#') return false;  // a plain backslash in a raw string
    ++cursor_;
  }
  const char* start = cursor_;
  char c = *cursor_;
  int digits = 0, base = 16;
  std::uint32_t largest = base::kLastCharacter;
  switch (c) {
    case '(': return true;
    case 'a':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
    case 'v':
    case '\\':
    case '/': ++cursor_; return false;
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
      if (quote.character == '"') {
        error(start, "octal escape not allowed in string literal");
        return false;
      }
      digits = 3, base = 8, largest = 255;
      break;
    case 'x':
      if (quote.character == '"') {
        error(start, "hexadecimal escape not allowed in string literal");
        return false;
      }
      ++cursor_;
      digits = 2, largest = 255;
      break;
    case 'u':
      ++cursor_;
      digits = 4;
      break;
    case 'U':
      ++cursor_;
      digits = 8;
      break;
    default:
      if (c == quote.character) {
        ++cursor_;
        return false;
      }
      error(start, at_end() ? "escape sequence not terminated" : "unknown escape sequence");
      return false;
  }
  std::uint32_t value = 0;
  for (; digits > 0; --digits, ++cursor_) {
    int digit = hexadecimal_value(*cursor_);
    if (digit >= base) {
      if (at_end()) {
        error(cursor_, "escape sequence not terminated");
      } else {
        auto wrong = base::decode_utf8({cursor_, static_cast<std::size_t>(end_ - cursor_)});
        error(cursor_, fmt::format("illegal character {} in escape sequence", describe_character(wrong.value)));
      }
      return false;
    }
    value = value * static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(digit);
  }
  if (value > largest) error(start, "escape sequence is invalid Unicode code point");
  return false;
}

Lexer::StringPart Lexer::resume_interpolation() {
  if (quotes_.empty()) return {};
  Quote quote = quotes_.back();
  quotes_.pop_back();
  const char* start = cursor_ > begin_ ? cursor_ - 1 : cursor_;
  return scan_string(start, quote, true);
}

// An attribute is one token; what is between its parentheses only has to consist of
// tokens with balanced brackets.
void Lexer::scan_attribute(LexedToken& token, const char* start) {
  scan_identifier_tail();
  token.kind = Token::attribute;
  if (in_attribute_) return;  // scan_attribute_body goes on with it
  in_attribute_ = true;
  if (*cursor_ == '(') {
    ++cursor_;
    scan_attribute_body();
  } else {
    LexedToken inner;
    scan(inner);
    bool is_valid = inner.kind == Token::left_parenthesis;
    while (inner.kind == Token::attribute) scan(inner);
    if (inner.kind == Token::left_parenthesis) scan_attribute_body();
    if (!is_valid) error(cursor_, "invalid attribute: expected '('");
  }
  in_attribute_ = false;
  token.text = text_from(start);
}

namespace {

// What a byte is to skip_plain_tokens.
enum class Plain : std::uint8_t {
  no,
  name,   // letters, and digits behind them
  sign,   // a token, alone or with what follows, whatever that is; or a blank
  digit,
  quote,
  other,  // depends on what is around it
};

constexpr auto kPlain = [] {
  std::array<Plain, 256> kinds{};
  for (unsigned c = 'a'; c <= 'z'; ++c) kinds[c] = kinds[c - 'a' + 'A'] = Plain::name;
  for (unsigned c = '0'; c <= '9'; ++c) kinds[c] = Plain::digit;
  kinds['_'] = kinds['$'] = Plain::name;
  for (char c : {',', ':', '=', '*', '|', '&', '<', '>', '!', '?', '+', '-', '~', ' ', '\t'}) {
    kinds[static_cast<unsigned char>(c)] = Plain::sign;
  }
  kinds['"'] = kinds['\''] = Plain::quote;
  for (char c : {'(', ')', '[', ']', '{', '}', '.', '#', '\n'}) kinds[static_cast<unsigned char>(c)] = Plain::other;
  return kinds;
}();

Plain plain_at(const char* at) { return kPlain[static_cast<unsigned char>(*at)]; }
bool is_name_part(const char* at) { return plain_at(at) == Plain::name || plain_at(at) == Plain::digit; }

// Behind a string on one line with nothing to decode in it, from its opening quote; null: it is not one.
const char* behind_plain_string(const char* at) {
  char quote = *at;
  const char* start = ++at;
  while (*at != quote) {
    if (*at == '\\' || static_cast<unsigned char>(*at) < ' ') return nullptr;
    ++at;
  }
  bool may_be_multiline = at == start && at[1] == quote;
  return may_be_multiline ? nullptr : at + 1;
}

// Behind a number without a sign, an exponent or a unit; null: it is not one.
const char* behind_plain_number(const char* at) {
  bool is_zero = *at == '0';
  do {
    ++at;
  } while (!is_zero && plain_at(at) == Plain::digit);
  if (*at == '.') {
    if (plain_at(++at) != Plain::digit) return nullptr;
    while (plain_at(at) == Plain::digit) ++at;
  }
  return is_name_part(at) ? nullptr : at;
}

char closer_of(Token bracket) {
  switch (bracket) {
    case Token::left_parenthesis:
    case Token::right_parenthesis: return ')';
    case Token::left_bracket:
    case Token::right_bracket: return ']';
    case Token::left_brace:
    case Token::right_brace: return '}';
    default: return 0;
  }
}

}  // namespace

// Most attributes have only names, small numbers, plain strings, signs and balanced brackets in them, which are tokens
// in any order. Goes over such tokens up to the first that is none of them, or behind the last bracket that was open.
void Lexer::skip_plain_tokens(std::string& closers) {
  const char* const start = cursor_;
  const char* at = start;
  while (!closers.empty()) {
    Plain kind = plain_at(at);
    if (kind == Plain::sign) {
      do {
        ++at;
      } while (plain_at(at) == Plain::sign);
      continue;
    }
    if (kind == Plain::name) {
      do {
        ++at;
      } while (is_name_part(at));
      continue;
    }
    const char* next = nullptr;
    switch (char c = *at) {
      case '(': closers.push_back(')'), next = at + 1; break;
      case '[': closers.push_back(']'), next = at + 1; break;
      case '{': closers.push_back('}'), next = at + 1; break;
      case ')':
      case ']':
      case '}':
        if (closers.back() == c) closers.pop_back(), next = at + 1;
        break;
      case '\n': ++line_, next = at + 1; break;
      case '.':
        if (plain_at(at + 1) == Plain::name) next = at + 1;
        break;
      case '#':
        // Two underscores may not stand before it.
        if (plain_at(at + 1) == Plain::name && !(at - start >= 2 && at[-1] == '_' && at[-2] == '_')) next = at + 1;
        break;
      default:
        if (kind == Plain::digit) next = behind_plain_number(at);
        if (kind == Plain::quote) next = behind_plain_string(at);
        break;
    }
    if (next == nullptr) {
      // It may be the rest of a name.
      while (at > start && is_name_part(at - 1)) --at;
      break;
    }
    at = next;
  }
  cursor_ = at;
}

void Lexer::scan_attribute_body() {
  std::string closers = ")";
  LexedToken inner;
  for (;;) {
    skip_plain_tokens(closers);
    if (closers.empty()) break;
    scan(inner);
    if (inner.kind == Token::attribute) {  // within the attribute
      scan(inner);
      if (inner.kind != Token::left_parenthesis) {
        error(cursor_, "invalid attribute: expected '('");
        continue;
      }
    }
    switch (inner.kind) {
      case Token::end_of_file:
        for (Token closer : {Token::right_parenthesis, Token::right_bracket, Token::right_brace}) {
          if (closers.find(closer_of(closer)) == std::string::npos) continue;
          error(cursor_, fmt::format("attribute missing '{}'", token_name(closer)));
        }
        return;
      case Token::interpolation:
        error(cursor_, "interpolation not allowed in attribute");
        if (!quotes_.empty()) quotes_.pop_back();
        skip_broken_interpolation();
        break;
      case Token::left_parenthesis:
      case Token::left_brace:
      case Token::left_bracket: closers.push_back(closer_of(inner.kind)); break;
      case Token::right_parenthesis:
      case Token::right_bracket:
      case Token::right_brace:
        if (closers.back() == closer_of(inner.kind)) closers.pop_back();
        else error(cursor_, fmt::format("unexpected '{}'", token_name(inner.kind)));
        break;
      default: break;
    }
  }
  had_comma_ = false;
}

// To the closing parenthesis or the end of the line, so that one mistake is one error.
void Lexer::skip_broken_interpolation() {
  for (int open = 1; !at_end() && *cursor_ != '\n'; ++cursor_) {
    if (*cursor_ == '(') ++open;
    if (*cursor_ == ')' && --open == 0) return;
  }
}

}  // namespace opm::cue::syntax
