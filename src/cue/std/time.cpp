// The package time. It formats and parses; there is no function that asks for the time.
#include "cue/std/bind.h"
#include "cue/std/conversion.h"
#include "cue/std/packages.h"
#include "cue/std/time_layout.h"

namespace opm::cue::standard {
namespace {

constexpr std::string_view kConstants = R"(
Nanosecond: 1
Microsecond: 1000
Millisecond: 1000000
Second: 1000000000
Minute: 60000000000
Hour: 3600000000000
ANSIC: "Mon Jan _2 15:04:05 2006"
UnixDate: "Mon Jan _2 15:04:05 MST 2006"
RubyDate: "Mon Jan 02 15:04:05 -0700 2006"
RFC822: "02 Jan 06 15:04 MST"
RFC822Z: "02 Jan 06 15:04 -0700"
RFC850: "Monday, 02-Jan-06 15:04:05 MST"
RFC1123: "Mon, 02 Jan 2006 15:04:05 MST"
RFC1123Z: "Mon, 02 Jan 2006 15:04:05 -0700"
RFC3339: "2006-01-02T15:04:05Z07:00"
RFC3339Nano: "2006-01-02T15:04:05.999999999Z07:00"
RFC3339Date: "2006-01-02"
Kitchen: "3:04PM"
Kitchen24: "15:04"
January: 1
February: 2
March: 3
April: 4
May: 5
June: 6
July: 7
August: 8
September: 9
October: 10
November: 11
December: 12
Sunday: 0
Monday: 1
Tuesday: 2
Wednesday: 3
Thursday: 4
Friday: 5
Saturday: 6
)";

Result<bool> is_duration(std::string_view text) {
  auto duration = parse_duration(text);
  if (!duration) return wrong(duration.error());
  return true;
}

Result<bool> has_format(std::string_view text, std::string_view layout) {
  if (parse_time(layout, text)) return true;
  return wrong("invalid time " + conversion::quote_text(text, conversion::Quoting::plain));
}

Result<bool> is_time(std::string_view text) { return has_format(text, kRfc3339Nano); }

Result<std::string> format_string(std::string_view layout, std::string_view text) {
  auto time = parse_time(kRfc3339Nano, text);
  if (!time) return wrong(time.error());
  return format_time(layout, *time);
}

Result<std::string> parse(std::string_view layout, std::string_view text) {
  auto time = parse_time(layout, text);
  if (!time) return wrong(time.error());
  return format_time(kRfc3339Nano, time->in_utc());
}

std::string from_unix(std::int64_t seconds, std::int64_t nanoseconds) {
  return format_time(kRfc3339Nano, Time::from_unix(seconds, nanoseconds));
}

Result<std::int64_t> to_unix(std::string_view text) {
  auto time = parse_time(kRfc3339Nano, text);
  if (!time) return wrong(time.error());
  return time->seconds;
}

Result<std::int64_t> to_unix_nano(std::string_view text) {
  auto time = parse_time(kRfc3339Nano, text);
  if (!time) return wrong(time.error());
  std::int64_t result;
  if (__builtin_mul_overflow(time->seconds, std::int64_t{1'000'000'000}, &result) ||
      __builtin_add_overflow(result, std::int64_t{time->nanoseconds}, &result)) {
    return wrong("time out of range for nanoseconds");
  }
  return result;
}

Value split(Call& call) {
  std::string_view text = call.string(0);
  if (call.failed()) return call.failure();
  auto time = parse_time(kRfc3339Nano, text);
  if (!time) return call.error_text(time.error());
  Date date = time->date();
  const std::pair<std::string, Value> fields[] = {
      {"year", call.make_int(date.year)},         {"month", call.make_int(date.month)},
      {"day", call.make_int(date.day)},           {"hour", call.make_int(time->hour())},
      {"minute", call.make_int(time->minute())},  {"second", call.make_int(time->second())},
      {"nanosecond", call.make_int(time->nanoseconds)},
  };
  return call.make_struct(fields);
}

}  // namespace

StandardPackage time_package() {
  return make_package("time", {
    bind<is_duration>("Duration"),
    bind<format_duration>("FormatDuration"),
    bind<parse_duration>("ParseDuration"),
    bind<is_time>("Time"),
    bind<has_format>("Format"),
    bind<format_string>("FormatString"),
    bind<parse>("Parse"),
    bind<from_unix>("Unix"),
    bind<to_unix>("ToUnix"),
    bind<to_unix_nano>("ToUnixNano"),
    define("Split", {kinds::string}, kinds::structure, split),
  }, kConstants);
}

}  // namespace opm::cue::standard
