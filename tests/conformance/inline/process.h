// Runs each archive in a process of its own, so that a crash or hang costs only that archive.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "run.h"

namespace opm::inline_test {

struct ProcessLimits {
  unsigned seconds = 10;           // of processor time
  unsigned wall_seconds = 120;     // on a loaded machine a process may have to wait
  std::size_t bytes = std::size_t{4} << 30;
};

struct ArchiveResult {
  std::string path;  // of the archive, as given
  std::vector<Outcome> outcomes;
  std::string death;  // CRASH or HANG and how; empty: it ended by itself
};

// In the order of `paths`. `finished` is told of each as it ends.
std::vector<ArchiveResult> run_archives(const std::vector<std::string>& paths, unsigned jobs, const ProcessLimits& limits);

}  // namespace opm::inline_test
