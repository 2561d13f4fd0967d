#include "cue/syntax/literal.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/unicode.h"
#include "cue/syntax/digits.h"

namespace opm::cue::syntax {

namespace {

constexpr const char* kSyntax = "invalid syntax";
constexpr const char* kUnmatchedQuote = "invalid string: unmatched quote";
constexpr const char* kSurrogate = "unmatched surrogate pair";

constexpr char32_t kHighSurrogate = 0xD800;
constexpr char32_t kLowSurrogate = 0xDC00;
constexpr char32_t kSurrogateEnd = 0xE000;

std::string_view leading_blanks(std::string_view text) {
  return text.substr(0, std::min(text.find_first_not_of(" \t"), text.size()));
}

std::string mismatched_indent(std::string_view expected, std::string_view actual) {
  return fmt::format("invalid string: non-matching whitespace for multiline string (expected {}, got {})",
                     quote(expected), quote(actual));
}

// Whether all bytes are ASCII that stands for itself between double quotes. Eight are looked at together; where the marks
// of one run over into the next, a byte that is fine may be taken for one that is not, never the other way round.
bool is_plain_ascii(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101u;
  constexpr std::uint64_t kHighs = 0x8080808080808080u;
  auto zeros = [](std::uint64_t word) { return (word - kOnes) & ~word; };
  auto marks = [&](std::uint64_t word) {
    return (word | (word - kOnes * ' ') | zeros(word ^ kOnes * '"') | zeros(word ^ kOnes * '\\')) & kHighs;
  };
  while (text.size() >= 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data(), 8);
    if (marks(word) != 0) return false;
    text.remove_prefix(8);
  }
  std::uint64_t word = kOnes * ' ';
  std::memcpy(&word, text.data(), text.size());
  return marks(word) == 0;
}

// What most strings are: "text" with nothing to decode.
std::optional<std::string_view> plain_string(std::string_view token) {
  if (token.size() < 2 || token.front() != '"' || token.back() != '"') return {};
  std::string_view text = token.substr(1, token.size() - 2);
  return is_plain_ascii(text) ? std::optional(text) : std::nullopt;
}

// Takes the escapes of one part of a string out.
class Unquoter {
 public:
  Unquoter(base::Arena& arena, const QuoteInfo& quotes, std::string_view part)
      : arena_(arena), quotes_(quotes), part_(part), character_(quotes.is_bytes ? '\'' : '"') {}

  std::expected<std::string_view, LiteralError> run() {
    if (!skip_opening()) return std::unexpected(std::move(*error_));
    if (auto plain = plain_text()) return *plain;
    // Nothing gets longer by decoding.
    out_ = arena_.make_array<char>(part_.size() - at_ + 4).data();
    if (!decode()) return std::unexpected(std::move(*error_));
    return std::string_view(out_, size_);
  }

 private:
  bool fail(std::string message, std::size_t offset) {
    if (!error_) error_ = LiteralError{std::move(message), static_cast<std::uint32_t>(offset)};
    return false;
  }
  bool fail(std::string message) { return fail(std::move(message), at_); }

  std::string_view rest() const { return part_.substr(at_); }
  std::size_t delimiter_size() const { return (quotes_.is_multiline ? 3 : 1) + quotes_.hashes; }

  bool delimiter_at(std::size_t at) const {
    if (part_.size() - at < delimiter_size()) return false;
    std::size_t characters = quotes_.is_multiline ? 3 : 1;
    for (std::size_t i = 0; i < delimiter_size(); ++i) {
      if (part_[at + i] != (i < characters ? character_ : '#')) return false;
    }
    return true;
  }

  bool skip_opening() {
    if (part_.starts_with(')')) {
      at_ = 1;
      return true;
    }
    if (part_.size() < delimiter_size()) return fail(kUnmatchedQuote);
    at_ = delimiter_size();
    if (!quotes_.is_multiline) {
      if (part_.find('\n') != part_.npos) return fail(kSyntax, part_.find('\n'));
      return true;
    }
    if (at_ < part_.size() && part_[at_] == '\r') ++at_;
    ++at_;  // the line break
    if (at_ > part_.size()) return fail(kUnmatchedQuote, part_.size());
    return skip_indent() && check_early_close();
  }

  bool skip_indent() {
    std::string_view line = rest();
    if (line.starts_with(quotes_.indent)) {
      at_ += quotes_.indent.size();
    } else if (!line.starts_with('\n') && !line.starts_with("\r\n")) {
      return fail(mismatched_indent(quotes_.indent, leading_blanks(line)));
    }
    return true;
  }

  bool check_early_close() {
    if (delimiter_at(at_) && part_.size() - at_ > delimiter_size()) return fail(kSyntax);
    return true;
  }

  // The text itself when it has nothing to decode.
  std::optional<std::string_view> plain_text() {
    if (quotes_.is_multiline || quotes_.hashes > 0 || !part_.ends_with(character_) || part_.size() <= at_) return {};
    std::string_view text = part_.substr(at_, part_.size() - at_ - 1);
    unsigned char high = 0;
    for (char c : text) {
      if (c == character_ || c == '\\' || c == 0) return {};
      high |= static_cast<unsigned char>(c);
    }
    if (high >= 0x80 && base::find_invalid_utf8(text) != text.npos) return {};
    return text;
  }

  void put(char c) { out_[size_++] = c; }
  void put_character(char32_t c) { size_ += base::encode_utf8(out_ + size_, c); }

  bool decode() {
    bool strip_break = false;    // the last line break belongs to the closing quotes
    bool escaped_break = false;
    while (at_ < part_.size()) {
      char c = part_[at_];
      if (c == '\r') {
        ++at_;
        escaped_break = false;
        continue;
      }
      if (c == '\n') {
        ++at_;
        if (!skip_indent() || !check_early_close()) return false;
        strip_break = true;
        escaped_break = false;
        put('\n');
        continue;
      }
      if (c == character_ && delimiter_at(at_)) {
        if (at_ + delimiter_size() == part_.size()) {
          if (escaped_break) return fail("last newline of multiline string cannot be escaped");
          if (strip_break) --size_;
          return true;
        }
        // Within a line of a multi-line string the quotes are just text.
        if (!quotes_.is_multiline) return fail(kSyntax);
      }
      Escape escape = c == '\\' ? read_escape() : Escape::none;
      switch (escape) {
        case Escape::failed: return false;
        case Escape::interpolation: return true;
        case Escape::line_break:
          if (!skip_indent()) return false;
          escaped_break = true;
          continue;
        case Escape::done: break;
        case Escape::none:
          if (!copy_character()) return false;
          break;
      }
      strip_break = escaped_break = false;
    }
    return fail(kUnmatchedQuote);
  }

  bool copy_character() {
    char c = part_[at_];
    if (c == 0) return fail(kSyntax);
    if (static_cast<unsigned char>(c) < 0x80) {
      put(c);
      ++at_;
      return true;
    }
    base::DecodedCharacter character = base::decode_utf8(rest());
    if (!character.valid) return fail("invalid UTF-8 encoding");
    std::memcpy(out_ + size_, part_.data() + at_, character.size);
    size_ += character.size;
    at_ += character.size;
    return true;
  }

  enum class Escape { none, done, interpolation, line_break, failed };

  // `count` digits; nullopt when there are not as many.
  std::optional<char32_t> read_digits(unsigned count, unsigned bits) {
    char32_t value = 0;
    for (unsigned i = 0; i < count; ++i, ++at_) {
      int digit = at_ < part_.size() ? hexadecimal_value(part_[at_]) : kNoDigit;
      if (digit >= (1 << bits)) return {};
      value = (value << bits) | static_cast<char32_t>(digit);
    }
    return value;
  }

  Escape read_escape() {
    const std::size_t start = at_;
    std::size_t letter = at_ + 1 + quotes_.hashes;
    if (letter >= part_.size()) return Escape::none;
    for (std::size_t i = at_ + 1; i < letter; ++i) {
      if (part_[i] != '#') return Escape::none;
    }
    char c = part_[letter];
    at_ = letter + 1;
    auto simple = [&](char value) {
      put(value);
      return Escape::done;
    };
    auto wrong = [&](const char* message) {
      fail(message, start);
      return Escape::failed;
    };
    switch (c) {
      case 'a': return simple('\a');
      case 'b': return simple('\b');
      case 'f': return simple('\f');
      case 'n': return simple('\n');
      case 'r': return simple('\r');
      case 't': return simple('\t');
      case 'v': return simple('\v');
      case '/': return simple('/');
      case '\\': return simple('\\');
      case '\'':
      case '"': return c == character_ ? simple(c) : wrong(kSyntax);
      case 'x': {
        if (!quotes_.is_bytes) return wrong(kSyntax);
        auto value = read_digits(2, 4);
        return value ? simple(static_cast<char>(*value)) : wrong(kSyntax);
      }
      case '0':
      case '1':
      case '2':
      case '3':
      case '4':
      case '5':
      case '6':
      case '7': {
        if (!quotes_.is_bytes) return wrong(kSyntax);
        at_ = letter;
        auto value = read_digits(3, 3);
        return value && *value <= 0xFF ? simple(static_cast<char>(*value)) : wrong(kSyntax);
      }
      case 'u':
      case 'U': {
        auto value = read_digits(c == 'u' ? 4 : 8, 4);
        if (!value || *value > base::kLastCharacter) return wrong(kSyntax);
        if (*value >= kHighSurrogate && *value < kSurrogateEnd) {
          if (*value >= kLowSurrogate) return wrong(kSurrogate);
          auto low = read_low_surrogate();
          if (!low) return wrong(kSurrogate);
          value = 0x10000 + (*value - kHighSurrogate) * 0x400 + (*low - kLowSurrogate);
        }
        put_character(*value);
        return Escape::done;
      }
      case '(': return at_ == part_.size() ? Escape::interpolation : wrong(kSyntax);
      case '\r':
        if (!rest().starts_with('\n')) return wrong(kSyntax);
        ++at_;
        return Escape::line_break;
      case '\n': return Escape::line_break;
      default: return wrong(kSyntax);
    }
  }

  std::optional<char32_t> read_low_surrogate() {
    if (!rest().starts_with('\\')) return {};
    ++at_;
    for (std::uint32_t i = 0; i < quotes_.hashes; ++i, ++at_) {
      if (!rest().starts_with('#')) return {};
    }
    if (!rest().starts_with('u') && !rest().starts_with('U')) return {};
    unsigned digits = part_[at_++] == 'u' ? 4 : 8;
    auto value = read_digits(digits, 4);
    if (!value || *value < kLowSurrogate || *value >= kSurrogateEnd) return {};
    return value;
  }

  base::Arena& arena_;
  const QuoteInfo& quotes_;
  const std::string_view part_;
  const char character_;
  std::size_t at_ = 0;
  char* out_ = nullptr;
  std::size_t size_ = 0;
  std::optional<LiteralError> error_;
};

struct QuoteForm {
  char character = '"';
  bool is_exact = false;  // bytes: what is no UTF-8 is kept as \xNN
  bool is_multiline = false;
  std::string_view indent;
  std::size_t hashes = 0;
};

// Enough hashes that no run of three quotes in the text can close it.
std::size_t required_hashes(std::string_view text, char character) {
  const std::string triple(3, character);
  std::size_t required = 0;
  for (std::size_t i = text.find(triple); i != text.npos; i = text.find(triple, i)) {
    i = std::min(text.find_first_not_of(character, i), text.size());
    std::size_t last_quote = i - 1;
    i = std::min(text.find_first_not_of('#', i), text.size());
    required = std::max(required, i - last_quote);
  }
  return required;
}

void append_escaped(std::string& out, char32_t c, const QuoteForm& form) {
  auto escape = [&](char letter) {
    out += '\\';
    out.append(form.hashes, '#');
    out += letter;
  };
  if ((!form.is_multiline && c == static_cast<char32_t>(form.character)) || c == '\\') {
    return escape(static_cast<char>(c));
  }
  if (base::is_printable(c)) return base::append_utf8(out, c);
  switch (c) {
    case '\a': return escape('a');
    case '\b': return escape('b');
    case '\f': return escape('f');
    case '\n': return escape('n');
    case '\r': return escape('r');
    case '\t': return escape('t');
    case '\v': return escape('v');
    default: break;
  }
  auto code = static_cast<std::uint32_t>(c);
  if (c < ' ' && form.is_exact) {
    escape('x');
    out += fmt::format("{:02x}", code);
  } else if (c < 0x10000) {
    escape('u');
    out += fmt::format("{:04x}", code);
  } else {
    escape('U');
    out += fmt::format("{:08x}", code);
  }
}

// Whether a character stands for itself whatever the quotes are.
bool is_plain_in_quotes(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\'' && c != '\\'; }

std::string quote_with(std::string_view text, QuoteForm form) {
  if (form.is_multiline) form.hashes = required_hashes(text, form.character);
  const std::string delimiter(form.is_multiline ? 3 : 1, form.character);
  std::string out;
  out.reserve(text.size() + 2 * (delimiter.size() + form.hashes) + form.indent.size() + 2);
  out.append(form.hashes, '#');
  out += delimiter;
  if (form.is_multiline) {
    out += '\n';
    if (!text.empty() && text[0] != '\n') out += form.indent;
  }
  for (std::size_t i = 0; i < text.size();) {
    char c = text[i];
    if (form.is_multiline && c == '\n') {
      out += '\n';
      if (i + 1 < text.size() && text[i + 1] != '\n') out += form.indent;
      ++i;
      continue;
    }
    std::size_t plain = i;
    while (plain < text.size() && is_plain_in_quotes(text[plain])) ++plain;
    if (plain > i) {
      out += text.substr(i, plain - i);
      i = plain;
      continue;
    }
    base::DecodedCharacter character = base::decode_utf8(text.substr(i));
    if (!character.valid && form.is_exact) {
      out += '\\';
      out.append(form.hashes, '#');
      out += fmt::format("x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      append_escaped(out, character.value, form);
    }
    i += character.size;
  }
  if (form.is_multiline) {
    if (!text.empty()) out += '\n';
    out += form.indent;
  }
  out += delimiter;
  out.append(form.hashes, '#');
  return out;
}

}  // namespace

std::expected<QuoteInfo, LiteralError> parse_quotes(std::string_view first, std::string_view last) {
  auto fail = [](const char* message, std::size_t offset = 0) {
    return std::unexpected(LiteralError{message, static_cast<std::uint32_t>(offset)});
  };
  QuoteInfo info;
  std::size_t hashes = std::min(first.find_first_not_of('#'), first.size());
  std::string_view quoted = first.substr(hashes);
  if (quoted.empty() || (quoted[0] != '"' && quoted[0] != '\'')) return fail(kSyntax);
  const char character = quoted[0];
  info.hashes = static_cast<std::uint32_t>(hashes);
  info.is_bytes = character == '\'';
  if (quoted.size() > 3 && quoted[1] == character && quoted[2] == character && quoted[3] != '#') {
    bool has_break = quoted[3] == '\n' || (quoted[3] == '\r' && quoted.size() > 4 && quoted[4] == '\n');
    if (!has_break) {
      return fail("invalid string: opening quote of multiline string must be followed by newline", hashes);
    }
    info.is_multiline = true;
  }
  std::string closing(info.is_multiline ? 3 : 1, character);
  closing.append(hashes, '#');
  if (!last.ends_with(closing)) return fail(kUnmatchedQuote);
  if (info.is_multiline) {
    std::string_view body = last.substr(0, last.size() - closing.size());
    std::size_t start = body.size();
    while (start > 0 && (body[start - 1] == ' ' || body[start - 1] == '\t' || body[start - 1] == '\r')) --start;
    if (start == 0 || body[start - 1] != '\n') {
      return fail("invalid string: closing quote of multiline string must follow a newline");
    }
    info.indent = body.substr(start);
  }
  return info;
}

std::expected<std::string_view, LiteralError> unquote(base::Arena& arena, std::string_view token) {
  if (auto plain = plain_string(token)) return *plain;
  auto info = parse_quotes(token, token);
  if (!info) return std::unexpected(info.error());
  return Unquoter(arena, *info, token).run();
}

std::expected<std::string_view, LiteralError> unquote_part(base::Arena& arena, const QuoteInfo& quotes,
                                                           std::string_view part) {
  return Unquoter(arena, quotes, part).run();
}

std::string quote(std::string_view text) { return quote_with(text, {}); }

std::string quote_bytes(std::string_view bytes) { return quote_with(bytes, {'\'', true}); }

std::string quote_multiline(std::string_view text, std::string_view indent) {
  return quote_with(text, {'"', false, true, indent});
}

std::string quote_multiline_bytes(std::string_view bytes, std::string_view indent) {
  return quote_with(bytes, {'\'', true, true, indent});
}

bool is_valid_identifier(std::string_view text) {
  if (text.empty()) return false;
  bool digit_allowed = text.starts_with('_');
  if (digit_allowed) text.remove_prefix(1);
  if (text.empty()) return true;  // `_`, top
  if (text.starts_with('#')) {
    text.remove_prefix(1);
    digit_allowed = false;
  }
  for (std::size_t i = 0; i < text.size();) {
    auto byte = static_cast<unsigned char>(text[i]);
    base::DecodedCharacter c = byte < 0x80 ? base::DecodedCharacter{byte, 1, true} : base::decode_utf8(text.substr(i));
    bool is_digit = base::is_digit(c.value);
    if (is_digit && i == 0 && !digit_allowed) return false;
    if (!is_digit && !base::is_letter(c.value) && c.value != '_' && c.value != '$') return false;
    i += c.size;
  }
  return true;
}

std::string quote_label(std::string_view name) {
  bool reads_back = !name.starts_with('#') && !name.starts_with('_') && is_valid_identifier(name);
  return reads_back ? std::string(name) : quote(name);
}

}  // namespace opm::cue::syntax
