#include "base/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/path.h"

namespace opm::base {

FileError system_error(int code) {
  FileError error;
#ifdef __GLIBC__
  // Not translated, and ten times as fast: files that may be there or not are asked for all the time.
  const char* message = ::strerrordesc_np(code);
  error.message = message != nullptr ? message : "unknown error " + std::to_string(code);
#else
  error.message = std::strerror(code);
#endif
  // Go's and so CUE's spelling starts lower case.
  if (!error.message.empty())
    error.message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(error.message[0])));
  switch (code) {
    case ENOENT:
      error.kind = FileErrorKind::not_found;
      break;
    case ENOTDIR:
      error.kind = FileErrorKind::not_a_directory;
      break;
    case EISDIR:
      error.kind = FileErrorKind::is_a_directory;
      break;
    case EACCES:
    case EPERM:
      error.kind = FileErrorKind::permission;
      break;
    default:
      error.kind = FileErrorKind::other;
      break;
  }
  return error;
}

namespace {

std::unexpected<FileError> fail(FileErrorKind kind, std::string message) {
  return std::unexpected(FileError{kind, std::move(message)});
}

struct FileCloser {
  int descriptor;
  explicit FileCloser(int file) : descriptor(file) {}
  FileCloser(const FileCloser&) = delete;
  FileCloser& operator=(const FileCloser&) = delete;
  ~FileCloser() { ::close(descriptor); }
};

FileKind kind_of_mode(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::regular;
  if (S_ISDIR(mode)) return FileKind::directory;
  if (S_ISLNK(mode)) return FileKind::symbolic_link;
  return FileKind::other;
}

class RealFileSystem : public FileSystem {
 public:
  std::expected<std::string, FileError> read_file(const std::string& path, std::size_t max_bytes) const override {
    int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return std::unexpected(system_error(errno));
    FileCloser closer(descriptor);
    struct stat info {};
    if (::fstat(descriptor, &info) != 0) return std::unexpected(system_error(errno));
    if (S_ISDIR(info.st_mode)) return std::unexpected(system_error(EISDIR));
    std::string content;
    max_bytes = std::min(max_bytes, std::size_t{1} << 40);  // so that one more is still a number
    // A file says how large it is, so that one read does; the byte more shows its end. What
    // says 0 (pipes, devices, /proc) is read piece by piece.
    std::size_t room = 64 * 1024;
    if (S_ISREG(info.st_mode) && info.st_size > 0) {
      if (static_cast<std::uint64_t>(info.st_size) > max_bytes) return too_large(max_bytes);
      room = static_cast<std::size_t>(info.st_size) + 1;
    }
    for (;;) {
      std::size_t old_size = content.size();
      room = std::min(room, max_bytes - old_size + 1);
      ssize_t count = 0;
      int code = 0;
      content.resize_and_overwrite(old_size + room, [&](char* data, std::size_t) {
        count = ::read(descriptor, data + old_size, room);
        code = errno;
        return old_size + static_cast<std::size_t>(std::max<ssize_t>(count, 0));
      });
      if (count < 0 && code == EINTR) continue;
      if (count < 0) return std::unexpected(system_error(code));
      if (content.size() > max_bytes) return too_large(max_bytes);
      // There was room for a byte more than the file said it has.
      bool is_whole = S_ISREG(info.st_mode) && content.size() == static_cast<std::size_t>(info.st_size) &&
                      static_cast<std::size_t>(count) < room;
      if (count == 0 || is_whole) {
        if (content.capacity() / 2 > content.size()) content.shrink_to_fit();
        return content;
      }
      // A short read may be the end; the rest, if any, comes in pieces.
      room = std::max<std::size_t>(room - static_cast<std::size_t>(count), 64 * 1024);
    }
  }

  std::expected<std::vector<DirectoryEntry>, FileError> list_directory(const std::string& path,
                                                                       std::size_t max_entries) const override {
    struct Closer {
      void operator()(DIR* directory) const { ::closedir(directory); }
    };
    std::unique_ptr<DIR, Closer> directory(::opendir(path.c_str()));
    if (!directory) return std::unexpected(system_error(errno));
    std::vector<DirectoryEntry> entries;
    for (;;) {
      errno = 0;
      const dirent* item = ::readdir(directory.get());
      if (item == nullptr) {
        if (errno != 0) return std::unexpected(system_error(errno));
        break;
      }
      std::string_view name = item->d_name;
      if (name == "." || name == "..") continue;
      if (entries.size() == max_entries) return fail(FileErrorKind::too_large, "too many entries in folder");
      DirectoryEntry entry{std::string(name), FileKind::other};
      switch (item->d_type) {
        case DT_REG:
          entry.kind = FileKind::regular;
          break;
        case DT_DIR:
          entry.kind = FileKind::directory;
          break;
        case DT_LNK:
          entry.kind = FileKind::symbolic_link;
          break;
        case DT_UNKNOWN: {
          struct stat info {};
          if (::fstatat(::dirfd(directory.get()), item->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0)
            entry.kind = kind_of_mode(info.st_mode);
          break;
        }
        default:
          break;
      }
      entries.push_back(std::move(entry));
    }
    std::ranges::sort(entries, {}, &DirectoryEntry::name);
    return entries;
  }

  std::expected<FileStatus, FileError> status(const std::string& path) const override {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return std::unexpected(system_error(errno));
    return FileStatus{kind_of_mode(info.st_mode), static_cast<std::uint64_t>(info.st_size)};
  }

  std::expected<std::string, FileError> real_path(const std::string& path) const override {
    struct Free {
      void operator()(char* text) const { std::free(text); }
    };
    std::unique_ptr<char, Free> resolved(::realpath(path.c_str(), nullptr));
    if (!resolved) return std::unexpected(system_error(errno));
    return std::string(resolved.get());
  }

 private:
  static std::unexpected<FileError> too_large(std::size_t max_bytes) {
    return fail(FileErrorKind::too_large, "file is larger than " + std::to_string(max_bytes) + " bytes");
  }
};

}  // namespace

const FileSystem& real_file_system() {
  static const RealFileSystem instance;
  return instance;
}

MemoryFileSystem::MemoryFileSystem(std::initializer_list<std::pair<std::string, std::string>> files) {
  for (const auto& [path, content] : files) add_file(path, content);
}

void MemoryFileSystem::add_directory(const std::string& path) {
  std::string clean = clean_path(path);
  for (;;) {
    entries_.try_emplace(clean, Entry{FileKind::directory, {}});
    std::string parent = parent_path(clean);
    if (parent == clean) return;
    clean = std::move(parent);
  }
}

void MemoryFileSystem::add_file(std::string path, std::string content) {
  path = clean_path(path);
  add_directory(parent_path(path));
  entries_[path] = Entry{FileKind::regular, std::move(content)};
}

void MemoryFileSystem::add_link(std::string path, std::string target) {
  path = clean_path(path);
  add_directory(parent_path(path));
  entries_[path] = Entry{FileKind::symbolic_link, std::move(target)};
}

bool MemoryFileSystem::remove_file(const std::string& path) {
  auto entry = entries_.find(clean_path(path));
  if (entry == entries_.end() || entry->second.kind == FileKind::directory) return false;
  entries_.erase(entry);
  return true;
}

void MemoryFileSystem::remove_directory(const std::string& path) { entries_.erase(clean_path(path)); }

std::expected<std::string, FileError> MemoryFileSystem::real_path(const std::string& path) const {
  std::string todo = clean_path(path);
  // What is there of it; only links make another path of it.
  std::string done;
  done.reserve(todo.size());
  done = "/";
  unsigned links = 0;
  std::size_t at = 1;
  while (at < todo.size()) {
    std::size_t slash = std::min(todo.find('/', at), todo.size());
    std::size_t length = done.size();
    if (length > 1) done += '/';
    done.append(todo, at, slash - at);
    auto entry = entries_.find(done);
    if (entry == entries_.end()) return fail(FileErrorKind::not_found, "no such file or directory");
    if (entry->second.kind == FileKind::symbolic_link) {
      if (++links > 40) return fail(FileErrorKind::other, "too many levels of symbolic links");
      const std::string& target = entry->second.content;
      done.resize(length);
      std::string start = is_absolute_path(target) ? clean_path(target) : join_path(done, target);
      todo = join_path(start, slash < todo.size() ? std::string_view(todo).substr(slash + 1) : std::string_view());
      done = "/";
      at = 1;
      continue;
    }
    if (entry->second.kind == FileKind::regular && slash < todo.size())
      return fail(FileErrorKind::not_a_directory, "not a directory");
    at = slash + 1;
  }
  return done;
}

std::expected<std::string, FileError> MemoryFileSystem::read_file(const std::string& path,
                                                                  std::size_t max_bytes) const {
  auto real = real_path(path);
  if (!real) return std::unexpected(real.error());
  const Entry& entry = entries_.at(*real);
  if (entry.kind == FileKind::directory) return fail(FileErrorKind::is_a_directory, "is a directory");
  if (entry.content.size() > max_bytes)
    return fail(FileErrorKind::too_large, "file is larger than " + std::to_string(max_bytes) + " bytes");
  return entry.content;
}

std::expected<std::vector<DirectoryEntry>, FileError> MemoryFileSystem::list_directory(const std::string& path,
                                                                                       std::size_t max_entries) const {
  auto real = real_path(path);
  if (!real) return std::unexpected(real.error());
  if (entries_.at(*real).kind != FileKind::directory) return fail(FileErrorKind::not_a_directory, "not a directory");
  std::string prefix = *real == "/" ? "/" : *real + "/";
  std::vector<DirectoryEntry> found;
  for (auto entry = entries_.upper_bound(prefix); entry != entries_.end() && entry->first.starts_with(prefix);
       ++entry) {
    std::string_view rest = std::string_view(entry->first).substr(prefix.size());
    if (rest.find('/') != std::string_view::npos) continue;
    if (found.size() == max_entries) return fail(FileErrorKind::too_large, "too many entries in folder");
    found.push_back({std::string(rest), entry->second.kind});
  }
  std::ranges::sort(found, {}, &DirectoryEntry::name);
  return found;
}

std::expected<FileStatus, FileError> MemoryFileSystem::status(const std::string& path) const {
  auto real = real_path(path);
  if (!real) return std::unexpected(real.error());
  const Entry& entry = entries_.at(*real);
  return FileStatus{entry.kind, entry.content.size()};
}

}  // namespace opm::base
