#include "base/text_diff.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace opm::base {

namespace {

constexpr std::size_t kContext = 3;

struct Pair {
  std::size_t old_line;
  std::size_t new_line;
};

std::vector<std::string_view> split_lines(std::string_view text, std::string& last) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      last = std::string(text) + "\n\\ No newline at end of file\n";
      lines.push_back(last);
      break;
    }
    lines.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

// Lines that stand once in each text and in the same order in both: the longest such sequence, between the
// beginnings and the ends of the texts.
std::vector<Pair> anchors(const std::vector<std::string_view>& before, const std::vector<std::string_view>& after) {
  struct Seen {
    std::size_t count_before = 0, count_after = 0, after_line = 0;
  };
  std::unordered_map<std::string_view, Seen> seen;
  for (std::string_view line : before) ++seen[line].count_before;
  for (std::size_t i = 0; i < after.size(); ++i) {
    Seen& entry = seen[after[i]];
    ++entry.count_after;
    entry.after_line = i;
  }
  std::vector<Pair> unique;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Seen& entry = seen[before[i]];
    if (entry.count_before == 1 && entry.count_after == 1) unique.push_back({i, entry.after_line});
  }
  // The longest increasing sequence: ends[n] is where the best sequence of n + 1 pairs ends.
  std::vector<std::size_t> ends, previous(unique.size());
  for (std::size_t i = 0; i < unique.size(); ++i) {
    auto place = std::ranges::lower_bound(ends, unique[i].new_line, {}, [&](std::size_t end) { return unique[end].new_line; });
    previous[i] = place == ends.begin() ? unique.size() : *std::prev(place);
    if (place == ends.end()) ends.push_back(i);
    else *place = i;
  }
  std::vector<Pair> result;
  for (std::size_t i = ends.empty() ? unique.size() : ends.back(); i != unique.size(); i = previous[i])
    result.push_back(unique[i]);
  result.push_back({0, 0});
  std::ranges::reverse(result);
  result.push_back({before.size(), after.size()});
  return result;
}

class UnifiedDiff {
 public:
  UnifiedDiff(const std::vector<std::string_view>& before, const std::vector<std::string_view>& after)
      : before_(before), after_(after) {}
  std::string text;

  void run() {
    for (const Pair& match : anchors(before_, after_)) {
      if (match.old_line < done_.old_line) continue;  // within a run that was told of
      if (!add_match(match)) return;
    }
  }

 private:
  bool add_match(const Pair& match) {
    Pair start = match, end = match;
    while (start.old_line > done_.old_line && start.new_line > done_.new_line &&
           before_[start.old_line - 1] == after_[start.new_line - 1]) {
      --start.old_line;
      --start.new_line;
    }
    while (end.old_line < before_.size() && end.new_line < after_.size() &&
           before_[end.old_line] == after_[end.new_line]) {
      ++end.old_line;
      ++end.new_line;
    }
    for (; done_.old_line < start.old_line; ++done_.old_line, ++size_.old_line) add('-', before_[done_.old_line]);
    for (; done_.new_line < start.new_line; ++done_.new_line, ++size_.new_line) add('+', after_[done_.new_line]);
    std::size_t common = end.old_line - start.old_line;
    bool at_end = end.old_line >= before_.size() && end.new_line >= after_.size();
    if (!at_end && (common < kContext || (!chunk_.empty() && common < 2 * kContext))) {
      add_common(start.old_line, end.old_line);
      done_ = end;
      return true;
    }
    if (!chunk_.empty()) {
      std::size_t shown = std::min(common, kContext);
      add_common(start.old_line, start.old_line + shown);
      finish_chunk();
    }
    if (at_end) return false;
    first_ = {end.old_line - kContext, end.new_line - kContext};
    add_common(first_.old_line, end.old_line);
    done_ = end;
    return true;
  }

  void add(char mark, std::string_view line) {
    chunk_ += mark;
    chunk_ += line;
  }

  void add_common(std::size_t from, std::size_t to) {
    for (; from < to; ++from, ++size_.old_line, ++size_.new_line) add(' ', before_[from]);
  }

  void finish_chunk() {
    // Lines are counted from 1, but an empty side stands at 0.
    std::size_t old_first = first_.old_line + (size_.old_line > 0 ? 1 : 0);
    std::size_t new_first = first_.new_line + (size_.new_line > 0 ? 1 : 0);
    text += fmt::format("@@ -{},{} +{},{} @@\n", old_first, size_.old_line, new_first, size_.new_line);
    text += chunk_;
    chunk_.clear();
    size_ = {0, 0};
  }

  const std::vector<std::string_view>& before_;
  const std::vector<std::string_view>& after_;
  Pair done_{0, 0};   // told of up to here
  Pair first_{0, 0};  // where the chunk begins
  Pair size_{0, 0};
  std::string chunk_;
};

}  // namespace

std::string unified_diff(std::string_view old_name, std::string_view old_text, std::string_view new_name,
                         std::string_view new_text) {
  if (old_text == new_text) return {};
  std::string old_last, new_last;
  std::vector<std::string_view> before = split_lines(old_text, old_last);
  std::vector<std::string_view> after = split_lines(new_text, new_last);
  UnifiedDiff diff(before, after);
  diff.run();
  return fmt::format("diff {0} {1}\n--- {0}\n+++ {1}\n{2}", old_name, new_name, diff.text);
}

}  // namespace opm::base
