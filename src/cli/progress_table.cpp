#include "cli/progress_table.h"

#include <unistd.h>

#include <algorithm>
#include <vector>

#include "cli/table.h"

namespace opm::cli {

namespace {

constexpr std::size_t kMaxLines = 20;
constexpr std::size_t kMaxWidth = 100;

}  // namespace

ProgressTable::ProgressTable(Output* err) : ProgressTable(err, ::isatty(STDERR_FILENO) != 0, kMaxLines) {}

ProgressTable::ProgressTable(Output* err, bool is_terminal, std::size_t max_lines)
    : err_(is_terminal ? err : nullptr), max_lines_(max_lines) {}

void ProgressTable::set(const release::ObjectId& object, std::string_view state, std::string_view detail) {
  if (err_ == nullptr) return;
  std::lock_guard lock(mutex_);
  std::pair<std::string, std::string> row{state, detail};
  auto [place, is_new] = rows_.try_emplace(object, row);
  if (!is_new && place->second == row) return;
  place->second = std::move(row);
  draw();
}

void ProgressTable::clear() {
  if (err_ == nullptr) return;
  std::lock_guard lock(mutex_);
  erase();
  rows_.clear();
  err_->flush();
}

void ProgressTable::erase() {
  // Up to where the table began, and everything from there on.
  if (drawn_ > 0) err_->print("\x1b[{}A\x1b[J", drawn_);
  drawn_ = 0;
}

void ProgressTable::draw() {
  erase();
  std::vector<std::vector<std::string>> rows{{"OBJECT", "STATE", ""}};
  for (const auto& [object, row] : rows_) {
    if (rows.size() < max_lines_) rows.push_back({release::display_name(object), row.first, row.second});
  }
  std::string text = format_table(rows);
  std::string out;
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size() - 1);
    out += text.substr(0, std::min(end, kMaxWidth)) + "\n";
    text.erase(0, end + 1);
    ++drawn_;
  }
  if (rows_.size() + 1 > rows.size()) {
    out += fmt::format("and {} more\n", rows_.size() + 1 - rows.size());
    ++drawn_;
  }
  err_->write(out);
  err_->flush();
}

}  // namespace opm::cli
