// Functions on text with the meaning that CUE's package strings gives them. Offsets are
// in bytes; a character is a Unicode code point.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cue/std/bind.h"

namespace opm::cue::standard::text {

// Letter case of one character, by Unicode's simple (one to one) mapping.
char32_t upper(char32_t character);
char32_t lower(char32_t character);
char32_t title(char32_t character);
// Equal but for letter case.
bool equal_fold(std::string_view a, std::string_view b);

std::u32string characters(std::string_view text);
std::int64_t character_count(std::string_view text);

std::string to_upper(std::string_view text);
std::string to_lower(std::string_view text);
// The first character of each word in title case, or in lower case; the rest as it is.
std::string to_title(std::string_view text);
std::string to_camel(std::string_view text);

std::int64_t compare(std::string_view a, std::string_view b);
// Without overlaps; the empty string is found before each character and at the end.
std::int64_t count(std::string_view text, std::string_view part);
bool contains(std::string_view text, std::string_view part);
bool contains_any(std::string_view text, std::string_view set);
std::int64_t index(std::string_view text, std::string_view part);
std::int64_t last_index(std::string_view text, std::string_view part);
std::int64_t index_any(std::string_view text, std::string_view set);
std::int64_t last_index_any(std::string_view text, std::string_view set);

// At most `limit` pieces, the last of them the unsplit rest; all of them if it is
// negative. An empty separator splits into characters.
std::vector<std::string> split_limited(std::string_view text, std::string_view separator, std::int64_t limit);
std::vector<std::string> split(std::string_view text, std::string_view separator);
// The same, each piece with the separator that ended it.
std::vector<std::string> split_after_limited(std::string_view text, std::string_view separator, std::int64_t limit);
std::vector<std::string> split_after(std::string_view text, std::string_view separator);
// Words between white space.
std::vector<std::string> fields(std::string_view text);
Result<std::string> join(const std::vector<std::string_view>& parts, std::string_view separator);

std::string trim(std::string_view text, std::string_view set);
std::string trim_left(std::string_view text, std::string_view set);
std::string trim_right(std::string_view text, std::string_view set);
std::string trim_space(std::string_view text);
std::string trim_prefix(std::string_view text, std::string_view prefix);
std::string trim_suffix(std::string_view text, std::string_view suffix);
bool has_prefix(std::string_view text, std::string_view prefix);
bool has_suffix(std::string_view text, std::string_view suffix);

// The first `limit` finds, all of them if it is negative.
Result<std::string> replace(std::string_view text, std::string_view old_part, std::string_view new_part, std::int64_t limit);
Result<std::string> repeat(std::string_view text, std::int64_t count);

Result<std::int64_t> byte_at(BytesView bytes, std::int64_t index);
Result<ByteString> byte_slice(BytesView bytes, std::int64_t start, std::int64_t end);
Result<std::string> slice_characters(std::string_view text, std::int64_t start, std::int64_t end);
std::vector<std::int64_t> code_points(std::string_view text);
bool has_at_least(std::string_view text, std::int64_t characters);
bool has_at_most(std::string_view text, std::int64_t characters);

}  // namespace opm::cue::standard::text
