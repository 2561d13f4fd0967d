// Runs the assertions of one archive.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "archive.h"

namespace opm::inline_test {

enum class Verdict { pass, fail, skip };

struct Outcome {
  std::string name;  // within the archive: `path directive`, with a number where that repeats
  Verdict verdict = Verdict::fail;
  std::string reason;
  std::string directive;  // as written
};

struct Progress {
  // All names, before anything is evaluated: what has no outcome when the process dies was not answered.
  std::function<void(const std::vector<std::string>&)> planned;
  std::function<void(const Outcome&)> done;
};

void run_archive(const Archive& archive, const Progress& progress);

}  // namespace opm::inline_test
