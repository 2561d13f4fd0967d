// Text whose lines stand in columns. Text is appended to one buffer; a stop ends a cell,
// and cells above each other in neighbouring lines are padded to the same width when the
// section they belong to ends. The last cell of a line is never padded. Indentation counts
// as columns too (one empty cell per tab), so lines of unlike depth seldom share a column.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/stack.h"

namespace opm::cue::syntax {

class ColumnWriter {
 public:
  ColumnWriter(std::size_t expected_size, std::size_t tab_width);

  void append(std::string_view text) {
    if (text.size() > static_cast<std::size_t>(limit_ - cursor_)) grow(text.size());
    copy(cursor_, text);
    cursor_ += text.size();
  }
  void append(char byte) {
    if (cursor_ == limit_) grow(1);
    *cursor_++ = byte;
  }
  // The first `size` bytes. All are copied, which takes no look at how many are wanted.
  void append(const std::array<char, 16>& text, std::size_t size) {
    if (text.size() > static_cast<std::size_t>(limit_ - cursor_)) grow(text.size());
    std::memcpy(cursor_, text.data(), text.size());
    cursor_ += size;
  }
  // Remembers the end of the text written so far...
  void mark() { mark_ = size(); }
  // ...so that more can be put there later, before what was written since.
  void insert_at_mark(std::string_view text);
  // Ends a cell. A blank is written behind what is in it, which is all where no other line has the column; how much more it
  // takes is known when the section ends.
  void stop() {
    if (lines_.back().like_it > 0) [[unlikely]] part_last_line();
    std::size_t at = size();
    bool is_empty = at == cell_begin(lines_.size() - 1, stops_.size());
    if (!is_empty) append(' ');
    stops_.push_back({.at = at, .blanks = !is_empty, .padding = !is_empty});
  }
  void end_line(std::size_t next_indent);
  // Ends the line and adds another one, of text without a line break.
  void append_line(std::size_t indent, std::string_view text);
  // Ends the line and the columns; `empty_lines` more follow.
  void end_section(std::size_t next_indent, std::size_t empty_lines);

  bool empty() const { return size() == 0; }
  std::string take();

 private:
  // A line, and those of append_line below it that are like it: without cells, and with the same indentation. To the columns
  // they are one.
  struct Line {
    std::size_t begin;
    std::uint32_t indent;
    std::uint32_t first_stop;
    std::uint32_t extra_tabs = 0;
    std::uint32_t like_it = 0;
  };
  struct Stop {
    std::size_t at;
    std::uint32_t blanks;  // that stand there already
    std::uint32_t padding;
    char pad = ' ';
  };

  // Most tokens are a few bytes long, too short for a call of memcpy to pay.
  static void copy(char* to, std::string_view text) {
    std::size_t size = text.size();
    const char* from = text.data();
    if (size > 16) {
      std::memcpy(to, from, size);
    } else if (size >= 8) {
      std::memcpy(to, from, 8);
      std::memcpy(to + size - 8, from + size - 8, 8);
    } else if (size >= 4) {
      std::memcpy(to, from, 4);
      std::memcpy(to + size - 4, from + size - 4, 4);
    } else {
      for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
    }
  }
  std::size_t size() const { return static_cast<std::size_t>(cursor_ - text_.data()); }
  [[gnu::cold]] void grow(std::size_t needed);

  void break_line(std::size_t indent);
  void begin_line(std::size_t indent);
  void part_last_line();
  void align();
  void align_column(std::size_t column, std::size_t first, std::size_t last);
  void align_run(std::size_t column, std::size_t first, std::size_t last);
  void insert_padding();

  std::size_t stops_end(std::size_t line) const {
    return line + 1 < lines_.size() ? lines_[line + 1].first_stop : stops_.size();
  }
  std::size_t cell_count(std::size_t line) const {  // without the last
    return lines_[line].indent + stops_end(line) - lines_[line].first_stop;
  }
  std::size_t cell_begin(std::size_t line, std::size_t stop) const {
    if (stop == lines_[line].first_stop) return lines_[line].begin + lines_[line].indent;
    return stops_[stop - 1].at + stops_[stop - 1].blanks;
  }

  std::size_t tabs_for(std::size_t width) const { return (width + tab_width_ - 1) / tab_width_; }

  std::size_t tab_width_;
  std::string text_;  // longer than what was written, so that there is room
  char* cursor_;
  char* limit_;
  std::size_t mark_ = 0;
  base::Stack<Line> lines_;  // of the section that is being written
  base::Stack<Stop> stops_;
};

}  // namespace opm::cue::syntax
