#include <algorithm>
#include <array>
#include <utility>

#include "base/text_builder.h"
#include "base/unicode.h"
#include "data/base64.h"
#include "data/yaml.h"
#include "data/yaml_scalar.h"

namespace opm::data {

namespace {

constexpr std::size_t kIndent = 2;
// A longer key is written in the form with "? ", because readers need not accept it as a simple one.
constexpr std::size_t kLongestSimpleKey = 128;
// Base64 of this length is broken into lines by other encoders, and therefore goes into a block.
constexpr std::size_t kBase64Line = 70;

constexpr char32_t kByteOrderMark = 0xFEFF;

enum class ScalarStyle { plain, single_quoted, double_quoted, literal };

// What the characters of a string allow.
struct TextTraits {
  bool is_multiline = false;
  bool has_separator = false;  // U+2028 or U+2029, a line break to readers of YAML 1.1 only
  bool allows_plain = true;
  bool allows_single_quotes = true;
  bool allows_block = true;
};

std::size_t break_size(std::string_view text, std::size_t at) {
  switch (text[at]) {
    case '\r':
    case '\n':
      return 1;
    case '\xC2':
      return text.substr(at).starts_with("\xC2\x85") ? 2 : 0;
    case '\xE2':
      return text.substr(at).starts_with("\xE2\x80\xA8") || text.substr(at).starts_with("\xE2\x80\xA9") ? 3 : 0;
    default:
      return 0;
  }
}

// Where the line ends that goes on at `at`.
std::size_t find_break(std::string_view text, std::size_t at) {
  while (at < text.size() && break_size(text, at) == 0) ++at;
  return at;
}

// The size of the break that the text ends in; 0: none.
std::size_t ends_in_break(std::string_view text) {
  if (text.empty()) return 0;
  std::size_t last = text.size() - 1;
  if (static_cast<unsigned char>(text[last]) < 0x80) return text[last] == '\n' || text[last] == '\r' ? 1 : 0;
  while (last > 0 && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
  return break_size(text, last);
}

// Printable within the basic plane, which every YAML reader takes as is.
bool is_written_as_is(char32_t character) {
  if (character < 0x80) return character == '\n' || (character >= 0x20 && character < 0x7F);
  return character >= 0xA0 && character <= 0xFFFD && character != kByteOrderMark;
}

bool is_indicator_at_start(char character) {
  return std::string_view("#,[]{}&*!|>'\"%@`").find(character) != std::string_view::npos;
}

constexpr bool is_letter(unsigned char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Letters, digits and - . / _
constexpr auto kWordCharacters = [] {
  std::array<bool, 256> table{};
  for (unsigned c = 0; c < table.size(); ++c) table[c] = is_letter(static_cast<unsigned char>(c)) || (c >= '-' && c <= '9') || c == '_';
  return table;
}();

constexpr bool begins_special(char c) { return std::string_view("nNtTfFyYoO").find(c) != std::string_view::npos; }

bool is_word_character(char c) { return kWordCharacters[static_cast<unsigned char>(c)]; }

// Words with colons between them, as images have and times: nothing of it is an indicator, or written in another way.
bool is_plain_throughout(std::string_view text) {
  if (!is_word_character(text.front()) || text.front() == '-' || text.front() == '.' || text.back() == ':') return false;
  return std::ranges::all_of(text, [](char c) { return is_word_character(c) || c == ':'; });
}

TextTraits analyse(std::string_view text) {
  TextTraits traits;
  if (text.empty()) {
    traits.allows_block = false;
    return traits;
  }
  if (is_plain_throughout(text)) return traits;
  bool has_indicator = text.starts_with("---") || text.starts_with("...");
  bool has_special = false;
  bool has_tab = false;
  bool space_before_break = false;
  bool break_before_space = false;
  bool after_space = false;
  bool after_break = false;
  bool after_blank = true;  // the start counts
  for (std::size_t at = 0; at < text.size();) {
    auto byte = static_cast<unsigned char>(text[at]);
    std::size_t size = 1;
    std::size_t as_break = break_size(text, at);
    if (as_break > 0) {
      size = as_break;
      traits.has_separator |= as_break == 3;
      has_special |= text[at] != '\n' && as_break != 3;
    } else if (byte >= 0x80) {
      auto character = base::decode_utf8(text.substr(at));
      size = character.size;
      if (!is_written_as_is(character.value)) has_special = true;
    } else if (byte == '\t') {
      has_tab = true;
    } else if (!is_written_as_is(byte)) {
      has_special = true;
    }
    bool blank_follows = at + size >= text.size() || text[at + size] == ' ' || text[at + size] == '\t';
    if (at == 0) {
      bool opens = text[0] == '?' || text[0] == ':' || text[0] == '-';
      if (is_indicator_at_start(text[0]) || (opens && blank_follows)) has_indicator = true;
    } else if ((text[at] == ':' && blank_follows) || (text[at] == '#' && after_blank)) {
      has_indicator = true;
    }
    if (text[at] == ' ') {
      if (after_break) break_before_space = true;
      after_space = true;
      after_break = false;
    } else if (as_break > 0) {
      traits.is_multiline = true;
      if (after_space) space_before_break = true;
      after_space = false;
      after_break = true;
    } else {
      after_space = false;
      after_break = false;
    }
    after_blank = text[at] == ' ' || text[at] == '\t' || text[at] == '\0' || as_break > 0;
    at += size;
  }
  bool blank_edge = text.front() == ' ' || after_space || break_size(text, 0) > 0 || after_break;
  traits.allows_single_quotes = !(break_before_space || space_before_break || has_tab || has_special);
  traits.allows_plain = traits.allows_single_quotes && !blank_edge && !traits.is_multiline && !has_indicator;
  traits.allows_block = !(after_space || space_before_break || has_special);
  return traits;
}

// Words of letters, digits and a few signs that need no closer look: most keys and many values.
// Only short words mean something else to YAML: null, no, true, false, yes, on, off and what stands for them.
bool is_simple_word(std::string_view text) {
  constexpr std::size_t kLongestSpecial = 5;  // "false"
  if (text.empty() || text.size() > kLongestSimpleKey || !is_letter(static_cast<unsigned char>(text[0]))) return false;
  if (text.size() <= kLongestSpecial && begins_special(text[0]) && is_yaml_ambiguous(text)) return false;
  bool is_word = true;
  for (char c : text) is_word &= is_word_character(c);
  return is_word;
}

class YamlWriter {
 public:
  YamlWriter(std::string& out, const YamlWriteOptions& options) : options_(options), out_(out) {}

  void write(const Value& value) {
    append_node(value, 0, Place::root);
    end_line();
  }

 private:
  // Where a node stands decides where its first line goes.
  enum class Place { root, after_key, after_indicator };

  // A text of several lines may have ended its last one.
  void end_line() {
    if (ends_in_break(out_.view()) == 0) out_.add('\n');
  }
  void new_line(std::size_t indent) {
    end_line();
    out_.add_spaces(indent);
  }

  // `indent` is that of the collection which the node belongs to.
  void append_node(const Value& value, std::size_t indent, Place place) {
    if (value.is_map() && !value.as_map().empty()) {
      append_map(value.as_map(), place == Place::root ? 0 : indent + kIndent, place);
    } else if (value.is_list() && !value.as_list().empty()) {
      bool same_column = place == Place::root || (place == Place::after_key && !options_.indent_lists);
      append_list(value.as_list(), place == Place::root ? 0 : same_column ? indent : indent + kIndent, place);
    } else {
      if (place != Place::root) out_.add(' ');
      append_leaf(value, indent + kIndent);
    }
  }

  // Puts the cursor where an entry of a collection begins.
  void start_entry(bool first, std::size_t indent, Place place) {
    if (first && place == Place::root) return;
    if (first && place == Place::after_indicator) {
      out_.add(' ');
    } else {
      new_line(indent);
    }
  }

  void append_list(const List& list, std::size_t indent, Place place) {
    bool first = true;
    for (const Value& item : list) {
      start_entry(std::exchange(first, false), indent, place);
      out_.add('-');
      append_node(item, indent, Place::after_indicator);
    }
  }

  void append_map(const Map& map, std::size_t indent, Place place) {
    bool first = true;
    if (!options_.sort_keys || std::ranges::is_sorted(map, {}, &Member::key)) {
      for (const Member& member : map) append_member(member, std::exchange(first, false), indent, place);
      return;
    }
    for (const Member* member : sorted_members(map)) append_member(*member, std::exchange(first, false), indent, place);
  }

  void append_member(const Member& member, bool first, std::size_t indent, Place place) {
    start_entry(first, indent, place);
    if (is_simple_word(member.key)) {
      out_.add(member.key);
      out_.add(':');
      append_node(member.value, indent, Place::after_key);
      return;
    }
    TextTraits traits = analyse(member.key);
    if (traits.is_multiline || member.key.size() > kLongestSimpleKey) {
      out_.add("? ");
      append_string(member.key, traits, indent + kIndent, false);
      new_line(indent);
      out_.add(':');
      append_node(member.value, indent, Place::after_indicator);
    } else {
      append_string(member.key, traits, indent + kIndent, true);
      out_.add(':');
      append_node(member.value, indent, Place::after_key);
    }
  }

  void append_leaf(const Value& value, std::size_t indent) {
    if (value.is_null()) {
      out_.add("null");
    } else if (value.is_bool()) {
      out_.add(std::string_view(value.as_bool() ? "true" : "false"));
    } else if (value.is_number()) {
      const NumberText& number = value.as_number();
      out_.add(number.text);
      // A float stays one, as in CUE: 6. is not 6.
      if (!number.is_integer && number.text.find_first_of(".eE") == std::string::npos) out_.add('.');
    } else if (value.is_string() && is_simple_word(value.as_string())) {
      out_.add(value.as_string());
    } else if (value.is_string()) {
      append_string(value.as_string(), analyse(value.as_string()), indent, false);
    } else if (value.is_bytes()) {
      append_bytes(value.as_bytes().bytes, indent);
    } else {
      out_.add(std::string_view(value.is_list() ? "[]" : "{}"));
    }
  }

  void append_bytes(const std::string& bytes, std::size_t indent) {
    std::string text;
    append_base64(text, bytes);
    bool is_text = base::find_invalid_utf8(bytes) == std::string_view::npos;
    bool in_block = is_text ? bytes.find('\n') != std::string::npos : text.size() >= kBase64Line;
    out_.add("!!binary");
    if (text.empty()) return;
    out_.add(' ');
    if (in_block) {
      out_.add("|-");
      new_line(indent);
    }
    out_.add(text);
  }

  bool must_quote(std::string_view text) const {
    if (is_yaml_legacy(text)) return true;
    if (options_.style == YamlStyle::strict && is_yaml_ambiguous(text)) return true;
    YamlKind kind = resolve_yaml_plain(text);
    return kind != YamlKind::string && kind != YamlKind::merge;
  }

  ScalarStyle choose_style(std::string_view text, const TextTraits& traits, bool is_simple_key) const {
    bool strict = options_.style == YamlStyle::strict;
    if (strict && traits.has_separator) return ScalarStyle::double_quoted;
    if (text.find('\n') != std::string_view::npos) {
      // A tab at the very start of a block is indentation to most readers.
      bool safe_start = !strict || text.front() != '\t';
      return traits.allows_block && safe_start && !is_simple_key ? ScalarStyle::literal : ScalarStyle::double_quoted;
    }
    if (must_quote(text)) return ScalarStyle::double_quoted;
    if (traits.allows_plain) return ScalarStyle::plain;
    return traits.allows_single_quotes ? ScalarStyle::single_quoted : ScalarStyle::double_quoted;
  }

  void append_string(const std::string& text, const TextTraits& traits, std::size_t indent, bool is_simple_key) {
    if (base::find_invalid_utf8(text) != std::string_view::npos) {
      append_bytes(text, indent);
      return;
    }
    switch (choose_style(text, traits, is_simple_key)) {
      case ScalarStyle::plain:
        out_.add(text);
        break;
      case ScalarStyle::single_quoted:
        append_single_quoted(text, indent);
        break;
      case ScalarStyle::double_quoted:
        append_double_quoted(text);
        break;
      case ScalarStyle::literal:
        append_literal(text, indent);
        break;
    }
  }

  // Breaks other than line feeds get here too; they stand as they are, with the next line indented.
  void append_single_quoted(std::string_view text, std::size_t indent) {
    out_.add('\'');
    bool after_break = false;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t as_break = break_size(text, at);
      if (as_break == 0 && after_break && text[at] != ' ') out_.add_spaces(indent);
      if (text[at] == '\'') out_.add('\'');
      std::size_t size = as_break > 0 ? as_break : 1;
      out_.add(text.substr(at, size));
      after_break = as_break > 0;
      at += size;
    }
    out_.add('\'');
  }

  void append_double_quoted(std::string_view text) {
    // CUE's encoder escapes every character of a text that begins with a byte order mark.
    bool escape_all = options_.style == YamlStyle::cue && text.starts_with("\xEF\xBB\xBF");
    out_.add('"');
    for (std::size_t at = 0; at < text.size();) {
      auto character = base::decode_utf8(text.substr(at));
      bool is_quote = character.value == '"' || character.value == '\\';
      if (is_written_as_is(character.value) && !is_quote && !escape_all && break_size(text, at) == 0) {
        out_.add(text.substr(at, character.size));
      } else {
        append_escape(character.value);
      }
      at += character.size;
    }
    out_.add('"');
  }

  void append_escape(char32_t character) {
    struct Short {
      char32_t character;
      char letter;
    };
    static constexpr Short kShort[] = {{0, '0'},     {7, 'a'},      {8, 'b'},        {9, 't'},        {10, 'n'},
                                       {11, 'v'},    {12, 'f'},     {13, 'r'},       {27, 'e'},       {'"', '"'},
                                       {'\\', '\\'}, {0x85, 'N'},   {0xA0, '_'},     {0x2028, 'L'},   {0x2029, 'P'}};
    out_.add('\\');
    for (const Short& entry : kShort) {
      if (entry.character == character) {
        out_.add(entry.letter);
        return;
      }
    }
    constexpr std::string_view kHex = "0123456789ABCDEF";
    int digits = character <= 0xFF ? 2 : character <= 0xFFFF ? 4 : 8;
    out_.add(digits == 2 ? 'x' : digits == 4 ? 'u' : 'U');
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) out_.add(kHex[(character >> shift) & 15]);
  }

  void append_literal(std::string_view text, std::size_t indent) {
    out_.add('|');
    if (text.front() == ' ' || break_size(text, 0) > 0) out_.add(static_cast<char>('0' + kIndent));
    std::size_t last_break = ends_in_break(text);
    if (last_break == 0) {
      out_.add('-');
    } else if (text.size() == last_break || ends_in_break(text.substr(0, text.size() - last_break)) > 0) {
      out_.add('+');
    }
    out_.add('\n');
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = find_break(text, at);
      if (end > at) out_.add_spaces(indent);
      if (end < text.size()) end += break_size(text, end);
      out_.add(text.substr(at, end - at));
      at = end;
    }
  }

  const YamlWriteOptions& options_;
  base::TextBuilder out_;
};

}  // namespace

void append_yaml(std::string& out, const Value& value, const YamlWriteOptions& options) { YamlWriter(out, options).write(value); }

std::string write_yaml(const Value& value, const YamlWriteOptions& options) {
  std::string text;
  append_yaml(text, value, options);
  return text;
}

}  // namespace opm::data
