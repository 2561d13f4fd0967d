// The seam between the product and time: what waits, or says how old something is, asks
// a clock that it was given. Evaluation has none.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace opm::base {

class Clock {
 public:
  using Time = std::chrono::system_clock::time_point;
  using Duration = std::chrono::nanoseconds;

  virtual ~Clock() = default;
  // The time of day.
  virtual Time now() const = 0;
  // Since some fixed moment; never goes back. For measuring.
  virtual Duration elapsed() const = 0;
  virtual void sleep(Duration duration) = 0;
};

// The clock of this machine. Any number of threads may use it.
Clock& real_clock();

// Stands still until it is told otherwise; sleeping moves it on. Not for several threads.
class ManualClock : public Clock {
 public:
  explicit ManualClock(Time start = Time{}) : start_(start) {}

  Time now() const override { return start_ + std::chrono::duration_cast<Time::duration>(elapsed_); }
  Duration elapsed() const override { return elapsed_; }
  void sleep(Duration duration) override { advance(duration); }
  void advance(Duration duration) {
    if (duration > Duration::zero()) elapsed_ += duration;
  }

 private:
  Time start_;
  Duration elapsed_{0};
};

// RFC 3339 in UTC, to the second: 2006-01-02T15:04:05Z.
std::string format_time(Clock::Time time);
// Of "2006-01-02T15:04:05.999Z" and with an offset, to the second; nothing: it is not such a time.
// One that is centuries away, as people write for "never", counts as 250 years from 1970.
std::optional<Clock::Time> parse_time(std::string_view text);

}  // namespace opm::base
