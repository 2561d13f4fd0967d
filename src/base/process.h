// Runs another program and reads what it says. Only for programs that a user has set up
// (credential helpers) or that hold what is asked for (git); evaluation runs none.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
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
  std::vector<std::pair<std::string, std::string>> variables;  // for its environment, beside and before ours
  // It talks to the person at the terminal itself: standard input and standard error are ours.
  bool at_terminal = false;
  std::chrono::milliseconds timeout{60'000};
  std::size_t max_output = std::size_t{64} << 20;
};

// `words`: the program, looked for along $PATH, and its arguments. An error means that it did not
// run or was stopped; FileErrorKind::not_found that there is no such program.
std::expected<ProcessResult, FileError> run_process(const std::vector<std::string>& words,
                                                    const ProcessOptions& options = {});

// Whether a person can answer on standard input.
bool input_is_terminal();

}  // namespace opm::base
