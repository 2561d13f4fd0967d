#include "base/file_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "base/path.h"

namespace opm::base {

namespace {

using Result = std::expected<void, FileError>;

Result fail(int code) { return std::unexpected(system_error(code)); }

mode_t mode_of(FileAccess access) {
  switch (access) {
    case FileAccess::everyone:
      return 0644;
    case FileAccess::owner_only:
      return 0600;
    case FileAccess::owner_only_executable:
      return 0700;
    case FileAccess::everyone_executable:
      return 0755;
  }
  return 0600;
}

// A file beside the one that it is to replace; gone again unless it is kept.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& target)
      : path_(join_path(parent_path(target), "." + std::string(base_name(target)) + ".XXXXXX")) {
    descriptor_ = ::mkostemp(path_.data(), O_CLOEXEC);
  }
  ~TemporaryFile() {
    if (descriptor_ < 0) return;
    close();
    if (!kept_) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  bool ok() const { return descriptor_ >= 0; }

  bool write(std::string_view content) {
    while (!content.empty()) {
      ssize_t count = ::write(descriptor_, content.data(), content.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return false;
      content.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  // Only what is on the disk may take the place of the old file.
  bool finish(mode_t mode) { return ::fchmod(descriptor_, mode) == 0 && ::fsync(descriptor_) == 0 && close(); }

  bool move_to(const std::string& target) {
    kept_ = ::rename(path_.c_str(), target.c_str()) == 0;
    return kept_;
  }

 private:
  bool close() {
    if (closed_) return true;
    closed_ = true;
    return ::close(descriptor_) == 0;
  }

  std::string path_;
  int descriptor_ = -1;
  bool closed_ = false;
  bool kept_ = false;
};

struct Descriptor {
  explicit Descriptor(int opened) : number(opened) {}
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number;
};

// What of the parts, one after the other, lies between two offsets: as many at a time as the system takes.
bool write_between(int descriptor, std::span<const std::string_view> parts, std::size_t from, std::size_t to) {
  while (from < to) {
    std::array<iovec, 64> pieces;
    std::size_t count = 0;
    std::size_t begin = 0;
    for (std::string_view part : parts) {
      std::size_t end = begin + part.size();
      if (begin >= to || count == pieces.size()) break;
      if (end > from) {
        std::size_t skipped = from > begin ? from - begin : 0;
        std::string_view piece = part.substr(skipped, to - begin - skipped);
        pieces[count++] = {const_cast<char*>(piece.data()), piece.size()};
      }
      begin = end;
    }
    if (count == 0) return true;
    ssize_t written = ::pwritev(descriptor, pieces.data(), static_cast<int>(count), static_cast<off_t>(from));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    from += static_cast<std::size_t>(written);
  }
  return true;
}

class RealFileWriter final : public FileWriter {
 public:
  Result write_file(const std::string& path, std::string_view content, FileAccess access) override {
    TemporaryFile file(path);
    if (!file.ok()) return fail(errno);
    if (!file.write(content) || !file.finish(mode_of(access)) || !file.move_to(path)) return fail(errno);
    return {};
  }

  using FileWriter::rewrite_file;
  Result rewrite_file(const std::string& path, std::span<const std::string_view> parts) override {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.number < 0) return fail(errno);
    struct stat status {};
    if (::fstat(file.number, &status) != 0) return fail(errno);
    if (!S_ISREG(status.st_mode)) return fail(EINVAL);
    std::size_t old_size = static_cast<std::size_t>(status.st_size);
    std::size_t size = 0;
    for (std::string_view part : parts) size += part.size();
    // What is new behind the end needs room on the disk, so it comes first.
    if (!write_between(file.number, parts, old_size, size)) {
      int code = errno;
      if (::ftruncate(file.number, status.st_size) != 0) return fail(errno);
      return fail(code);
    }
    if (!write_between(file.number, parts, 0, old_size)) return fail(errno);
    if (size < old_size && ::ftruncate(file.number, static_cast<off_t>(size)) != 0) return fail(errno);
    return {};
  }

  Result make_directories(const std::string& path, FileAccess access) override {
    bool is_private = access == FileAccess::owner_only || access == FileAccess::owner_only_executable;
    std::string clean = clean_path(path);
    for (std::size_t slash = clean.find('/', 1);; slash = clean.find('/', slash + 1)) {
      std::string part = clean.substr(0, slash);
      if (::mkdir(part.c_str(), is_private ? 0700 : 0777) != 0) {
        int code = errno;
        struct stat status {};
        bool exists = ::stat(part.c_str(), &status) == 0;
        if (!exists) return fail(code);
        if (!S_ISDIR(status.st_mode)) return fail(ENOTDIR);
      }
      if (slash == std::string::npos) return {};
    }
  }

  Result remove_file(const std::string& path) override {
    if (::unlink(path.c_str()) != 0) return fail(errno);
    return {};
  }

  Result remove_directory(const std::string& path) override {
    if (::rmdir(path.c_str()) != 0) return fail(errno);
    return {};
  }
};

}  // namespace

FileWriter& real_file_writer() {
  static RealFileWriter writer;  // has no state
  return writer;
}

Result MemoryFileWriter::write_file(const std::string& path, std::string_view content, FileAccess) {
  auto parent = files_.real_path(parent_path(clean_path(path)));
  if (!parent) return std::unexpected(parent.error());
  std::string target = join_path(*parent, base_name(clean_path(path)));
  auto parent_status = files_.status(*parent);
  if (parent_status && parent_status->kind != FileKind::directory) return fail(ENOTDIR);
  auto status = files_.status(target);
  if (status && status->kind == FileKind::directory) return fail(EISDIR);
  files_.add_file(target, std::string(content));
  return {};
}

Result MemoryFileWriter::rewrite_file(const std::string& path, std::span<const std::string_view> parts) {
  auto target = files_.real_path(clean_path(path));
  if (!target) return std::unexpected(target.error());
  std::string content;
  for (std::string_view part : parts) content += part;
  return write_file(*target, content, FileAccess::everyone);
}

Result MemoryFileWriter::make_directories(const std::string& path, FileAccess) {
  for (std::string part = clean_path(path); part != parent_path(part); part = parent_path(part)) {
    auto status = files_.status(part);
    if (status && status->kind != FileKind::directory) return fail(ENOTDIR);
  }
  files_.add_directory(path);
  return {};
}

Result MemoryFileWriter::remove_file(const std::string& path) {
  if (!files_.remove_file(path)) return fail(files_.status(path) ? EISDIR : ENOENT);
  return {};
}

Result MemoryFileWriter::remove_directory(const std::string& path) {
  auto entries = files_.list_directory(path, FileSystem::kDefaultMaxEntries);
  if (!entries) return std::unexpected(entries.error());
  if (!entries->empty()) return fail(ENOTEMPTY);
  files_.remove_directory(path);
  return {};
}

}  // namespace opm::base
