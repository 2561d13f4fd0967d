#include "base/arena_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace opm::base {

namespace {

// That it was read is not noted with the file where that can be left out, which only its owner may: to write down the time
// takes the kernel as long as to read a short file.
int open_quietly(const std::string& path) {
  constexpr int kFlags = O_RDONLY | O_CLOEXEC;
#ifdef O_NOATIME
  int descriptor = ::open(path.c_str(), kFlags | O_NOATIME);
  if (descriptor >= 0 || errno != EPERM) return descriptor;
#endif
  return ::open(path.c_str(), kFlags);
}

}  // namespace

OpenedFile::OpenedFile(const std::string& path) : descriptor_(open_quietly(path)) {}

OpenedFile::~OpenedFile() {
  if (is_open()) ::close(descriptor_);
}

std::span<char> OpenedFile::read(Arena& arena) const {
  struct stat info {};
  if (!is_open() || ::fstat(descriptor_, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size <= 0 ||
      static_cast<std::size_t>(info.st_size) > FileSystem::kDefaultMaxBytes) {
    return {};
  }
  auto size = static_cast<std::size_t>(info.st_size);
  // The byte more shows that it ends there.
  auto* memory = static_cast<char*>(arena.allocate(size + 1, 1));
  if (::read(descriptor_, memory, size + 1) != info.st_size) return {};
  return {memory, size};
}

std::expected<std::span<char>, FileError> read_file(const std::string& path, Arena& arena, OpenedFile opened) {
  if (!opened.is_open()) opened = OpenedFile(path);
  if (std::span<char> content = opened.read(arena); !content.empty()) return content;
  auto content = real_file_system().read_file(path);
  if (!content) return std::unexpected(content.error());
  return arena.copy(std::span<const char>(*content));
}

}  // namespace opm::base
