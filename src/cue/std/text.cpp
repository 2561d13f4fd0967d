#include "cue/std/text.h"

#include <fmt/core.h>
#include <utf8proc.h>

#include <algorithm>

#include "base/unicode.h"

namespace opm::cue::standard::text {
namespace {

using base::decode_utf8;
using base::is_space;

constexpr char32_t kSharpS = 0xDF;  // utf8proc has a capital for it, Unicode's simple mapping has none

utf8proc_int32_t code(char32_t character) { return static_cast<utf8proc_int32_t>(character); }

template <typename Function>
std::string map_characters(std::string_view text, Function function) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    auto character = decode_utf8(text);
    base::append_utf8(result, function(character.value));
    text.remove_prefix(character.size);
  }
  return result;
}

template <char32_t (*change)(char32_t)>
std::string change_word_starts(std::string_view text) {
  char32_t previous = ' ';
  return map_characters(text, [&](char32_t character) {
    bool starts_word = is_space(previous);
    previous = character;
    return starts_word ? change(character) : character;
  });
}

// The last character of a text that is not empty.
base::DecodedCharacter last_character(std::string_view text) {
  for (std::size_t size = std::min<std::size_t>(4, text.size()); size > 1; --size) {
    auto character = decode_utf8(text.substr(text.size() - size));
    if (character.valid && character.size == size) return character;
  }
  return decode_utf8(text.substr(text.size() - 1));
}

bool holds(std::string_view set, std::string_view character) { return set.find(character) != std::string_view::npos; }

template <typename Predicate>
std::string_view without_leading(std::string_view text, Predicate drop) {
  while (!text.empty()) {
    auto character = decode_utf8(text);
    if (!drop(character.value, text.substr(0, character.size))) break;
    text.remove_prefix(character.size);
  }
  return text;
}

template <typename Predicate>
std::string_view without_trailing(std::string_view text, Predicate drop) {
  while (!text.empty()) {
    auto character = last_character(text);
    if (!drop(character.value, text.substr(text.size() - character.size))) break;
    text.remove_suffix(character.size);
  }
  return text;
}

auto in_set(std::string_view set) {
  return [set](char32_t, std::string_view character) { return holds(set, character); };
}
bool drop_space(char32_t character, std::string_view) { return is_space(character); }

std::vector<std::string> split_characters(std::string_view text, std::int64_t limit) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    if (limit > 0 && static_cast<std::int64_t>(pieces.size()) == limit - 1) {
      pieces.emplace_back(text);
      break;
    }
    auto character = decode_utf8(text);
    pieces.emplace_back(text.substr(0, character.size));
    text.remove_prefix(character.size);
  }
  return pieces;
}

std::vector<std::string> split_keeping(std::string_view text, std::string_view separator, std::int64_t limit, std::size_t kept) {
  if (limit == 0) return {};
  if (separator.empty()) return split_characters(text, limit);
  std::vector<std::string> pieces;
  while (limit < 0 || static_cast<std::int64_t>(pieces.size()) < limit - 1) {
    std::size_t at = text.find(separator);
    if (at == std::string_view::npos) break;
    pieces.emplace_back(text.substr(0, at + kept));
    text.remove_prefix(at + separator.size());
  }
  pieces.emplace_back(text);
  return pieces;
}

std::int64_t position_or_none(std::size_t found) {
  return found == std::string_view::npos ? -1 : static_cast<std::int64_t>(found);
}

std::string too_long() { return fmt::format("result of more than {} bytes", kMaxResultBytes); }

}  // namespace

char32_t upper(char32_t character) {
  if (character < 0x80) return character >= 'a' && character <= 'z' ? character - 32 : character;
  return character == kSharpS ? character : static_cast<char32_t>(utf8proc_toupper(code(character)));
}

char32_t lower(char32_t character) {
  if (character < 0x80) return character >= 'A' && character <= 'Z' ? character + 32 : character;
  return static_cast<char32_t>(utf8proc_tolower(code(character)));
}

char32_t title(char32_t character) {
  if (character < 0x80 || character == kSharpS) return upper(character);
  return static_cast<char32_t>(utf8proc_totitle(code(character)));
}

bool equal_fold(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    auto x = decode_utf8(a);
    auto y = decode_utf8(b);
    if (x.value != y.value && lower(upper(x.value)) != lower(upper(y.value))) return false;
    a.remove_prefix(x.size);
    b.remove_prefix(y.size);
  }
  return a.empty() && b.empty();
}

std::u32string characters(std::string_view text) {
  std::u32string result;
  while (!text.empty()) {
    auto character = decode_utf8(text);
    result.push_back(character.value);
    text.remove_prefix(character.size);
  }
  return result;
}

std::int64_t character_count(std::string_view text) {
  std::int64_t result = 0;
  while (!text.empty()) {
    text.remove_prefix(decode_utf8(text).size);
    ++result;
  }
  return result;
}

std::string to_upper(std::string_view text) { return map_characters(text, upper); }
std::string to_lower(std::string_view text) { return map_characters(text, lower); }
std::string to_title(std::string_view text) { return change_word_starts<title>(text); }
std::string to_camel(std::string_view text) { return change_word_starts<lower>(text); }

std::int64_t compare(std::string_view a, std::string_view b) { return a < b ? -1 : a > b ? 1 : 0; }

std::int64_t count(std::string_view text, std::string_view part) {
  if (part.empty()) return character_count(text) + 1;
  std::int64_t result = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++result;
  return result;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
bool contains_any(std::string_view text, std::string_view set) { return index_any(text, set) >= 0; }
std::int64_t index(std::string_view text, std::string_view part) { return position_or_none(text.find(part)); }
std::int64_t last_index(std::string_view text, std::string_view part) { return position_or_none(text.rfind(part)); }

std::int64_t index_any(std::string_view text, std::string_view set) {
  for (std::size_t at = 0; at < text.size();) {
    auto character = decode_utf8(text.substr(at));
    if (holds(set, text.substr(at, character.size))) return static_cast<std::int64_t>(at);
    at += character.size;
  }
  return -1;
}

std::int64_t last_index_any(std::string_view text, std::string_view set) {
  while (!text.empty()) {
    std::size_t size = last_character(text).size;
    std::size_t at = text.size() - size;
    if (holds(set, text.substr(at))) return static_cast<std::int64_t>(at);
    text.remove_suffix(size);
  }
  return -1;
}

std::vector<std::string> split_limited(std::string_view text, std::string_view separator, std::int64_t limit) {
  return split_keeping(text, separator, limit, 0);
}
std::vector<std::string> split(std::string_view text, std::string_view separator) {
  return split_keeping(text, separator, -1, 0);
}
std::vector<std::string> split_after_limited(std::string_view text, std::string_view separator, std::int64_t limit) {
  return split_keeping(text, separator, limit, separator.size());
}
std::vector<std::string> split_after(std::string_view text, std::string_view separator) {
  return split_keeping(text, separator, -1, separator.size());
}

std::vector<std::string> fields(std::string_view text) {
  std::vector<std::string> words;
  for (;;) {
    text = without_leading(text, drop_space);
    if (text.empty()) return words;
    std::string_view rest = without_leading(text, [](char32_t c, std::string_view) { return !is_space(c); });
    words.emplace_back(text.substr(0, text.size() - rest.size()));
    text = rest;
  }
}

Result<std::string> join(const std::vector<std::string_view>& parts, std::string_view separator) {
  std::size_t size = 0;
  for (std::string_view part : parts) {
    size += part.size() + separator.size();
    if (size > kMaxResultBytes) return wrong(too_long());
  }
  std::string result;
  result.reserve(size);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) result += separator;
    result += parts[i];
  }
  return result;
}

std::string trim(std::string_view text, std::string_view set) {
  return std::string(without_trailing(without_leading(text, in_set(set)), in_set(set)));
}
std::string trim_left(std::string_view text, std::string_view set) { return std::string(without_leading(text, in_set(set))); }
std::string trim_right(std::string_view text, std::string_view set) { return std::string(without_trailing(text, in_set(set))); }
std::string trim_space(std::string_view text) {
  return std::string(without_trailing(without_leading(text, drop_space), drop_space));
}
std::string trim_prefix(std::string_view text, std::string_view prefix) {
  return std::string(text.starts_with(prefix) ? text.substr(prefix.size()) : text);
}
std::string trim_suffix(std::string_view text, std::string_view suffix) {
  return std::string(text.ends_with(suffix) ? text.substr(0, text.size() - suffix.size()) : text);
}
bool has_prefix(std::string_view text, std::string_view prefix) { return text.starts_with(prefix); }
bool has_suffix(std::string_view text, std::string_view suffix) { return text.ends_with(suffix); }

Result<std::string> replace(std::string_view text, std::string_view old_part, std::string_view new_part, std::int64_t limit) {
  std::int64_t finds = count(text, old_part);
  if (limit < 0 || finds < limit) limit = finds;
  if (limit == 0 || old_part == new_part) return std::string(text);
  if (text.size() + static_cast<std::size_t>(limit) * new_part.size() > kMaxResultBytes) return wrong(too_long());

  std::string result;
  for (std::int64_t done = 0; done < limit; ++done) {
    std::size_t at;
    if (old_part.empty()) {
      // Before the first character, then behind each.
      at = done == 0 ? 0 : decode_utf8(text).size;
    } else {
      at = text.find(old_part);
    }
    result += text.substr(0, at);
    result += new_part;
    text.remove_prefix(at + old_part.size());
  }
  result += text;
  return result;
}

Result<std::string> repeat(std::string_view text, std::int64_t count) {
  if (count < 0) return wrong("negative count");
  if (count > kMaxRepeatCount) return wrong(fmt::format("count {} exceeds limit of {}", count, kMaxRepeatCount));
  std::size_t times = static_cast<std::size_t>(count);
  if (text.size() * times > kMaxResultBytes) return wrong(too_long());
  std::string result;
  result.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

Result<std::int64_t> byte_at(BytesView bytes, std::int64_t index) {
  if (index < 0 || index >= static_cast<std::int64_t>(bytes.bytes.size())) return wrong("index out of range");
  return static_cast<unsigned char>(bytes.bytes[static_cast<std::size_t>(index)]);
}

Result<ByteString> byte_slice(BytesView bytes, std::int64_t start, std::int64_t end) {
  if (start < 0 || start > end || end > static_cast<std::int64_t>(bytes.bytes.size())) return wrong("index out of range");
  return ByteString{std::string(bytes.bytes.substr(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start)))};
}

Result<std::string> slice_characters(std::string_view text, std::int64_t start, std::int64_t end) {
  if (start < 0 || start > end) return wrong("index out of range");
  std::size_t first = text.size();
  std::size_t at = 0;
  for (std::int64_t n = 0;; ++n) {
    if (n == start) first = at;
    if (n == end) return std::string(text.substr(first, at - first));
    if (at == text.size()) return wrong("index out of range");
    at += decode_utf8(text.substr(at)).size;
  }
}

std::vector<std::int64_t> code_points(std::string_view text) {
  std::u32string all = characters(text);
  return {all.begin(), all.end()};
}

bool has_at_least(std::string_view text, std::int64_t wanted) { return character_count(text) >= wanted; }
bool has_at_most(std::string_view text, std::int64_t wanted) { return character_count(text) <= wanted; }

}  // namespace opm::cue::standard::text
