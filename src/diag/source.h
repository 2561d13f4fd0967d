// Where a piece of text stands: a position is one 32-bit number over all sources of
// a run, so that everything can carry one; file, line and column are computed when
// someone asks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
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

// Sources whose positions were known before the program ran. Most of them are never looked at.
class StoredSources {
 public:
  virtual ~StoredSources() = default;
  virtual std::size_t count() const = 0;
  // One more than the size of its text before the next one's; the last one ends with the last position of all.
  virtual Position begin(std::size_t source) const = 0;
  virtual std::string_view path(std::size_t source) const = 0;
  virtual std::string text(std::size_t source) const = 0;

  // Where the first one begins, if all of them take so many positions.
  static constexpr Position first_of(std::uint32_t positions) { return {kEnd - positions}; }
  static constexpr std::uint32_t kEnd = 0xFFFF'FFFF;
};

// Sources may be added from several threads (files are read in parallel); a Source
// never moves once added, and neither does its text.
class SourceMap {
 public:
  // The text is kept. A source larger than 1 GiB or a map past 4 GiB is refused: nullptr.
  const Source* add(std::string path, std::string text);
  // Has stored sources, which live as long, behind all that are added. A text is read when somebody asks for a position in
  // it. False: there are others already, or what was added has taken their positions.
  bool stand_on(const StoredSources& stored);
  Location locate(Position position) const;
  const Source* find(Position position) const;
  // The text of the line that `position` is on, without the line break.
  std::string_view line_text(Position position) const;

 private:
  struct Kept {
    Source source;
    std::vector<std::uint32_t> lines;  // where they begin, found when first asked for
  };
  // The mutex is held for these.
  Kept* kept_at(Position position) const;
  Kept* stored_at(Position position) const;
  static const std::vector<std::uint32_t>& lines_of(Kept& kept);

  mutable std::mutex mutex_;
  mutable std::deque<Kept> sources_;
  std::uint32_t next_ = 1;
  const StoredSources* stored_ = nullptr;
  std::uint32_t end_ = StoredSources::kEnd;  // of what may be added
  mutable std::map<std::size_t, Kept> read_;  // of the stored ones
};

}  // namespace opm::diag
