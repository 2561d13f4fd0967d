// Runs another program and reads what it says. Only for programs that a user has set up
// (credential helpers) or that hold what is asked for (git); evaluation runs none.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"

namespace opm::base {

struct ProcessResult {
  int exit_code = 0;  // 128 + the signal, if one ended it
  std::string out;
  std::string err;
};

struct ProcessOptions {
  std::string directory;  // to run in; empty: where we are
  std::string_view input;
  std::chrono::milliseconds timeout{60'000};
  std::size_t max_output = std::size_t{64} << 20;
};

// `words`: the program, looked for along $PATH, and its arguments. An error means that it did not
// run or was stopped; FileErrorKind::not_found that there is no such program.
std::expected<ProcessResult, FileError> run_process(const std::vector<std::string>& words,
                                                    const ProcessOptions& options = {});

}  // namespace opm::base
