// Module archives: zip files with the paths of a module's files from its root. Archives from
// outside are hostile: a path that leaves the folder, a link, two names that are one on some
// disks, or more data than allowed is an error, and nothing of the archive is used.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"

namespace opm::cue::module {

struct ArchiveLimits {
  std::uint64_t max_archive_bytes = std::uint64_t{500} << 20;
  std::uint64_t max_content_bytes = std::uint64_t{500} << 20;  // of all files together
  std::uint64_t max_module_file_bytes = std::uint64_t{16} << 20;
  std::uint64_t max_license_bytes = std::uint64_t{16} << 20;
  std::size_t max_files = 50'000;
  // Deflate makes a byte of at most 1,032; a whole module of text stays far below this.
  std::uint64_t max_ratio = 200;
  std::uint64_t ratio_free_bytes = std::uint64_t{10} << 20;  // below this the ratio does not matter
};

struct ArchiveFile {
  std::string path;  // from the module's root, with '/'
  std::string content;
};

// Files in the order in which they are written: by path. They have to have passed check_files.
std::string write_archive(const std::vector<ArchiveFile>& files);

// What is wrong with these files as a module, or nothing.
std::optional<std::string> check_files(const std::vector<ArchiveFile>& files, const ArchiveLimits& limits = {});

// Checks everything that can be checked without unpacking, and unpacks. `archive` has to stay.
class ArchiveReader {
 public:
  static std::expected<ArchiveReader, std::string> open(std::string_view archive, const ArchiveLimits& limits = {});

  struct Entry {
    std::string path;
    std::uint64_t size = 0;
    std::uint64_t packed_size = 0;
    std::uint64_t offset = 0;  // of its local header
    std::uint32_t checksum = 0;
    std::uint16_t method = 0;
  };
  // Without folders, in the order of the archive.
  const std::vector<Entry>& entries() const { return entries_; }
  // The content; an error if it is not what the archive says about it.
  std::expected<std::string, std::string> read(const Entry& entry) const;

 private:
  explicit ArchiveReader(std::string_view archive) : archive_(archive) {}
  std::optional<std::string> read_directory(const ArchiveLimits& limits);

  std::string_view archive_;
  std::vector<Entry> entries_;
};

}  // namespace opm::cue::module
