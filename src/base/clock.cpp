#include "base/clock.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
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

std::optional<Clock::Time> parse_time(std::string_view text) {
  std::string copy(text);
  std::tm parts{};
  int read = 0;
  if (std::sscanf(copy.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d%n", &parts.tm_year, &parts.tm_mon, &parts.tm_mday,
                  &parts.tm_hour, &parts.tm_min, &parts.tm_sec, &read) != 6)
    return std::nullopt;
  parts.tm_year -= 1900;
  parts.tm_mon -= 1;
  std::string_view rest = std::string_view(copy).substr(static_cast<std::size_t>(read));
  if (rest.starts_with('.')) rest.remove_prefix(std::min(rest.find_first_not_of("0123456789", 1), rest.size()));
  long offset = 0;
  if (rest != "Z") {
    int hours = 0, minutes = 0;
    char sign = 0;
    if (rest.size() != 6 || std::sscanf(std::string(rest).c_str(), "%c%2d:%2d", &sign, &hours, &minutes) != 3 ||
        (sign != '+' && sign != '-'))
      return std::nullopt;
    offset = (sign == '+' ? 60L : -60L) * (hours * 60 + minutes);
  }
  std::chrono::seconds since_epoch(::timegm(&parts) - offset);
  // What a clock counts in nanoseconds ends there; the margin is for those who add to it.
  constexpr std::chrono::seconds kMost = std::chrono::years(250);
  return Clock::Time(std::clamp(since_epoch, -kMost, kMost));
}

}  // namespace opm::base
