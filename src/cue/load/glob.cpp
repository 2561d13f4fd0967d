#include "cue/load/glob.h"

#include <algorithm>
#include <optional>

#include "base/path.h"
#include "base/unicode.h"

namespace opm::cue::load {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// One character of a class, perhaps behind a backslash, taken off the front.
std::optional<char32_t> take_class_character(std::string_view& pattern) {
  if (pattern.empty() || pattern[0] == '-' || pattern[0] == ']') return std::nullopt;
  if (pattern[0] == '\\') pattern.remove_prefix(1);
  base::DecodedCharacter character = base::decode_utf8(pattern);
  if (!character.valid) return std::nullopt;
  pattern.remove_prefix(character.size);
  if (pattern.empty()) return std::nullopt;
  return character.value;
}

struct ClassMatch {
  bool valid = false;
  bool matched = false;
};

// `pattern` stands behind the '['; afterwards behind the ']'.
ClassMatch take_class(std::string_view& pattern, char32_t character) {
  bool negated = pattern.starts_with('^');
  if (negated) pattern.remove_prefix(1);
  bool matched = false;
  for (bool is_first = true;; is_first = false) {
    if (!is_first && pattern.starts_with(']')) {
      pattern.remove_prefix(1);
      return {true, matched != negated};
    }
    auto low = take_class_character(pattern);
    if (!low) return {};
    auto high = low;
    if (pattern.starts_with('-')) {
      pattern.remove_prefix(1);
      high = take_class_character(pattern);
      if (!high) return {};
    }
    if (*low <= character && character <= *high) matched = true;
  }
}

void find_below(const base::FileSystem& files, const std::string& folder, const std::string& prefix,
                std::string_view pattern, std::vector<std::string>& found) {
  std::size_t slash = pattern.find('/');
  std::string_view element = pattern.substr(0, slash);
  auto entries = files.list_directory(folder);
  if (!entries) return;
  for (const base::DirectoryEntry& entry : *entries) {
    if (entry.name.starts_with('.') && !element.starts_with('.')) continue;
    if (!matches_glob(element, entry.name)) continue;
    std::string path = prefix.empty() ? entry.name : prefix + "/" + entry.name;
    if (slash == kNone)
      found.push_back(std::move(path));
    else
      find_below(files, base::join_path(folder, entry.name), path, pattern.substr(slash + 1), found);
  }
}

}  // namespace

std::expected<void, std::string> check_glob(std::string_view pattern) {
  bool behind_star = false;
  while (!pattern.empty()) {
    char c = pattern[0];
    pattern.remove_prefix(1);
    if (c == '*' && behind_star) return std::unexpected("'**' is not supported in patterns as of yet");
    behind_star = c == '*';
    if (c == '\\') {
      if (pattern.empty()) return std::unexpected("syntax error in pattern");
      pattern.remove_prefix(1);
    } else if (c == '[' && !take_class(pattern, 0).valid) {
      return std::unexpected("syntax error in pattern");
    }
  }
  return {};
}

bool matches_glob(std::string_view pattern, std::string_view name) {
  // Where to go on after the last star, should the rest not match.
  std::string_view star_pattern;
  std::string_view star_name;
  bool has_star = false;
  for (;;) {
    bool matched = false;
    if (pattern.empty() && name.empty()) return true;
    if (!pattern.empty() && pattern[0] == '*') {
      pattern.remove_prefix(1);
      star_pattern = pattern;
      star_name = name;
      has_star = true;
      continue;
    }
    if (!pattern.empty() && !name.empty()) {
      base::DecodedCharacter character = base::decode_utf8(name);
      std::string_view rest = pattern;
      char c = rest[0];
      rest.remove_prefix(1);
      if (c == '?') {
        matched = true;
      } else if (c == '[') {
        ClassMatch result = take_class(rest, character.value);
        matched = result.valid && result.matched;
      } else {
        if (c == '\\' && !rest.empty()) {
          c = rest[0];
          rest.remove_prefix(1);
        }
        matched = name[0] == c;
        character.size = 1;
      }
      if (matched) {
        pattern = rest;
        name.remove_prefix(character.size);
        continue;
      }
    }
    if (!has_star || star_name.empty()) return false;
    star_name.remove_prefix(1);
    pattern = star_pattern;
    name = star_name;
  }
}

std::vector<std::string> find_glob(const base::FileSystem& files, const std::string& folder, std::string_view pattern) {
  std::vector<std::string> found;
  find_below(files, folder, {}, pattern, found);
  std::ranges::sort(found);
  return found;
}

}  // namespace opm::cue::load
