// Points in time and durations as text. A layout shows how the reference time
// Mon Jan 2 15:04:05 MST 2006 (-0700) would be written. There is no clock here, and the
// only zones are UTC and fixed offsets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cue/std/bind.h"

namespace opm::cue::standard {

struct Date {
  std::int64_t year = 1;
  int month = 1, day = 1;
};

struct Time {
  std::int64_t seconds = 0;  // since 1970, UTC
  int nanoseconds = 0;
  int offset = 0;            // of the zone, in seconds east of UTC
  std::string zone = "UTC";  // empty where only the offset is known

  static Time from(const Date& date, int hour, int minute, int second, int nanoseconds);
  static Time from_unix(std::int64_t seconds, std::int64_t nanoseconds);
  // As a clock and a calendar in its zone show it.
  Date date() const;
  int hour() const { return static_cast<int>(second_of_day() / 3600); }
  int minute() const { return static_cast<int>(second_of_day() / 60 % 60); }
  int second() const { return static_cast<int>(second_of_day() % 60); }
  int weekday() const;  // 0: Sunday
  int day_of_year() const;
  Time in_utc() const { return {seconds, nanoseconds, 0, "UTC"}; }

 private:
  std::int64_t day_number() const;  // since 1970, in its zone
  std::int64_t second_of_day() const;
};

inline constexpr std::string_view kRfc3339Nano = "2006-01-02T15:04:05.999999999Z07:00";

std::string format_time(std::string_view layout, const Time& time);
Result<Time> parse_time(std::string_view layout, std::string_view text);

// "1h15m30.918s"
std::string format_duration(std::int64_t nanoseconds);
Result<std::int64_t> parse_duration(std::string_view text);

}  // namespace opm::cue::standard
