// The seam between the product and the disk: files are read and folders listed only
// through this interface, so that tests and built-in content can stand in for a disk.
// Paths are absolute and use '/'. Nothing here changes a file.
#pragma once

#include <cstdint>
#include <expected>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opm::base {

enum class FileKind : std::uint8_t { regular, directory, symbolic_link, other };

enum class FileErrorKind : std::uint8_t { not_found, not_a_directory, is_a_directory, too_large, permission, other };

struct FileError {
  FileErrorKind kind = FileErrorKind::other;
  std::string message;  // what the operating system says, e.g. "no such file or directory"
};

// What an errno means.
FileError system_error(int code);

struct FileStatus {
  FileKind kind = FileKind::other;
  std::uint64_t size = 0;
};

struct DirectoryEntry {
  std::string name;
  FileKind kind = FileKind::other;  // of the entry itself: links are not followed
};

class FileSystem {
 public:
  static constexpr std::size_t kDefaultMaxBytes = std::size_t{256} << 20;
  static constexpr std::size_t kDefaultMaxEntries = 1'000'000;

  virtual ~FileSystem() = default;

  // The whole content; links are followed. Pipes and devices are read too, up to the cap.
  virtual std::expected<std::string, FileError> read_file(const std::string& path,
                                                          std::size_t max_bytes = kDefaultMaxBytes) const = 0;
  // Sorted by name (bytes), without "." and "..".
  virtual std::expected<std::vector<DirectoryEntry>, FileError> list_directory(
      const std::string& path, std::size_t max_entries = kDefaultMaxEntries) const = 0;
  // Follows links.
  virtual std::expected<FileStatus, FileError> status(const std::string& path) const = 0;
  // With all links resolved.
  virtual std::expected<std::string, FileError> real_path(const std::string& path) const = 0;
};

// The disk of this machine.
const FileSystem& real_file_system();

// Files held in memory; folders exist because files are in them.
class MemoryFileSystem : public FileSystem {
 public:
  MemoryFileSystem() = default;
  MemoryFileSystem(std::initializer_list<std::pair<std::string, std::string>> files);

  void add_file(std::string path, std::string content);
  void add_directory(const std::string& path);
  // `target` is absolute or relative to the link's folder.
  void add_link(std::string path, std::string target);
  // A file or link, not a folder; false if there is none.
  bool remove_file(const std::string& path);
  // An empty one.
  void remove_directory(const std::string& path);

  std::expected<std::string, FileError> read_file(const std::string& path, std::size_t max_bytes) const override;
  std::expected<std::vector<DirectoryEntry>, FileError> list_directory(const std::string& path,
                                                                       std::size_t max_entries) const override;
  std::expected<FileStatus, FileError> status(const std::string& path) const override;
  std::expected<std::string, FileError> real_path(const std::string& path) const override;

 private:
  struct Entry {
    FileKind kind = FileKind::regular;
    std::string content;  // of a file; the target of a link
  };
  std::map<std::string, Entry> entries_{{"/", {FileKind::directory, {}}}};
};

}  // namespace opm::base
