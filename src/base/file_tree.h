// What a cache that several programs share needs of the disk, beyond writing single files
// (file_writer.h): locks that end with the process, whole folders removed, made read-only.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "base/file_system.h"

namespace opm::base {

// Held by one process or thread at a time, by anyone who locks the same file with flock(2).
// Gone when this is, or when the process dies. The file stays.
class FileLock {
 public:
  // Waits for its turn. The folder must exist.
  static std::expected<FileLock, FileError> acquire(const std::string& path);

  FileLock(FileLock&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  FileLock& operator=(FileLock&& other) noexcept;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

// A file that was not there before; nobody may write to it afterwards if it is `read_only`.
std::expected<void, FileError> create_file(const std::string& path, std::string_view content, bool read_only);
std::expected<void, FileError> rename_file(const std::string& from, const std::string& to);
// With everything in it, also where that is read-only; links are removed, not followed. Fine if there is nothing.
std::expected<void, FileError> remove_tree(const std::string& path);
// Takes the right to write away from the folder and all folders in it.
void make_folders_read_only(const std::string& path);

}  // namespace opm::base
