#include <unistd.h>

#include <csignal>

#include "base/pages.h"
#include "cli/run.h"

int main(int count, char** arguments) {
  opm::base::tune_heap();
  opm::base::open_heap();
  opm::cli::occupy_standard_descriptors();
  // A closed pipe is reported by write() and dealt with there; it must not end a run that
  // has more to do than to print.
  std::signal(SIGPIPE, SIG_IGN);
  opm::cli::Output out(STDOUT_FILENO);
  opm::cli::Output err(STDERR_FILENO);
  return static_cast<int>(opm::cli::run({arguments, static_cast<std::size_t>(count)}, out, err));
}
