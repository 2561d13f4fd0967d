// Which names the files of a module may have, so that it unpacks on every disk and system.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace opm::cue::module {

// Why the path is not good for a file, or nothing. The words are those of `cue`.
std::optional<std::string> check_file_path(std::string_view path);

// Finds names that differ only in letter case, and paths that are both a file and a folder.
class NameCollisions {
 public:
  // What is wrong with adding this path, or nothing.
  std::optional<std::string> add(std::string_view path, bool is_folder);

 private:
  struct Known {
    std::string path;
    bool is_folder;
  };
  std::unordered_map<std::string, Known> names_;  // by folded path
};

// The same for all spellings that a disk without letter case takes for one.
std::string fold_case(std::string_view text);

}  // namespace opm::cue::module
