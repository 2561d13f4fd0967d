// Patterns as names and versions have them (letters and classes of ASCII, groups, alternatives, repetitions, anchors at
// the ends), asked whether a text matches. Making one takes a hundredth of what RE2 takes to compile the same, which
// pays where a pattern is asked of a few short texts; the answer takes time proportional to the text, as RE2's does.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace opm::cue::eval {

class SimplePattern {
 public:
  // Nothing where the pattern has anything else in it, right or wrong, or is large.
  static std::optional<SimplePattern> compile(std::string_view pattern);

  // Whether some part of the text matches, as RE2 has it.
  bool matches(std::string_view text) const;

 private:
  friend class SimplePatternParser;

  static constexpr std::size_t kMaxPlaces = 128;
  using Set = std::array<std::uint64_t, kMaxPlaces / 64>;  // of places, or of characters

  // A place of the pattern where one character stands.
  struct Place {
    Set characters{};
    Set next{};  // places that may follow
  };

  std::vector<Place> places_;
  Set first_{};
  Set last_{};
  bool matches_empty_ = false;
  bool from_start_ = false;
  bool to_end_ = false;
};

}  // namespace opm::cue::eval
