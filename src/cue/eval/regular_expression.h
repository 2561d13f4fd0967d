// Regular expressions with Go's notation and messages, run by RE2. The operators =~ and
// !~ and the package regexp both mean these.
#pragma once

#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cue/eval/simple_pattern.h"

namespace re2 {
class RE2;
}

namespace opm::cue::eval {

class RegularExpression {
 public:
  // A text that a group of a match stands for; nothing where the group took no part.
  using Group = std::optional<std::string_view>;
  // The whole match first, then the groups.
  using Match = std::vector<Group>;

  static std::expected<RegularExpression, std::string> compile(std::string_view pattern);
  // The same for those who run it themselves.
  static std::expected<std::shared_ptr<const re2::RE2>, std::string> compile_program(std::string_view pattern);
  // Whether `pattern` is well formed; else what is wrong with it.
  static std::optional<std::string> complaint(std::string_view pattern);

  RegularExpression(RegularExpression&&) noexcept;
  RegularExpression& operator=(RegularExpression&&) noexcept;
  ~RegularExpression();

  bool matches(std::string_view text) const;
  std::optional<Match> find(std::string_view text) const;
  // From left to right without overlaps; at most `limit`, all of them if it is negative.
  // An empty match right behind another match does not count.
  std::vector<Match> find_all(std::string_view text, std::int64_t limit) const;
  // The names of the whole match and of each group, empty where it has none.
  const std::vector<std::string>& group_names() const { return names_; }

  // Nothing where the result would be longer than `max_bytes`.
  std::optional<std::string> replace_all_literally(std::string_view text, std::string_view replacement,
                                                   std::size_t max_bytes) const;
  // $1, $name, ${1} and ${name} stand for groups, $$ for a dollar.
  std::optional<std::string> replace_all(std::string_view text, std::string_view replacement, std::size_t max_bytes) const;

  // Escapes what means something in a pattern.
  static std::string quote(std::string_view text);

 private:
  explicit RegularExpression(std::shared_ptr<const re2::RE2> program);
  bool match_at(std::string_view text, std::size_t start, Match& match) const;
  template <typename Append>
  std::optional<std::string> replace_each(std::string_view text, std::size_t max_bytes, Append append) const;
  void expand(std::string& out, std::string_view replacement, const Match& match) const;

  std::shared_ptr<const re2::RE2> program_;
  std::vector<std::string> names_;
};

// An expression that is only asked whether texts match, as =~ and !~ ask.
class TextMatcher {
 public:
  static std::expected<TextMatcher, std::string> compile(std::string_view pattern);

  bool matches(std::string_view text) const;

 private:
  std::optional<SimplePattern> simple_;       // where that is enough,
  std::shared_ptr<const re2::RE2> program_;  // else the program
};

// The expressions of a program, compiled once for all of its evaluations, whichever threads they run in.
class RegularExpressionCache {
 public:
  using Compiled = std::expected<std::shared_ptr<const TextMatcher>, std::string>;
  // `cache` may be null.
  static Compiled compile(RegularExpressionCache* cache, std::string_view pattern);

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const TextMatcher>> compiled_;
};

}  // namespace opm::cue::eval
