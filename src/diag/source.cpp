#include "diag/source.h"

#include <algorithm>
#include <cstring>
#include <limits>

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

const Source* SourceMap::append(std::string path, std::size_t size) {
  // One more than its size, so that the end of a file is a position of that file.
  std::uint64_t needed = std::uint64_t{size} + 1;
  if (size > kLargestSource || next_ + needed > std::numeric_limits<std::uint32_t>::max()) return nullptr;
  const Source& source = sources_.emplace_back(Source{std::move(path), {}, Position{next_}});
  lines_.emplace_back();
  next_ += static_cast<std::uint32_t>(needed);
  return &source;
}

const Source* SourceMap::add(std::string path, std::string text) {
  std::lock_guard lock(mutex_);
  const Source* added = append(std::move(path), text.size());
  if (added != nullptr) sources_.back().text = std::move(text);
  return added;
}

std::vector<const Source*> SourceMap::add_unread(std::vector<Unread> sources, Read read) {
  std::lock_guard lock(mutex_);
  std::vector<const Source*> added;
  added.reserve(sources.size());
  unread_.push_back({sources_.size(), sources.size(), std::move(read)});
  for (Unread& source : sources) {
    added.push_back(append(std::move(source.path), source.size));
    if (added.back() == nullptr) return {};
  }
  return added;
}

const Source& SourceMap::readable(std::size_t index) const {
  Source& source = sources_[index];
  if (!source.text.empty()) return source;
  std::uint32_t end = index + 1 < sources_.size() ? sources_[index + 1].begin.value : next_;
  std::size_t size = end - source.begin.value - 1;
  for (const Lot& lot : unread_) {
    if (size == 0 || index < lot.first || index - lot.first >= lot.count) continue;
    source.text = lot.read(index - lot.first);
    source.text.resize(size);
  }
  return source;
}

std::size_t SourceMap::index_of(Position position) const {
  if (!position.valid() || position.value >= next_) return kNotFound;
  auto after = std::upper_bound(sources_.begin(), sources_.end(), position,
                                [](Position wanted, const Source& source) { return wanted < source.begin; });
  return static_cast<std::size_t>(after - sources_.begin()) - 1;
}

const std::vector<std::uint32_t>& SourceMap::lines_of(std::size_t index) const {
  if (lines_[index].empty()) lines_[index] = find_lines(readable(index).text);
  return lines_[index];
}

const Source* SourceMap::find(Position position) const {
  std::lock_guard lock(mutex_);
  std::size_t index = index_of(position);
  return index == kNotFound ? nullptr : &readable(index);
}

Location SourceMap::locate(Position position) const {
  std::lock_guard lock(mutex_);
  std::size_t index = index_of(position);
  if (index == kNotFound) return {};
  const std::vector<std::uint32_t>& lines = lines_of(index);
  std::uint32_t offset = position.value - sources_[index].begin.value;
  auto after = std::upper_bound(lines.begin(), lines.end(), offset);
  auto line = static_cast<std::uint32_t>(after - lines.begin());
  return {sources_[index].path, line, offset - *std::prev(after) + 1, offset};
}

std::string_view SourceMap::line_text(Position position) const {
  std::lock_guard lock(mutex_);
  std::size_t index = index_of(position);
  if (index == kNotFound) return {};
  const std::vector<std::uint32_t>& lines = lines_of(index);
  std::uint32_t offset = position.value - sources_[index].begin.value;
  std::uint32_t start = *std::prev(std::upper_bound(lines.begin(), lines.end(), offset));
  std::string_view line = std::string_view(sources_[index].text).substr(start);
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace opm::diag
