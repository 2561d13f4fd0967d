// The other half of the seam to the disk (file_system.h reads): files are written,
// folders made and things removed only through this interface.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "base/file_system.h"

namespace opm::base {

// Who may read a new file.
enum class FileAccess : std::uint8_t { everyone, owner_only, owner_only_executable, everyone_executable };

class FileWriter {
 public:
  virtual ~FileWriter() = default;

  // Replaces the whole file or leaves it as it was: nobody ever sees half of it, also not after a
  // crash. A link at `path` is replaced, not followed. The folder must exist.
  virtual std::expected<void, FileError> write_file(const std::string& path, std::string_view content,
                                                    FileAccess access = FileAccess::everyone) = 0;
  // Gives a file that exists other content, in place: links are followed, owner and access stay. Far
  // cheaper than replacing it, for files that hold the same thing before and after (sources that are
  // laid out anew). A full disk leaves the file as it was; only a crash of the machine may mix old and new.
  // The content is that of the parts, one after the other.
  virtual std::expected<void, FileError> rewrite_file(const std::string& path,
                                                      std::span<const std::string_view> parts) = 0;
  std::expected<void, FileError> rewrite_file(const std::string& path, std::string_view content) {
    return rewrite_file(path, std::span(&content, 1));
  }
  // With its parents; fine if it is there already. `access` is for those that are new.
  virtual std::expected<void, FileError> make_directories(const std::string& path,
                                                          FileAccess access = FileAccess::everyone) = 0;
  // A file or link; not a folder.
  virtual std::expected<void, FileError> remove_file(const std::string& path) = 0;
  // An empty one.
  virtual std::expected<void, FileError> remove_directory(const std::string& path) = 0;
};

// The disk of this machine.
FileWriter& real_file_writer();

// Writes into files held in memory.
class MemoryFileWriter : public FileWriter {
 public:
  explicit MemoryFileWriter(MemoryFileSystem& files) : files_(files) {}

  std::expected<void, FileError> write_file(const std::string& path, std::string_view content,
                                            FileAccess access) override;
  using FileWriter::rewrite_file;
  std::expected<void, FileError> rewrite_file(const std::string& path,
                                              std::span<const std::string_view> parts) override;
  std::expected<void, FileError> make_directories(const std::string& path, FileAccess access) override;
  std::expected<void, FileError> remove_file(const std::string& path) override;
  std::expected<void, FileError> remove_directory(const std::string& path) override;

 private:
  MemoryFileSystem& files_;
};

}  // namespace opm::base
