// A txtar archive: a comment and named files in one text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace opm::inline_test {

struct ArchiveFile {
  std::string name;
  std::string text;
};

struct Archive {
  std::string comment;
  std::vector<ArchiveFile> files;
};

Archive parse_archive(std::string_view text);

}  // namespace opm::inline_test
