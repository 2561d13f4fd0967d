#include "cli/download_progress.h"

#include <unistd.h>

namespace opm::cli {
namespace {

constexpr std::chrono::milliseconds kPatience{500};
constexpr std::chrono::milliseconds kInterval{100};
constexpr std::string_view kClearLine = "\r\x1b[K";

std::string megabytes(std::uint64_t bytes) { return fmt::format("{:.1f}", static_cast<double>(bytes) / 1e6); }

}  // namespace

DownloadProgress::DownloadProgress(Output* err, base::Clock& clock)
    : DownloadProgress(err, clock, ::isatty(STDERR_FILENO) != 0) {}

DownloadProgress::DownloadProgress(Output* err, base::Clock& clock, bool is_terminal)
    : err_(is_terminal ? err : nullptr), clock_(clock) {}

DownloadProgress::~DownloadProgress() { clear(); }

oci::Progress DownloadProgress::callback() {
  if (err_ == nullptr) return {};
  return [this](const std::string& what, std::uint64_t received, std::uint64_t expected) {
    update(what, received, expected);
  };
}

void DownloadProgress::update(const std::string& what, std::uint64_t received, std::uint64_t expected) {
  std::lock_guard lock(mutex_);
  base::Clock::Duration now = clock_.elapsed();
  if (running_.empty()) started_ = now;
  if (received >= expected) {
    running_.erase(what);
    if (running_.empty()) clear();
    return;
  }
  running_[what] = {received, expected};
  if (now - started_ < kPatience || (is_shown_ && now - shown_ < kInterval)) return;
  shown_ = now;
  show();
}

void DownloadProgress::show() {
  const auto& [what, state] = *running_.begin();
  err_->write(kClearLine);
  err_->print("downloading {}: {} of {} MB", what, megabytes(state.received), megabytes(state.expected));
  if (running_.size() > 1) err_->print(" and {} more", running_.size() - 1);
  err_->flush();
  is_shown_ = true;
}

void DownloadProgress::clear() {
  if (!is_shown_) return;
  err_->write(kClearLine);
  err_->flush();
  is_shown_ = false;
}

}  // namespace opm::cli
