#include "cue/module/version.h"

#include <optional>

namespace opm::cue::module {
namespace {

struct Parts {
  std::string_view major, minor = "0", patch = "0";
  std::string_view prerelease, build;  // with their '-' and '+'
  unsigned numbers = 1;                // how many of major, minor and patch are written
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_identifier_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

// A number without leading zeros, taken off the front of `text`.
std::optional<std::string_view> take_number(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && is_digit(text[length])) ++length;
  if (length == 0 || (length > 1 && text[0] == '0')) return std::nullopt;
  std::string_view number = text.substr(0, length);
  text.remove_prefix(length);
  return number;
}

bool is_number(std::string_view text) {
  for (char c : text)
    if (!is_digit(c)) return false;
  return !text.empty();
}

// Dot-separated identifiers behind a '-' or '+'; `strict` forbids numbers with leading zeros.
std::optional<std::string_view> take_suffix(std::string_view& text, bool strict) {
  std::size_t length = 1;
  std::size_t start = 1;
  auto is_good = [&](std::size_t end) {
    std::string_view identifier = text.substr(start, end - start);
    return !identifier.empty() && !(strict && identifier.size() > 1 && identifier[0] == '0' && is_number(identifier));
  };
  for (; length < text.size() && (is_identifier_character(text[length]) || text[length] == '.'); ++length) {
    if (text[length] != '.') continue;
    if (!is_good(length)) return std::nullopt;
    start = length + 1;
  }
  if (!is_good(length)) return std::nullopt;
  std::string_view suffix = text.substr(0, length);
  text.remove_prefix(length);
  return suffix;
}

std::optional<Parts> parse(std::string_view text) {
  if (!text.starts_with('v')) return std::nullopt;
  text.remove_prefix(1);
  Parts parts;
  auto major = take_number(text);
  if (!major) return std::nullopt;
  parts.major = *major;
  for (std::string_view* part : {&parts.minor, &parts.patch}) {
    if (text.empty()) return parts;
    if (text[0] != '.') return std::nullopt;
    text.remove_prefix(1);
    auto number = take_number(text);
    if (!number) return std::nullopt;
    *part = *number;
    ++parts.numbers;
  }
  if (text.starts_with('-')) {
    auto suffix = take_suffix(text, true);
    if (!suffix) return std::nullopt;
    parts.prerelease = *suffix;
  }
  if (text.starts_with('+')) {
    auto suffix = take_suffix(text, false);
    if (!suffix) return std::nullopt;
    parts.build = *suffix;
  }
  if (!text.empty()) return std::nullopt;
  return parts;
}

std::strong_ordering compare_numbers(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  return a <=> b;
}

std::string_view take_identifier(std::string_view& text) {
  std::size_t dot = text.find('.');
  std::string_view identifier = text.substr(0, dot);
  text.remove_prefix(dot == std::string_view::npos ? text.size() : dot + 1);
  return identifier;
}

std::strong_ordering compare_prereleases(std::string_view a, std::string_view b) {
  if (a == b) return std::strong_ordering::equal;
  if (a.empty()) return std::strong_ordering::greater;
  if (b.empty()) return std::strong_ordering::less;
  a.remove_prefix(1);
  b.remove_prefix(1);
  while (!a.empty() && !b.empty()) {
    std::string_view left = take_identifier(a);
    std::string_view right = take_identifier(b);
    if (left == right) continue;
    bool left_number = is_number(left);
    if (left_number != is_number(right))
      return left_number ? std::strong_ordering::less : std::strong_ordering::greater;
    return left_number ? compare_numbers(left, right) : left <=> right;
  }
  return a.size() <=> b.size();
}

}  // namespace

bool is_version(std::string_view text) { return parse(text).has_value(); }

std::string canonical_version(std::string_view text) {
  auto parts = parse(text);
  if (!parts) return {};
  std::string result(text.substr(0, text.size() - parts->build.size()));
  for (unsigned i = parts->numbers; i < 3; ++i) result += ".0";
  return result;
}

std::string_view major_version(std::string_view text) {
  auto parts = parse(text);
  return parts ? text.substr(0, 1 + parts->major.size()) : std::string_view();
}

std::string_view prerelease_of(std::string_view text) {
  auto parts = parse(text);
  return parts ? parts->prerelease : std::string_view();
}

std::strong_ordering compare_versions(std::string_view a, std::string_view b) {
  auto left = parse(a);
  auto right = parse(b);
  if (!left || !right) return left.has_value() <=> right.has_value();
  if (auto order = compare_numbers(left->major, right->major); order != 0) return order;
  if (auto order = compare_numbers(left->minor, right->minor); order != 0) return order;
  if (auto order = compare_numbers(left->patch, right->patch); order != 0) return order;
  return compare_prereleases(left->prerelease, right->prerelease);
}

}  // namespace opm::cue::module
