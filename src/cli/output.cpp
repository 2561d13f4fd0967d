#include "cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace opm::cli {

void Output::write(std::string_view text) {
  pending_.append(text);
  if (pending_.size() >= kPieceSize) flush();
}

bool Output::flush() {
  if (descriptor_ == kNoDescriptor) return true;
  std::string_view left = pending_;
  while (!left.empty() && error_ == 0) {
    ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written >= 0) {
      left.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  pending_.clear();
  return error_ == 0;
}

void occupy_standard_descriptors() {
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0) continue;
    // The lowest free number is this one. It is opened for the other direction than its
    // name says: a write to a closed standard output has to be an error.
    if (::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

}  // namespace opm::cli
