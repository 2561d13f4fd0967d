// Where a piece of text stands: a position is one 32-bit number over all sources of
// a run, so that everything can carry one; file, line and column are computed when
// someone asks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
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
  std::string text;  // empty, where it is read later, until the map was asked for it
  Position begin;  // position of the first byte
};

// Sources may be added from several threads (files are read in parallel); a Source
// never moves once added, and neither does its text.
class SourceMap {
 public:
  // The text is kept. A source larger than 1 GiB or a map past 4 GiB is refused: nullptr.
  const Source* add(std::string path, std::string text);
  // Many at once, of which few will be looked at: a text is read when somebody asks the map about a position in it. `read`
  // is called once for each, by its place among `sources`. Nothing: there is no room.
  struct Unread {
    std::string path;
    std::size_t size = 0;
  };
  using Read = std::function<std::string(std::size_t)>;
  std::vector<const Source*> add_unread(std::vector<Unread> sources, Read read);
  Location locate(Position position) const;
  const Source* find(Position position) const;
  // The text of the line that `position` is on, without the line break.
  std::string_view line_text(Position position) const;

 private:
  static constexpr std::size_t kNotFound = static_cast<std::size_t>(-1);
  struct Lot {
    std::size_t first;
    std::size_t count;
    Read read;
  };
  // The mutex is held for all of these.
  const Source* append(std::string path, std::size_t size);
  std::size_t index_of(Position position) const;
  const Source& readable(std::size_t index) const;
  const std::vector<std::uint32_t>& lines_of(std::size_t index) const;

  mutable std::mutex mutex_;
  mutable std::deque<Source> sources_;  // a text may be read late
  std::vector<Lot> unread_;
  mutable std::deque<std::vector<std::uint32_t>> lines_;  // where lines begin, found when first asked for
  std::uint32_t next_ = 1;
};

}  // namespace opm::diag
