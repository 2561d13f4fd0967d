#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

#include "base/pages.h"
#include "base/sanitized.h"
#include "cli/run.h"

namespace {

// Memory may hold secrets: a crash leaves none of it behind, and no other process of the user can look into it.
void keep_memory_private() {
  constexpr rlimit kNone{0, 0};
  setrlimit(RLIMIT_CORE, &kNone);
  // The leak checker of the sanitizers has to look.
#if !defined(__SANITIZE_ADDRESS__)
  prctl(PR_SET_DUMPABLE, 0);
#endif
}

}  // namespace

int main(int count, char** arguments) {
  opm::base::tune_heap();
  opm::base::open_heap();
  keep_memory_private();
  opm::cli::occupy_standard_descriptors();
  // A closed pipe is reported by write() and dealt with there; it must not end a run that
  // has more to do than to print.
  std::signal(SIGPIPE, SIG_IGN);
  opm::cli::Output out(STDOUT_FILENO);
  opm::cli::Output err(STDERR_FILENO);
#ifdef OPM_SANITIZED
  constexpr bool kMayEnd = false;  // what is not taken down is told
#else
  constexpr bool kMayEnd = true;
#endif
  return static_cast<int>(opm::cli::run({arguments, static_cast<std::size_t>(count)}, out, err, kMayEnd));
}
