// Reads the documents of a data file ahead of who works on them, in a thread of its own: reading YAML
// takes about as long as checking it.
#pragma once

#include <condition_variable>
#include <deque>
#include <expected>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "cue/load/decode.h"

namespace opm::cli {

class DocumentQueue {
 public:
  using Next = std::expected<std::optional<data::Value>, std::vector<diag::Diagnostic>>;

  explicit DocumentQueue(cue::load::DocumentReader reader);
  ~DocumentQueue();
  DocumentQueue(const DocumentQueue&) = delete;
  DocumentQueue& operator=(const DocumentQueue&) = delete;

  // Nothing: that was the last. Not to be called again after that, nor after an error.
  Next next();

 private:
  void read_ahead();

  cue::load::DocumentReader reader_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Next> read_;
  bool stopped_ = false;
  std::thread thread_;  // none for a small file
};

}  // namespace opm::cli
