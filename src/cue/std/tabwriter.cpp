// The package text/tabwriter: text in columns, as Go's writer of that name lays it out with
// cells at least one space apart.
#include "cue/std/bind.h"
#include "cue/std/evaluation.h"
#include "cue/std/packages.h"

namespace opm::cue::standard {
namespace {

constexpr std::size_t kPadding = 1;

using Line = std::vector<std::string>;  // cells; the last one ends with the line and aligns nothing

std::vector<Line> split_cells(std::string_view text) {
  std::vector<Line> lines(1, Line(1));
  for (char character : text) {
    if (character == '\n') {
      lines.emplace_back(1);
    } else if (character == '\t' || character == '\v') {
      lines.back().emplace_back();
    } else {
      lines.back().back() += character;
    }
  }
  return lines;
}

std::size_t width_of(std::string_view cell) {
  std::size_t count = 0;
  for (char byte : cell) count += (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
  return count;
}

// A column is a run of lines that all have a cell there, not counting lines' last cells; its
// width is that of its widest cell. Columns of nothing but empty cells take no room.
void lay_out(const std::vector<Line>& lines, std::size_t first, std::size_t last, std::vector<std::size_t>& widths,
             std::string& out) {
  std::size_t column = widths.size();
  auto write = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      for (std::size_t j = 0; j < lines[i].size(); ++j) {
        out += lines[i][j];
        if (j + 1 == lines[i].size() || j >= widths.size()) continue;
        std::size_t width = width_of(lines[i][j]);
        if (width < widths[j]) out.append(widths[j] - width, ' ');
      }
      if (i + 1 < lines.size()) out += '\n';
    }
  };
  std::size_t done = first;
  for (std::size_t i = first; i < last; ++i) {
    if (column + 1 >= lines[i].size()) continue;
    write(done, i);
    std::size_t end = i;
    std::size_t widest = 0;
    bool is_empty = true;
    for (; end < last && column + 1 < lines[end].size(); ++end) {
      std::size_t width = width_of(lines[end][column]);
      if (width > 0) is_empty = false;
      widest = std::max(widest, width + kPadding);
    }
    widths.push_back(is_empty ? 0 : widest);
    lay_out(lines, i, end, widths, out);
    widths.pop_back();
    done = end;
    i = end - 1;
  }
  write(done, last);
}

Value write(Call& call) {
  Value value = plain(call, call.value(0));
  std::string text;
  auto append = [&](const Value& part) {
    Value line = plain(call, part);
    if (line.kind != eval::ValueKind::string && line.kind != eval::ValueKind::bytes) return line;
    text += line.string();
    return Value{};
  };
  if (value.kind == eval::ValueKind::string || value.kind == eval::ValueKind::bytes) {
    append(value);
  } else if (list_node(call, value) != nullptr) {
    Value failure;
    for (const Value& element : raw_elements(call, value, failure)) {
      if (Value unfit = append(element); unfit.exists()) {
        if (unfit.is_error()) return unfit;
        return call.error("cannot use value {} (type {}) as string|bytes", {unfit, Argument::of_kinds(eval::kinds_of(unfit))});
      }
      text += '\n';
    }
  } else {
    return call.error("tabwriter.Write: unsupported type {}", {Argument::of_kinds(eval::kinds_of(value))});
  }
  constexpr std::size_t kMostCells = 10'000;  // of one line: columns nest
  std::vector<Line> lines = split_cells(text);
  for (const Line& line : lines) {
    if (line.size() > kMostCells) return call.error("a line of more than {} cells", {std::int64_t{kMostCells}});
  }
  std::string out;
  std::vector<std::size_t> widths;
  lay_out(lines, 0, lines.size(), widths, out);
  return call.make_string(out);
}

}  // namespace

StandardPackage tabwriter_package() {
  return make_package("text/tabwriter", {define("Write", {kinds::top}, kinds::string, write)});
}

}  // namespace opm::cue::standard
