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

// A file that is as long as it says, which takes one read; else nothing.
std::span<char> read_at_once(const std::string& path, Arena& arena) {
  int descriptor = open_quietly(path);
  if (descriptor < 0) return {};
  std::span<char> content;
  struct stat info {};
  if (::fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 &&
      static_cast<std::size_t>(info.st_size) <= FileSystem::kDefaultMaxBytes) {
    auto size = static_cast<std::size_t>(info.st_size);
    // The byte more shows that it ends there.
    auto* memory = static_cast<char*>(arena.allocate(size + 1, 1));
    if (::read(descriptor, memory, size + 1) == info.st_size) content = {memory, size};
  }
  ::close(descriptor);
  return content;
}

}  // namespace

std::expected<std::span<char>, FileError> read_file(const std::string& path, Arena& arena) {
  if (std::span<char> content = read_at_once(path, arena); !content.empty()) return content;
  auto content = real_file_system().read_file(path);
  if (!content) return std::unexpected(content.error());
  return arena.copy(std::span<const char>(*content));
}

}  // namespace opm::base
