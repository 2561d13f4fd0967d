#include "cue/syntax/format_columns.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace opm::cue::syntax {

namespace {

// Bytes that go on with a character are not counted. Most text has none, which eight bytes at a time tell.
std::size_t count_characters(std::string_view text) {
  std::size_t continuations = 0;
  std::size_t i = 0;
  for (std::uint64_t word; i + sizeof(word) <= text.size(); i += sizeof(word)) {
    std::memcpy(&word, text.data() + i, sizeof(word));
    if ((word & 0x8080808080808080) == 0) continue;
    for (char byte : text.substr(i, sizeof(word))) continuations += (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
  }
  for (char byte : text.substr(i)) continuations += (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
  return text.size() - continuations;
}

}  // namespace

ColumnWriter::ColumnWriter(std::size_t expected_size, std::size_t tab_width) : tab_width_(tab_width) {
  cursor_ = text_.data();
  grow(expected_size);
  lines_.push_back({0, 0, 0});
}

void ColumnWriter::grow(std::size_t needed) {
  std::size_t written = size();
  std::size_t room = std::max(written + needed, written * 2);
  text_.resize_and_overwrite(room, [](char*, std::size_t size) { return size; });
  cursor_ = text_.data() + written;
  limit_ = text_.data() + room;
}

inline void ColumnWriter::break_line(std::size_t indent) {
  // Few lines are indented more deeply, and so many are copied at once.
  constexpr std::string_view kBreak = "\n\t\t\t\t\t\t\t";
  if (indent + kBreak.size() > static_cast<std::size_t>(limit_ - cursor_)) grow(indent + kBreak.size());
  std::memcpy(cursor_, kBreak.data(), kBreak.size());
  if (indent >= kBreak.size()) std::memset(cursor_ + kBreak.size(), '\t', indent + 1 - kBreak.size());
  cursor_ += 1 + indent;
}

inline void ColumnWriter::begin_line(std::size_t indent) {
  break_line(indent);
  lines_.push_back({size() - indent, static_cast<std::uint32_t>(indent), static_cast<std::uint32_t>(stops_.size())});
}

void ColumnWriter::end_line(std::size_t next_indent) {
  // A line without cells parts the columns above it from those below.
  if (lines_.back().indent == 0 && lines_.back().first_stop == stops_.size()) align();
  begin_line(next_indent);
}

void ColumnWriter::append_line(std::size_t indent, std::string_view text) {
  Line& line = lines_.back();
  if (line.indent == indent && line.first_stop == stops_.size()) {
    ++line.like_it;
    break_line(indent);
  } else {
    end_line(indent);
  }
  append(text);
}

// The last line is to have a cell, so that it is no longer like those above it.
void ColumnWriter::part_last_line() {
  --lines_.back().like_it;
  Line line{0, lines_.back().indent, lines_.back().first_stop};
  // As in end_line.
  if (line.indent == 0) {
    align();
    line.first_stop = 0;
  }
  line.begin = std::string_view(text_).substr(0, size()).rfind('\n') + 1;
  lines_.push_back(line);
}

void ColumnWriter::end_section(std::size_t next_indent, std::size_t empty_lines) {
  align();
  for (; empty_lines > 0; --empty_lines) append('\n');
  begin_line(next_indent);
}

void ColumnWriter::insert_at_mark(std::string_view text) {
  if (text.size() > static_cast<std::size_t>(limit_ - cursor_)) grow(text.size());
  char* at = text_.data() + mark_;
  std::memmove(at + text.size(), at, size() - mark_);
  copy(at, text);
  cursor_ += text.size();
  for (Line& line : lines_) {
    if (line.begin > mark_) line.begin += text.size();
  }
  for (Stop& stop : stops_) {
    if (stop.at >= mark_) stop.at += text.size();
  }
  mark_ += text.size();
}

std::string ColumnWriter::take() {
  align();
  text_.resize(size());
  cursor_ = limit_ = nullptr;
  return std::move(text_);
}

void ColumnWriter::align() {
  if (lines_.size() > 1 && !stops_.empty()) {
    // Every line has the cells of the smallest indentation, all empty: they need no look.
    std::uint32_t shared = lines_.front().indent;
    for (const Line& line : lines_) shared = std::min(shared, line.indent);
    align_column(shared, 0, lines_.size());
    insert_padding();
  }
  stops_.clear();
  lines_.clear();
}

// Finds the runs of lines that have a cell in the column. Columns further right are
// aligned within such a run.
void ColumnWriter::align_column(std::size_t column, std::size_t first, std::size_t last) {
  while (first < last) {
    if (cell_count(first) <= column) {
      ++first;
      continue;
    }
    std::size_t end = first + 1;
    while (end < last && cell_count(end) > column) ++end;
    // A line that shares no column with others from here on has its blanks already.
    if (end - first > 1) {
      align_run(column, first, end);
      align_column(column + 1, first, end);
    }
    first = end;
  }
}

void ColumnWriter::align_run(std::size_t column, std::size_t first, std::size_t last) {
  std::size_t widest = 0;
  bool all_empty = true;
  for (std::size_t i = first; i < last; ++i) {
    if (column < lines_[i].indent) {
      all_empty = false;
      continue;
    }
    std::size_t stop = lines_[i].first_stop + column - lines_[i].indent;
    std::size_t begin = cell_begin(i, stop);
    std::size_t characters = count_characters(std::string_view(text_).substr(begin, stops_[stop].at - begin));
    // Kept for the second pass below.
    stops_[stop].padding = static_cast<std::uint32_t>(characters);
    widest = std::max(widest, characters);
    all_empty = all_empty && characters == 0;
  }
  std::size_t width = all_empty ? 0 : widest + 1;
  for (std::size_t i = first; i < last; ++i) {
    Line& line = lines_[i];
    if (column < line.indent) {
      line.extra_tabs += static_cast<std::uint32_t>(tabs_for(width) - 1);
      continue;
    }
    std::size_t index = line.first_stop + column - line.indent;
    Stop& stop = stops_[index];
    // Empty cells that lead a line are part of its indentation.
    if (stop.at == line.begin + line.indent) {
      stop.padding = static_cast<std::uint32_t>(tabs_for(width));
      stop.pad = '\t';
    } else {
      stop.padding = static_cast<std::uint32_t>(width) - stop.padding;
    }
  }
}

// Opens the gaps from the end of the text backwards, so that each byte moves once.
void ColumnWriter::insert_padding() {
  std::size_t total = 0;
  for (const Stop& stop : stops_) total += stop.padding - stop.blanks;
  for (const Line& line : lines_) total += line.extra_tabs * (1 + line.like_it);
  if (total == 0) return;

  if (total > static_cast<std::size_t>(limit_ - cursor_)) grow(total);
  const std::size_t written = size();
  std::size_t from = written;
  std::size_t to = from + total;
  cursor_ += total;
  char* const bytes = text_.data();
  std::size_t mark = mark_ + total;
  auto open = [&](std::size_t at, std::size_t count, char pad) {
    std::size_t length = from - at;
    to -= length;
    std::memmove(bytes + to, bytes + at, length);
    to -= count;
    if (count == 1) bytes[to] = pad;
    else std::memset(bytes + to, pad, count);
    from = at;
    if (at >= mark_) mark -= count;
  };
  std::size_t next_stop = stops_.size();
  for (std::size_t i = lines_.size(); i-- > 0 && to != from;) {
    while (next_stop > lines_[i].first_stop) {
      const Stop& stop = stops_[--next_stop];
      open(stop.at + stop.blanks, stop.padding - stop.blanks, stop.pad);
    }
    if (lines_[i].extra_tabs > 0) {
      std::size_t end = i + 1 < lines_.size() ? lines_[i + 1].begin - 1 : written;
      for (std::uint32_t below = lines_[i].like_it; below > 0; --below) {
        std::size_t begin = std::string_view(bytes, end).rfind('\n') + 1;
        open(begin, lines_[i].extra_tabs, '\t');
        end = begin - 1;
      }
      open(lines_[i].begin, lines_[i].extra_tabs, '\t');
    }
  }
  mark_ = mark;
}

}  // namespace opm::cue::syntax
