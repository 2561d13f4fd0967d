#include "base/clock.h"

#include <fmt/format.h>

#include <thread>

namespace opm::base {

namespace {

class RealClock final : public Clock {
 public:
  Time now() const override { return std::chrono::system_clock::now(); }
  Duration elapsed() const override { return std::chrono::steady_clock::now().time_since_epoch(); }
  void sleep(Duration duration) override { std::this_thread::sleep_for(duration); }
};

}  // namespace

Clock& real_clock() {
  static RealClock clock;  // has no state
  return clock;
}

std::string format_time(Clock::Time time) {
  auto day = std::chrono::floor<std::chrono::days>(time);
  std::chrono::year_month_day date(day);
  std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day));
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count());
}

}  // namespace opm::base
