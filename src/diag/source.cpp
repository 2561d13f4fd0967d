#include "diag/source.h"

#include <algorithm>
#include <cstring>
#include <ranges>

namespace opm::diag {

namespace {

constexpr std::size_t kLargestSource = std::size_t{1} << 30;

// Offsets at which lines begin. A line break at the very end of the text begins no
// line: the end of such a file counts as the end of its last line, as in CUE.
std::vector<std::uint32_t> find_lines(std::string_view text) {
  std::vector<std::uint32_t> lines{0};
  const char* const first = text.data();
  const char* const last = first + text.size();
  for (const char* at = first; at < last;) {
    at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(last - at)));
    if (!at || ++at == last) break;
    lines.push_back(static_cast<std::uint32_t>(at - first));
  }
  return lines;
}

}  // namespace

const Source* SourceMap::add(std::string path, std::string text) {
  std::lock_guard lock(mutex_);
  // One more than its size, so that the end of a file is a position of that file.
  std::uint64_t needed = std::uint64_t{text.size()} + 1;
  if (text.size() > kLargestSource || next_ + needed > end_) return nullptr;
  const Kept& kept = sources_.emplace_back(Kept{{std::move(path), std::move(text), Position{next_}}, {}});
  next_ += static_cast<std::uint32_t>(needed);
  return &kept.source;
}

bool SourceMap::stand_on(const StoredSources& stored) {
  std::lock_guard lock(mutex_);
  if (stored_ != nullptr || stored.count() == 0) return stored_ == &stored;
  if (next_ > stored.begin(0).value) return false;
  stored_ = &stored;
  end_ = stored.begin(0).value;
  return true;
}

SourceMap::Kept* SourceMap::stored_at(Position position) const {
  auto places = std::views::iota(std::size_t{0}, stored_->count());
  auto after = std::ranges::upper_bound(places, position, {}, [&](std::size_t source) { return stored_->begin(source); });
  std::size_t source = static_cast<std::size_t>(after - places.begin()) - 1;
  auto [kept, is_new] = read_.try_emplace(source);
  if (is_new) kept->second.source = {std::string(stored_->path(source)), stored_->text(source), stored_->begin(source)};
  return &kept->second;
}

SourceMap::Kept* SourceMap::kept_at(Position position) const {
  if (stored_ != nullptr && position.value >= end_ && position.value < StoredSources::kEnd) return stored_at(position);
  if (!position.valid() || position.value >= next_) return nullptr;
  auto after = std::ranges::upper_bound(sources_, position, {}, [](const Kept& kept) { return kept.source.begin; });
  return &*std::prev(after);
}

const std::vector<std::uint32_t>& SourceMap::lines_of(Kept& kept) {
  if (kept.lines.empty()) kept.lines = find_lines(kept.source.text);
  return kept.lines;
}

const Source* SourceMap::find(Position position) const {
  std::lock_guard lock(mutex_);
  const Kept* kept = kept_at(position);
  return kept == nullptr ? nullptr : &kept->source;
}

Location SourceMap::locate(Position position) const {
  std::lock_guard lock(mutex_);
  Kept* kept = kept_at(position);
  if (kept == nullptr) return {};
  const std::vector<std::uint32_t>& lines = lines_of(*kept);
  std::uint32_t offset = position.value - kept->source.begin.value;
  auto after = std::upper_bound(lines.begin(), lines.end(), offset);
  auto line = static_cast<std::uint32_t>(after - lines.begin());
  return {kept->source.path, line, offset - *std::prev(after) + 1, offset};
}

std::string_view SourceMap::line_text(Position position) const {
  std::lock_guard lock(mutex_);
  Kept* kept = kept_at(position);
  if (kept == nullptr) return {};
  const std::vector<std::uint32_t>& lines = lines_of(*kept);
  std::uint32_t offset = position.value - kept->source.begin.value;
  std::uint32_t start = *std::prev(std::upper_bound(lines.begin(), lines.end(), offset));
  std::string_view line = std::string_view(kept->source.text).substr(start);
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace opm::diag
