// Files that were compiled into the program by opm_embed (cmake/embed.cmake), as a file system. Nothing is
// unpacked or indexed at start: a file costs something when it is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"

namespace opm::base {

class EmbeddedFiles : public FileSystem {
 public:
  struct File {
    std::string_view path;  // below the root, without a leading '/'
    std::string_view content;
  };

  // `archive` is the symbol that opm_embed was given: extern "C" const unsigned char NAME[].
  explicit EmbeddedFiles(const unsigned char* archive) : archive_(archive) {}

  std::size_t size() const;
  // In the order of their paths (bytes).
  File file(std::size_t index) const;

  std::expected<std::string, FileError> read_file(const std::string& path, std::size_t max_bytes) const override;
  std::expected<std::vector<DirectoryEntry>, FileError> list_directory(const std::string& path,
                                                                       std::size_t max_entries) const override;
  std::expected<FileStatus, FileError> status(const std::string& path) const override;
  std::expected<std::string, FileError> real_path(const std::string& path) const override;

 private:
  std::size_t first_not_before(std::string_view path) const;
  bool has_folder(std::string_view path) const;

  const unsigned char* archive_;
};

}  // namespace opm::base
