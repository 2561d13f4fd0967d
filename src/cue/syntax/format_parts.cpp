#include "cue/syntax/format_parts.h"

namespace opm::cue::syntax {
namespace {

// Comments and then a definition: nothing that would mean something else at the start of a file, as an import would.
bool starts_definition(std::string_view text) {
  while (text.starts_with("//")) {
    std::size_t end = text.find('\n');
    if (end == text.npos) return false;
    text.remove_prefix(end + 1);
  }
  return text.starts_with('#');
}

}  // namespace

std::vector<std::string_view> parts_to_format(std::string_view text, std::size_t size) {
  // Where such a line is inside of a string or a struct, what is before it cannot be parsed.
  constexpr std::string_view kEnd = "\n}\n\n";
  std::vector<std::string_view> parts;
  std::size_t from = size;
  while (from < text.size()) {
    std::size_t end = text.find(kEnd, from);
    if (end == text.npos) break;
    end += kEnd.size();
    if (!starts_definition(text.substr(end))) {
      from = end - 1;
      continue;
    }
    // An attribute of the file, which stands at its beginning, may change how all of it is read.
    if (parts.empty() && text.substr(0, end).find("@experiment") != text.npos) break;
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end);
    from = size;
  }
  parts.push_back(text);
  return parts;
}

}  // namespace opm::cue::syntax
