// Where a piece of text stands: a position is one 32-bit number over all sources of
// a run, so that everything can carry one; file, line and column are computed when
// someone asks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace opm::diag {

struct Position {
  std::uint32_t value = 0;  // 0: nowhere
  bool valid() const { return value != 0; }
  auto operator<=>(const Position&) const = default;
  Position plus(std::uint32_t bytes) const { return {value + bytes}; }
};

struct Location {
  std::string_view file;  // as it was named when added; empty: nowhere
  std::uint32_t line = 0;    // from 1
  std::uint32_t column = 0;  // from 1, in bytes, as CUE counts
  std::uint32_t offset = 0;  // in the file
};

struct Source {
  std::string path;
  std::string text;
  Position begin;  // position of the first byte
};

// Sources may be added from several threads (files are read in parallel); a Source
// never moves once added, and neither does its text.
class SourceMap {
 public:
  // The text is kept. A source larger than 1 GiB or a map past 4 GiB is refused: nullptr.
  const Source* add(std::string path, std::string text);
  Location locate(Position position) const;
  const Source* find(Position position) const;
  // The text of the line that `position` is on, without the line break.
  std::string_view line_text(Position position) const;

 private:
  static constexpr std::size_t kNotFound = static_cast<std::size_t>(-1);
  std::size_t index_of(Position position) const;  // the mutex is held
  const std::vector<std::uint32_t>& lines_of(std::size_t index) const;

  mutable std::mutex mutex_;
  std::deque<Source> sources_;
  mutable std::deque<std::vector<std::uint32_t>> lines_;  // where lines begin, found when first asked for
  std::uint32_t next_ = 1;
};

}  // namespace opm::diag
