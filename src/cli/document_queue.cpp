#include "cli/document_queue.h"

namespace opm::cli {

namespace {

// Less than this is read sooner than a thread starts.
constexpr std::size_t kSmallFile = 16 * 1024;
constexpr std::size_t kAhead = 16;

}  // namespace

DocumentQueue::DocumentQueue(cue::load::DocumentReader reader) : reader_(std::move(reader)) {
  if (reader_.source_bytes() >= kSmallFile) thread_ = std::thread([this] { read_ahead(); });
}

DocumentQueue::~DocumentQueue() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void DocumentQueue::read_ahead() {
  for (bool more = true; more;) {
    Next document = reader_.next();
    more = document.has_value() && document->has_value();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || read_.size() < kAhead; });
    if (stopped_) return;
    read_.push_back(std::move(document));
    changed_.notify_all();
  }
}

DocumentQueue::Next DocumentQueue::next() {
  if (!thread_.joinable()) return reader_.next();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !read_.empty(); });
  Next document = std::move(read_.front());
  read_.pop_front();
  changed_.notify_all();
  return document;
}

}  // namespace opm::cli
