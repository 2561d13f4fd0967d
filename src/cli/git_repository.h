// What git knows of a folder: the files that are committed, and in which commit.
#pragma once

#include <expected>
#include <string>
#include <vector>

namespace opm::cli {

struct GitRepository {
  std::vector<std::string> files;  // relative to the folder, regular files only
  std::string license_path;        // of the repository, for a folder that has none; empty: there is none
  std::string commit;
  std::string commit_time;  // RFC 3339
};

// It is an error if something in the folder is not committed.
std::expected<GitRepository, std::string> read_git_repository(const std::string& folder);

}  // namespace opm::cli
