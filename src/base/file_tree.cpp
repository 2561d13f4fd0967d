#include "base/file_tree.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "base/path.h"

namespace opm::base {
namespace {

std::unexpected<FileError> fail(int code) { return std::unexpected(system_error(code)); }

// Of trees that we wrote; deeper ones are nobody's module.
constexpr unsigned kMaxDepth = 200;

std::expected<void, FileError> remove_below(const std::string& path, unsigned depth) {
  if (depth > kMaxDepth) return fail(ELOOP);
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return {};
    return fail(errno);
  }
  if (!S_ISDIR(status.st_mode)) {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) return fail(errno);
    return {};
  }
  ::chmod(path.c_str(), 0777);  // a read-only folder lets nothing be removed
  auto entries = real_file_system().list_directory(path);
  if (!entries) return std::unexpected(entries.error());
  for (const DirectoryEntry& entry : *entries)
    if (auto removed = remove_below(join_path(path, entry.name), depth + 1); !removed) return removed;
  if (::rmdir(path.c_str()) != 0 && errno != ENOENT) return fail(errno);
  return {};
}

void make_read_only(const std::string& path, unsigned depth) {
  if (depth > kMaxDepth) return;
  if (auto entries = real_file_system().list_directory(path)) {
    for (const DirectoryEntry& entry : *entries)
      if (entry.kind == FileKind::directory) make_read_only(join_path(path, entry.name), depth + 1);
  }
  ::chmod(path.c_str(), 0555);
}

}  // namespace

std::expected<FileLock, FileError> FileLock::acquire(const std::string& path) {
  int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return fail(errno);
  FileLock lock(descriptor);
  while (::flock(descriptor, LOCK_EX) != 0)
    if (errno != EINTR) return fail(errno);
  return lock;
}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::expected<void, FileError> create_file(const std::string& path, std::string_view content, bool read_only) {
  int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, read_only ? 0444 : 0666);
  if (descriptor < 0) return fail(errno);
  int problem = 0;
  while (!content.empty() && problem == 0) {
    ssize_t count = ::write(descriptor, content.data(), content.size());
    if (count >= 0) content.remove_prefix(static_cast<std::size_t>(count));
    else if (errno != EINTR) problem = errno;
  }
  if (::close(descriptor) != 0 && problem == 0) problem = errno;
  if (problem == 0) return {};
  ::unlink(path.c_str());
  return fail(problem);
}

std::expected<void, FileError> rename_file(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return fail(errno);
  return {};
}

std::expected<void, FileError> remove_tree(const std::string& path) { return remove_below(path, 0); }

void make_folders_read_only(const std::string& path) { make_read_only(path, 0); }

}  // namespace opm::base
