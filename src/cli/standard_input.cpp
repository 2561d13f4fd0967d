#include "cli/standard_input.h"

#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/file_system.h"

namespace opm::cli {

std::expected<std::string, std::string> read_standard_input() {
  std::string text;
  std::array<char, 64 * 1024> piece;
  while (true) {
    ssize_t size = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (size == 0) return text;
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return std::unexpected(base::system_error(errno).message);
    text.append(piece.data(), static_cast<std::size_t>(size));
    if (text.size() > base::FileSystem::kDefaultMaxBytes) return std::unexpected("too large");
  }
}

}  // namespace opm::cli
