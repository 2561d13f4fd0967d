// Files in memory that stand before those of another file system, as if they and their
// folders were there.
#pragma once

#include <map>
#include <string>

#include "base/file_system.h"

namespace opm::cue::load {

class OverlayFileSystem : public base::FileSystem {
 public:
  // `below` must outlive this. Paths that are not absolute are ignored.
  OverlayFileSystem(const base::FileSystem& below, const std::map<std::string, std::string>& files);

  std::expected<std::string, base::FileError> read_file(const std::string& path, std::size_t max_bytes) const override;
  std::expected<std::vector<base::DirectoryEntry>, base::FileError> list_directory(
      const std::string& path, std::size_t max_entries) const override;
  std::expected<base::FileStatus, base::FileError> status(const std::string& path) const override;
  std::expected<std::string, base::FileError> real_path(const std::string& path) const override;

 private:
  const base::FileSystem& below_;
  base::MemoryFileSystem above_;
};

}  // namespace opm::cue::load
