// Shows on a terminal what is being downloaded, once that takes long enough to wonder. What is
// shown is gone when the download is.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "base/clock.h"
#include "cli/output.h"
#include "oci/registry.h"

namespace opm::cli {

class DownloadProgress {
 public:
  // `err`: nullptr, or no terminal: nothing is shown.
  explicit DownloadProgress(Output* err, base::Clock& clock = base::real_clock());
  // With the choice made by the caller instead of by asking whether there is a terminal.
  DownloadProgress(Output* err, base::Clock& clock, bool is_terminal);
  ~DownloadProgress();
  DownloadProgress(const DownloadProgress&) = delete;
  DownloadProgress& operator=(const DownloadProgress&) = delete;

  // Empty where nothing is shown. From any thread.
  oci::Progress callback();

 private:
  struct State {
    std::uint64_t received = 0;
    std::uint64_t expected = 0;
  };
  void update(const std::string& what, std::uint64_t received, std::uint64_t expected);
  void show();
  void clear();

  Output* err_;
  base::Clock& clock_;
  std::mutex mutex_;
  std::map<std::string, State> running_;
  base::Clock::Duration started_{0};  // of the first of those that run
  base::Clock::Duration shown_{0};    // when something was shown last
  bool is_shown_ = false;
};

}  // namespace opm::cli
