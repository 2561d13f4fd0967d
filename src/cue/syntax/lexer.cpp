#include "cue/syntax/lexer.h"

#include <fmt/core.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <array>
#include <bit>
#include <cstring>

#include "base/unicode.h"
#include "cue/syntax/digits.h"

namespace opm::cue::syntax {

namespace {

enum class Class : std::uint8_t { other, letter, underscore, digit, hash, quote, sign, comment_or_divide, end, high };

// Tokens of one byte, whatever follows it.
struct Sign {
  char byte;
  Token token;
  bool may_end_declaration = false;
};
constexpr Sign kSigns[] = {
    {':', Token::colon},
    {',', Token::comma},
    {'(', Token::left_parenthesis},
    {'[', Token::left_bracket},
    {'{', Token::left_brace},
    {')', Token::right_parenthesis, true},
    {']', Token::right_bracket, true},
    {'}', Token::right_brace, true},
    {';', Token::semicolon, true},
    {'?', Token::question, true},
    {'~', Token::tilde},
    {'+', Token::add},
    {'-', Token::subtract},
    {'*', Token::multiply},
};

constexpr std::array<Class, 256> make_classes() {
  std::array<Class, 256> classes{};
  for (unsigned c = 'a'; c <= 'z'; ++c) classes[c] = Class::letter;
  for (unsigned c = 'A'; c <= 'Z'; ++c) classes[c] = Class::letter;
  for (unsigned c = '0'; c <= '9'; ++c) classes[c] = Class::digit;
  for (unsigned c = 0x80; c < 0x100; ++c) classes[c] = Class::high;
  classes['$'] = Class::letter;
  classes['_'] = Class::underscore;
  classes['#'] = Class::hash;
  classes['"'] = classes['\''] = Class::quote;
  for (const Sign& sign : kSigns) classes[static_cast<unsigned char>(sign.byte)] = Class::sign;
  classes['/'] = Class::comment_or_divide;
  classes[0] = Class::end;
  return classes;
}

constexpr auto kClasses = make_classes();

// By their byte.
constexpr auto kSignOf = [] {
  std::array<Sign, 128> signs{};
  for (const Sign& sign : kSigns) signs[static_cast<unsigned char>(sign.byte)] = sign;
  return signs;
}();

unsigned char byte_at(const char* at) { return static_cast<unsigned char>(*at); }

bool is_identifier_part(unsigned char byte) {
  Class kind = kClasses[byte];
  return kind == Class::letter || kind == Class::digit || kind == Class::underscore;
}

// How many of the next bytes are letters, digits, `_` or `$`. To ask them all at once takes no longer than to ask those of a
// short name one after the other, and the processor need not guess where it ends.
#ifdef __SSE2__
constexpr std::ptrdiff_t kBytesAtOnce = 16;
int count_identifier_parts(const char* at) {
  using Bytes [[gnu::vector_size(kBytesAtOnce)]] = unsigned char;
  Bytes bytes;
  std::memcpy(&bytes, at, sizeof(bytes));
  auto parts = ((bytes | 0x20) - 'a' <= 'z' - 'a') | (bytes - '0' <= 9) | (bytes == '_') | (bytes == '$');
  return std::countr_one(static_cast<std::uint32_t>(_mm_movemask_epi8(reinterpret_cast<__m128i>(parts))));
}
#else
constexpr std::ptrdiff_t kBytesAtOnce = 1;
int count_identifier_parts(const char* at) { return is_identifier_part(byte_at(at)); }
#endif

// In a number, where digits may be set apart.
int digit_value(char c) { return c == '_' ? 0 : hexadecimal_value(c); }

}  // namespace

bool is_literal(Token token) { return token >= Token::identifier && token <= Token::bottom; }
bool is_keyword(Token token) { return token >= Token::if_; }

Token keyword_or_identifier(std::string_view text) {
  auto when = [&](std::string_view word, Token token) { return text == word ? token : Token::identifier; };
  switch (text.size()) {
    case 2:
      if (text[0] != 'i') break;
      return text[1] == 'f' ? Token::if_ : text[1] == 'n' ? Token::in : Token::identifier;
    case 3:
      if (text[0] == 'f') return when("for", Token::for_);
      if (text[0] == 'l') return when("let", Token::let);
      if (text[0] == 't') return when("try", Token::try_);
      break;
    case 4:
      if (text[0] == 't') return when("true", Token::true_);
      if (text[0] == 'n') return when("null", Token::null);
      if (text[0] == 'e') return when("else", Token::else_);
      if (text[0] == 'f') return when("func", Token::func);
      break;
    case 5: return when("false", Token::false_);
    case 8: return when("fallback", Token::fallback);
    case 9: return when("otherwise", Token::otherwise);
    default: break;
  }
  return Token::identifier;
}

Lexer::Lexer(base::Arena& arena, const diag::Source& source, bool keep_comments, SyntaxErrors& errors)
    : arena_(arena),
      errors_(errors),
      begin_position_(source.begin),
      begin_(source.text.c_str()),
      cursor_(begin_),
      end_(begin_ + source.text.size()),
      keep_comments_(keep_comments),
      has_returns_(source.text.find('\r') != std::string::npos) {
  if (source.text.starts_with("\xEF\xBB\xBF")) cursor_ += 3;
}

void Lexer::stop() {
  cursor_ = end_;
  insert_comma_ = false;
  breaks_ = 0;
}

void Lexer::begin_at(std::uint32_t offset) {
  cursor_ = begin_ + offset;
  while (cursor_ > begin_ && (cursor_[-1] == ' ' || cursor_[-1] == '\t' || cursor_[-1] == '\r' || cursor_[-1] == '\n')) --cursor_;
  had_comma_ = cursor_ > begin_ && cursor_[-1] == ',';
}

void Lexer::go_on_from(const Lexer& other, const LexedToken& first, const LexedToken& here) {
  cursor_ = other.cursor_;
  line_ = other.line_ - first.line + here.line;
  breaks_ = other.breaks_;
  blanks_ = other.blanks_;
  insert_comma_ = other.insert_comma_;
  had_comma_ = other.had_comma_;
}

void Lexer::error(const char* at, std::string message) {
  errors_.add_lexical(offset_of(at), std::move(message));
  if (errors_.exhausted()) stop();
}

std::string_view Lexer::remove_returns(std::string_view text) {
  if (text.empty() || !std::memchr(text.data(), '\r', text.size())) return text;
  std::span<char> copy = arena_.make_array<char>(text.size());
  std::size_t size = 0;
  for (char c : text) {
    if (c != '\r') copy[size++] = c;
  }
  return {copy.data(), size};
}

// Lines are indented with blanks or tabs, which are gone over eight at a time.
inline const char* Lexer::behind_run(const char* at, char byte) const {
  if constexpr (std::endian::native == std::endian::little) {
    const std::uint64_t all = 0x0101010101010101 * byte_at(&byte);
    for (std::uint64_t word; end_ - at >= 8; at += 8) {
      std::memcpy(&word, at, sizeof(word));
      if (word != all) return at + std::countr_zero(word ^ all) / 8;
    }
  }
  while (*at == byte) ++at;
  return at;
}

void Lexer::scan(LexedToken& token) {
  token.automatic = false;
  for (;;) {
    // White space; a line break behind a token that can end a declaration is a comma.
    const char* start = cursor_;
    const char* first_break = nullptr;
    std::uint32_t breaks = 0;
    while (byte_at(start) <= ' ') {
      char c = *start;
      if (c == ' ' || c == '\t') {
        blanks_ = true;
        ++start;
        if (*start == c) start = behind_run(start, c);
        continue;
      }
      if (c == '\n') {
        if (!first_break) first_break = start;
        ++breaks;
      } else if (c != '\r') {
        break;
      }
      ++start;
    }
    cursor_ = start;
    if (breaks > 0) {
      breaks_ += breaks;
      line_ += breaks;
      if (insert_comma_) {
        insert_comma_ = false;
        // JSON may have its commas and colons at the start of the next line.
        if (*start != ',' && *start != ':') {
          token.kind = Token::comma;
          token.spacing = Spacing::elided;
          token.automatic = true;
          token.after_comma = false;
          token.offset = offset_of(first_break);
          token.end = token.offset;
          token.line = line_ - breaks;
          token.text = "\n";
          return;
        }
      }
    }

    token.offset = offset();
    token.line = line_;
    token.spacing = breaks_ > 1    ? Spacing::new_section
                    : breaks_ == 1 ? Spacing::newline
                    : blanks_      ? Spacing::blank
                                   : Spacing::no_space;
    token.after_comma = false;
    const bool behind_comma = had_comma_;
    const bool insert_before = insert_comma_;

    switch (kClasses[byte_at(start)]) {
      case Class::letter:
        ++cursor_;
        scan_identifier_tail();
        token.text = text_from(start);
        token.kind = keyword_or_identifier(token.text);
        insert_comma_ = true;
        break;

      case Class::digit:
        scan_number(token, false);
        insert_comma_ = true;
        break;

      case Class::quote:
        ++cursor_;
        scan_quoted(token, start, 0);
        insert_comma_ = true;
        break;

      case Class::underscore:
        ++cursor_;
        scan_underscore(token, start);
        insert_comma_ = true;
        break;

      case Class::hash: {
        ++cursor_;
        std::uint32_t hashes = 1;
        while (*cursor_ == '#') {
          ++hashes;
          ++cursor_;
        }
        if (*cursor_ == '"' || *cursor_ == '\'') {
          ++cursor_;
          scan_quoted(token, start, hashes);
          insert_comma_ = true;
          break;
        }
        if (hashes > 1) {
          token.kind = Token::illegal;
          token.text = {};
          insert_comma_ = false;
          break;
        }
        if (*cursor_ < '0' || *cursor_ > '9') scan_identifier_tail();
        token.text = text_from(start);
        token.kind = Token::identifier;
        insert_comma_ = true;
        break;
      }

      case Class::high: {
        base::DecodedCharacter character = base::decode_utf8({start, static_cast<std::size_t>(end_ - start)});
        if (character.valid && base::is_letter(character.value)) {
          scan_identifier_tail();
          token.text = text_from(start);
          token.kind = Token::identifier;
          insert_comma_ = true;
        } else {
          scan_illegal(token, start);
          insert_comma_ = insert_before;
        }
        break;
      }

      case Class::end:
        if (start < end_) {  // a zero byte in the text
          scan_illegal(token, start);
          insert_comma_ = insert_before;
          break;
        }
        // The end counts to the last line, even behind a line break.
        if (end_ > begin_ && end_[-1] == '\n') token.line = line_ - 1;
        if (insert_comma_) {
          insert_comma_ = false;
          token.kind = Token::comma;
          token.spacing = Spacing::elided;
          token.automatic = true;
          token.text = "\n";
          return;
        }
        token.kind = Token::end_of_file;
        token.text = {};
        break;

      case Class::comment_or_divide:
        if (start[1] == '/') {
          if (insert_comma_) {
            insert_comma_ = false;
            token.kind = Token::comma;
            token.spacing = Spacing::elided;
            token.automatic = true;
            token.text = "\n";
            return;
          }
          cursor_ = end_of_line(start);
          if (!keep_comments_) continue;
          token.kind = Token::comment;
          token.text = without_returns(text_from(start));
          breaks_ = 0;
          blanks_ = false;
          return;
        }
        ++cursor_;
        token.kind = Token::divide;
        token.text = {};
        insert_comma_ = false;
        break;

      case Class::sign: {
        ++cursor_;
        const Sign& sign = kSignOf[byte_at(start)];
        token.kind = sign.token;
        token.text = {};
        insert_comma_ = sign.may_end_declaration;
        if (token.kind == Token::comma) {
          token.text = ",";
          had_comma_ = true;
        }
        break;
      }

      case Class::other:
        ++cursor_;
        scan_operator(token, *start);
        break;
    }

    token.end = offset();
    if (behind_comma) {
      token.after_comma = true;
      had_comma_ = token.kind == Token::comma;
    }
    breaks_ = 0;
    blanks_ = false;
    return;
  }
}

inline const char* Lexer::end_of_line(const char* at) const {
  const void* found = std::memchr(at, '\n', static_cast<std::size_t>(end_ - at));
  return found ? static_cast<const char*>(found) : end_;
}

void Lexer::scan_following_comments(LexedToken& token, base::Stack<Comment>& comments) {
  const char* end = cursor_;
  while (*end == '\n') {
    const char* start = end + 1;
    while (*start == ' ' || *start == '\t') start = behind_run(start + 1, *start);
    if (start[0] != '/' || start[1] != '/') break;
    end = end_of_line(start);
    std::string_view text(start, static_cast<std::size_t>(end - start));
    comments.push_back({begin_position_.plus(offset_of(start)), without_returns(text), Spacing::newline});
    ++line_;
  }
  cursor_ = end;
  token.line = line_;
}

void Lexer::scan_identifier_tail() {
  if (end_ - cursor_ >= kBytesAtOnce) {
    int count = count_identifier_parts(cursor_);
    cursor_ += count;
    if (count < kBytesAtOnce && byte_at(cursor_) < 0x80) return;
  }
  scan_long_identifier_tail();
}

void Lexer::scan_long_identifier_tail() {
  const char* at = cursor_;
  for (;;) {
    while (is_identifier_part(byte_at(at))) ++at;
    if (byte_at(at) < 0x80) break;
    base::DecodedCharacter character = base::decode_utf8({at, static_cast<std::size_t>(end_ - at)});
    if (!character.valid || !(base::is_letter(character.value) || base::is_digit(character.value))) break;
    at += character.size;
  }
  cursor_ = at;
}

void Lexer::scan_underscore(LexedToken& token, const char* start) {
  if (cursor_[0] == '|' && cursor_[1] == '_') {
    cursor_ += 2;
    token.kind = Token::bottom;
    token.text = text_from(start);
    return;
  }
  token.kind = Token::identifier;
  if (*cursor_ == '#') {
    ++cursor_;
    if (*cursor_ < '0' || *cursor_ > '9') scan_identifier_tail();
  } else {
    scan_identifier_tail();
  }
  token.text = text_from(start);
  if (token.text == "__" && *cursor_ == '#') {
    ++cursor_;
    scan_identifier_tail();
    token.text = text_from(start);
    token.kind = Token::illegal;
    error(start, fmt::format("illegal token \"{}\"", token.text));
  }
}

void Lexer::scan_illegal(LexedToken& token, const char* start) {
  base::DecodedCharacter character = base::decode_utf8({start, static_cast<std::size_t>(end_ - start)});
  cursor_ = start + character.size;
  token.kind = Token::illegal;
  token.text = text_from(start);
  error(start, "illegal character " + describe_character(character.value));
}

void Lexer::scan_operator(LexedToken& token, char first) {
  const char* start = cursor_ - 1;
  auto either = [&](char second, Token with, Token without) {
    if (*cursor_ != second) return without;
    ++cursor_;
    return with;
  };
  bool insert = false;
  const bool insert_before = insert_comma_;
  token.text = {};
  switch (first) {
    case '<':
      if (*cursor_ == '-') {
        ++cursor_;
        token.kind = Token::arrow;
      } else {
        token.kind = either('=', Token::less_equal, Token::less);
      }
      break;
    case '>': token.kind = either('=', Token::greater_equal, Token::greater); break;
    case '=':
      if (*cursor_ == '~') {
        ++cursor_;
        token.kind = Token::match;
      } else {
        token.kind = either('=', Token::equal, Token::bind);
      }
      break;
    case '!':
      if (*cursor_ == '~') {
        ++cursor_;
        token.kind = Token::not_match;
      } else {
        token.kind = either('=', Token::not_equal, Token::not_);
      }
      break;
    case '&': token.kind = either('&', Token::logical_and, Token::and_value); break;
    case '|': token.kind = either('|', Token::logical_or, Token::or_value); break;
    case '.':
      if (*cursor_ >= '0' && *cursor_ <= '9') {
        scan_number(token, true);
        insert = true;
      } else if (*cursor_ == '.') {
        ++cursor_;
        if (*cursor_ == '.') {
          ++cursor_;
          token.kind = Token::ellipsis;
          insert = true;
        } else {
          token.kind = Token::illegal;
          error(start, "illegal token '..'; expected '.'");
        }
      } else {
        token.kind = Token::period;
      }
      break;
    case '@':
      scan_attribute(token, start);
      insert = true;
      break;
    default:
      scan_illegal(token, start);
      insert = insert_before;
      break;
  }
  insert_comma_ = insert;
}

void Lexer::scan_mantissa(int base) {
  char last = 0;
  for (; digit_value(*cursor_) < base; ++cursor_) {
    if (last == '_' && *cursor_ == '_') error(cursor_, "illegal '_' in number");
    if (errors_.exhausted()) return;
    last = *cursor_;
  }
  if (last == '_') error(cursor_ - 1, "illegal '_' in number");
}

// Whether the number has a sensible value is decided when it is read; here only its
// shape counts.
void Lexer::scan_number(LexedToken& token, bool after_point) {
  const char* start = after_point ? cursor_ - 1 : cursor_;
  token.kind = Token::integer;
  auto finish = [&] { token.text = text_from(start); };

  bool fraction_allowed = !after_point;
  if (after_point) {
    token.kind = Token::floating;
    scan_mantissa(10);
  } else if (*cursor_ == '0') {
    ++cursor_;
    const char* name = nullptr;
    int base = 0;
    switch (*cursor_) {
      case 'x':
      case 'X': base = 16, name = "hexadecimal"; break;
      case 'b': base = 2, name = "binary"; break;
      case 'o': base = 8, name = "octal"; break;
      default: break;
    }
    if (name) {
      ++cursor_;
      scan_mantissa(base);
      if (cursor_ - start <= 2) error(start, fmt::format("illegal {} number", name));
      return finish();
    }
    bool more_digits = *cursor_ >= '0' && *cursor_ <= '9';
    if (more_digits) scan_mantissa(10);
    bool is_range = cursor_[0] == '.' && cursor_[1] == '.';
    bool is_float = !is_range && (*cursor_ == '.' || *cursor_ == 'e' || *cursor_ == 'E');
    if (more_digits && !is_float) error(start, "illegal integer number");
    if (is_range) return finish();
    fraction_allowed = is_float;
  } else {
    scan_mantissa(10);
  }

  if (fraction_allowed && *cursor_ == '.') {
    if (cursor_[1] == '.') return finish();
    token.kind = Token::floating;
    ++cursor_;
    scan_mantissa(10);
  }

  switch (*cursor_) {
    case 'K':
    case 'M':
    case 'G':
    case 'T':
    case 'P':
      token.kind = Token::integer;
      ++cursor_;
      if (*cursor_ == 'i') ++cursor_;
      break;
    case 'e':
    case 'E':
      token.kind = Token::floating;
      ++cursor_;
      if (*cursor_ == '-' || *cursor_ == '+') ++cursor_;
      if (digit_value(*cursor_) >= 10) error(cursor_, "illegal exponent in number");
      scan_mantissa(10);
      break;
    default: break;
  }
  finish();
}

}  // namespace opm::cue::syntax
