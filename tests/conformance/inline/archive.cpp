#include "archive.h"

namespace opm::inline_test {

namespace {

// The name in a line `-- name --`, or nothing.
std::string_view marker_name(std::string_view line) {
  if (!line.starts_with("-- ")) return {};
  while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
  if (!line.ends_with(" --") || line.size() < 7) return {};
  line = line.substr(3, line.size() - 6);
  while (line.starts_with(' ')) line.remove_prefix(1);
  while (line.ends_with(' ')) line.remove_suffix(1);
  return line;
}

}  // namespace

Archive parse_archive(std::string_view text) {
  Archive archive;
  std::string* current = &archive.comment;
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    std::string_view name = marker_name(line);
    if (!name.empty()) {
      archive.files.push_back({std::string(name), {}});
      current = &archive.files.back().text;
    } else {
      current->append(line);
      current->push_back('\n');
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return archive;
}

}  // namespace opm::inline_test
