#include "cue/std/time_layout.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/unicode.h"

namespace opm::cue::standard {
namespace {

constexpr std::int64_t kDay = 86'400;
constexpr std::array<std::string_view, 12> kMonths = {"January", "February", "March",     "April",   "May",      "June",
                                                      "July",    "August",   "September", "October", "November", "December"};
constexpr std::array<std::string_view, 7> kWeekdays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                       "Thursday", "Friday", "Saturday"};

// What a piece of a layout stands for.
enum class Part {
  end, year, long_year, month, long_month, number_month, zero_month, weekday, long_weekday, day, under_day, zero_day,
  under_year_day, zero_year_day, hour, hour_12, zero_hour_12, minute, zero_minute, second, zero_second, upper_half,
  lower_half, zone_name, zone, zero_fraction, nine_fraction,
};

// How an offset is written: whether 0 is "Z", whether there are colons, minutes, seconds.
struct ZoneStyle {
  bool z = false, colons = false, minutes = false, seconds = false;
};

struct Piece {
  std::string_view prefix;  // to be taken as it is
  Part part = Part::end;
  std::string_view text;    // in the layout
  ZoneStyle zone;
};

struct Pattern {
  std::string_view text;
  Part part;
  ZoneStyle zone = {};
};

// The longer of two that begin alike comes first.
constexpr Pattern kPatterns[] = {
    {"January", Part::long_month}, {"Jan", Part::month}, {"Monday", Part::long_weekday}, {"Mon", Part::weekday},
    {"MST", Part::zone_name}, {"002", Part::zero_year_day}, {"01", Part::zero_month}, {"02", Part::zero_day},
    {"03", Part::zero_hour_12}, {"04", Part::zero_minute}, {"05", Part::zero_second}, {"06", Part::year},
    {"15", Part::hour}, {"1", Part::number_month}, {"2006", Part::long_year}, {"2", Part::day},
    {"__2", Part::under_year_day}, {"_2", Part::under_day}, {"3", Part::hour_12}, {"4", Part::minute},
    {"5", Part::second}, {"PM", Part::upper_half}, {"pm", Part::lower_half},
    {"-070000", Part::zone, {false, false, true, true}}, {"-07:00:00", Part::zone, {false, true, true, true}},
    {"-0700", Part::zone, {false, false, true, false}}, {"-07:00", Part::zone, {false, true, true, false}},
    {"-07", Part::zone, {}}, {"Z070000", Part::zone, {true, false, true, true}},
    {"Z07:00:00", Part::zone, {true, true, true, true}}, {"Z0700", Part::zone, {true, false, true, false}},
    {"Z07:00", Part::zone, {true, true, true, false}}, {"Z07", Part::zone, {true, false, false, false}},
};

bool is_digit(std::string_view text, std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; }
bool is_fraction_mark(char c) { return c == '.' || c == ','; }

// Takes the next piece off the layout.
Piece next_piece(std::string_view& layout) {
  Piece piece;
  for (std::size_t at = 0; at < layout.size(); ++at) {
    std::string_view rest = layout.substr(at);
    auto found = [&](Part part, std::size_t size, ZoneStyle zone = {}) {
      piece = {layout.substr(0, at), part, rest.substr(0, size), zone};
      layout = rest.substr(size);
      return piece;
    };
    if (rest.starts_with("_2006")) continue;  // an underscore and a year
    for (const Pattern& pattern : kPatterns) {
      if (!rest.starts_with(pattern.text)) continue;
      // "Janet" has no month in it.
      bool is_short_name = pattern.part == Part::month || pattern.part == Part::weekday;
      char next = rest.size() > 3 ? rest[3] : '\0';
      if (is_short_name && next >= 'a' && next <= 'z') continue;
      return found(pattern.part, pattern.text.size(), pattern.zone);
    }
    if (is_fraction_mark(rest[0]) && rest.size() > 1 && (rest[1] == '0' || rest[1] == '9')) {
      std::size_t end = std::min(rest.find_first_not_of(rest[1], 1), rest.size());
      if (!is_digit(rest, end)) return found(rest[1] == '0' ? Part::zero_fraction : Part::nine_fraction, end);
    }
  }
  piece.prefix = layout;
  layout = {};
  return piece;
}

// Days since 1970 of a date in the Gregorian calendar, which is taken to reach back for ever.
std::int64_t days_from(const Date& date) {
  std::int64_t year = date.month <= 2 ? date.year - 1 : date.year;
  std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  std::int64_t year_of_era = year - era * 400;
  std::int64_t day_of_year = (153 * (date.month + (date.month > 2 ? -3 : 9)) + 2) / 5 + date.day - 1;
  return era * 146'097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719'468;
}

Date date_of(std::int64_t days) {
  days += 719'468;
  std::int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
  std::int64_t day_of_era = days - era * 146'097;
  std::int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  std::int64_t shifted_month = (5 * day_of_year + 2) / 153;  // from March
  int day = static_cast<int>(day_of_year - (153 * shifted_month + 2) / 5 + 1);
  int month = static_cast<int>(shifted_month < 10 ? shifted_month + 3 : shifted_month - 9);
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

bool is_leap(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int days_in(int month, std::int64_t year) {
  if (month == 2) return is_leap(year) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || byte < ' ') {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
  return out;
}

void append_zone(std::string& out, const Time& time, const ZoneStyle& style) {
  if (style.z && time.offset == 0) {
    out += 'Z';
    return;
  }
  int size = std::abs(time.offset);
  // The sign is that of the offset in minutes.
  out += time.offset / 60 < 0 ? '-' : '+';
  const char* mark = style.colons ? ":" : "";
  fmt::format_to(std::back_inserter(out), "{:02}", size / 3600);
  if (style.minutes) fmt::format_to(std::back_inserter(out), "{}{:02}", mark, size / 60 % 60);
  if (style.seconds) fmt::format_to(std::back_inserter(out), "{}{:02}", mark, size % 60);
}

void append_fraction(std::string& out, const Piece& piece, int nanoseconds) {
  std::size_t digits = piece.text.size() - 1;
  std::string text = fmt::format("{:09}", nanoseconds);
  text.resize(std::min<std::size_t>(digits, 9));
  if (piece.part == Part::nine_fraction) {
    while (!text.empty() && text.back() == '0') text.pop_back();
    if (text.empty()) return;
  }
  out += piece.text[0];
  out += text;
}

}  // namespace

Time Time::from(const Date& date, int hour, int minute, int second, int nanoseconds) {
  Time time;
  time.seconds = days_from(date) * kDay + hour * 3600 + minute * 60 + second;
  time.nanoseconds = nanoseconds;
  return time;
}

Time Time::from_unix(std::int64_t seconds, std::int64_t nanoseconds) {
  Time time;
  std::int64_t carried = floor_divide(nanoseconds, 1'000'000'000);
  time.nanoseconds = static_cast<int>(nanoseconds - carried * 1'000'000'000);
  if (__builtin_add_overflow(seconds, carried, &time.seconds)) {
    time.seconds = carried < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
  }
  return time;
}

std::int64_t Time::day_number() const {
  std::int64_t day = floor_divide(seconds, kDay);
  return day + floor_divide(seconds - day * kDay + offset, kDay);
}

std::int64_t Time::second_of_day() const {
  std::int64_t in_utc = seconds - floor_divide(seconds, kDay) * kDay + offset;
  return in_utc - floor_divide(in_utc, kDay) * kDay;
}

Date Time::date() const { return date_of(day_number()); }

int Time::weekday() const {
  std::int64_t day = day_number() + 4;  // 1970 began on a Thursday
  return static_cast<int>(day - floor_divide(day, 7) * 7);
}

int Time::day_of_year() const { return static_cast<int>(day_number() - days_from({date().year, 1, 1}) + 1); }

std::string format_time(std::string_view layout, const Time& time) {
  std::string out;
  Date date = time.date();
  int hour = time.hour();
  int hour_12 = hour % 12 == 0 ? 12 : hour % 12;
  auto put = [&](auto format, auto value) { fmt::format_to(std::back_inserter(out), fmt::runtime(format), value); };
  while (!layout.empty()) {
    Piece piece = next_piece(layout);
    out += piece.prefix;
    switch (piece.part) {
      case Part::end: break;
      case Part::year: put("{:02}", std::abs(date.year) % 100); break;
      case Part::long_year:
        if (date.year < 0) out += '-';
        put("{:04}", std::abs(date.year));
        break;
      case Part::month: out += kMonths[static_cast<std::size_t>(date.month - 1)].substr(0, 3); break;
      case Part::long_month: out += kMonths[static_cast<std::size_t>(date.month - 1)]; break;
      case Part::number_month: put("{}", date.month); break;
      case Part::zero_month: put("{:02}", date.month); break;
      case Part::weekday: out += kWeekdays[static_cast<std::size_t>(time.weekday())].substr(0, 3); break;
      case Part::long_weekday: out += kWeekdays[static_cast<std::size_t>(time.weekday())]; break;
      case Part::day: put("{}", date.day); break;
      case Part::under_day: put("{:2}", date.day); break;
      case Part::zero_day: put("{:02}", date.day); break;
      case Part::under_year_day: put("{:3}", time.day_of_year()); break;
      case Part::zero_year_day: put("{:03}", time.day_of_year()); break;
      case Part::hour: put("{:02}", hour); break;
      case Part::hour_12: put("{}", hour_12); break;
      case Part::zero_hour_12: put("{:02}", hour_12); break;
      case Part::minute: put("{}", time.minute()); break;
      case Part::zero_minute: put("{:02}", time.minute()); break;
      case Part::second: put("{}", time.second()); break;
      case Part::zero_second: put("{:02}", time.second()); break;
      case Part::upper_half: out += hour >= 12 ? "PM" : "AM"; break;
      case Part::lower_half: out += hour >= 12 ? "pm" : "am"; break;
      case Part::zone_name:
        if (!time.zone.empty()) {
          out += time.zone;
        } else {
          append_zone(out, time, {false, false, true, false});
        }
        break;
      case Part::zone: append_zone(out, time, piece.zone); break;
      case Part::zero_fraction:
      case Part::nine_fraction: append_fraction(out, piece, time.nanoseconds); break;
    }
  }
  return out;
}

namespace {

// Reads a text by a layout.
class Reader {
 public:
  Reader(std::string_view layout, std::string_view text) : layout_(layout), text_(text), rest_(text) {}

  Result<Time> run() {
    std::string_view layout = layout_;
    for (;;) {
      Piece piece = next_piece(layout);
      if (!skip(piece.prefix)) return mismatch(piece.prefix, rest_);
      if (piece.part == Part::end) break;
      std::string_view before = rest_;
      bool matched = read(piece, layout);
      if (out_of_range_) return complain(fmt::format(": {} out of range", out_of_range_));
      if (!matched) return mismatch(piece.text, before);
    }
    if (!rest_.empty()) return complain(": extra text: " + quote(rest_));
    return finish();
  }

 private:
  std::unexpected<std::string> mismatch(std::string_view wanted, std::string_view got) const {
    return wrong(fmt::format("parsing time {} as {}: cannot parse {} as {}", quote(text_), quote(layout_), quote(got), quote(wanted)));
  }
  std::unexpected<std::string> complain(const std::string& what) const { return wrong("parsing time " + quote(text_) + what); }

  // Takes literal text; a run of spaces matches any run of spaces.
  bool skip(std::string_view prefix) {
    auto drop_spaces = [](std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(' '), text.size())); };
    while (!prefix.empty()) {
      if (prefix[0] == ' ') {
        if (!rest_.empty() && rest_[0] != ' ') return false;
        drop_spaces(prefix);
        drop_spaces(rest_);
        continue;
      }
      if (rest_.empty() || rest_[0] != prefix[0]) return false;
      prefix.remove_prefix(1);
      rest_.remove_prefix(1);
    }
    return true;
  }

  // One or two digits, or exactly two.
  bool take_number(int& value, bool two_digits) {
    if (!is_digit(rest_, 0) || (two_digits && !is_digit(rest_, 1))) return false;
    std::size_t size = is_digit(rest_, 1) ? 2 : 1;
    return take_digits(value, size);
  }
  bool take_digits(int& value, std::size_t size) {
    value = 0;
    for (std::size_t i = 0; i < size; ++i) {
      if (!is_digit(rest_, i)) return false;
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(size);
    return true;
  }
  bool take_in_range(int& value, bool two_digits, int end, const char* name) {
    if (!take_number(value, two_digits)) return false;
    if (value >= end) out_of_range_ = name;
    return true;
  }
  template <typename Names>
  std::optional<int> take_name(const Names& names, std::size_t length) {
    auto lower = [](char c) { return static_cast<char>(c | 0x20); };
    for (std::size_t i = 0; i < names.size(); ++i) {
      std::string_view name = names[i].substr(0, length);
      bool same = rest_.size() >= name.size();
      for (std::size_t j = 0; same && j < name.size(); ++j) same = lower(rest_[j]) == lower(name[j]);
      if (!same) continue;
      rest_.remove_prefix(name.size());
      return static_cast<int>(i);
    }
    return std::nullopt;
  }
  // A mark and digits; past the ninth they do not count.
  bool take_fraction(std::size_t digits) {
    if (rest_.size() < digits + 1 || !is_fraction_mark(rest_[0])) return false;
    nanoseconds_ = 0;
    for (std::size_t i = 0; i < 9; ++i) {
      if (i < digits && !is_digit(rest_, i + 1)) return false;
      nanoseconds_ = nanoseconds_ * 10 + (i < digits ? rest_[i + 1] - '0' : 0);
    }
    rest_.remove_prefix(digits + 1);
    return true;
  }
  std::size_t count_fraction_digits() const {
    if (rest_.size() < 2 || !is_fraction_mark(rest_[0])) return 0;
    std::size_t count = 0;
    while (is_digit(rest_, count + 1)) ++count;
    return count;
  }

  bool take_second(bool two_digits, std::string_view layout) {
    if (!take_in_range(second_, two_digits, 60, "second") || out_of_range_) return out_of_range_ != nullptr;
    // A fraction is taken even where the layout has none.
    std::size_t digits = count_fraction_digits();
    if (digits == 0) return true;
    Part next = next_piece(layout).part;
    return next == Part::zero_fraction || next == Part::nine_fraction || take_fraction(digits);
  }

  bool take_zone(const ZoneStyle& style) {
    if (style.z && rest_.starts_with('Z')) {
      rest_.remove_prefix(1);
      is_utc_ = true;
      return true;
    }
    if (rest_.empty() || (rest_[0] != '+' && rest_[0] != '-')) return false;
    bool negative = rest_[0] == '-';
    rest_.remove_prefix(1);
    int hours = 0, minutes = 0, seconds = 0;
    auto take_next = [&](int& value) {
      if (style.colons) {
        if (!rest_.starts_with(':')) return false;
        rest_.remove_prefix(1);
      }
      return take_digits(value, 2);
    };
    if (!take_digits(hours, 2)) return false;
    if (style.minutes && !take_next(minutes)) return false;
    if (style.seconds && !take_next(seconds)) return false;
    if (hours > 24) out_of_range_ = "time zone offset hour";
    if (minutes > 60) out_of_range_ = "time zone offset minute";
    if (seconds > 60) out_of_range_ = "time zone offset second";
    int offset = (hours * 60 + minutes) * 60 + seconds;
    offset_ = negative ? -offset : offset;
    return true;
  }

  // The size of "+3" or "-11"; 0 if it is none.
  static std::size_t signed_offset_size(std::string_view text) {
    if (text.empty() || (text[0] != '+' && text[0] != '-')) return 0;
    std::size_t end = 1;
    int value = 0;
    while (is_digit(text, end)) {
      value = std::min(value * 10 + (text[end++] - '0'), 1000);
    }
    return end == 1 || value > 23 ? 0 : end;
  }

  bool take_zone_name() {
    if (rest_.starts_with("UTC")) {
      is_utc_ = true;
      rest_.remove_prefix(3);
      return true;
    }
    std::size_t size = zone_name_size();
    if (size == 0) return false;
    zone_name_ = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }
  std::size_t zone_name_size() const {
    if (rest_.size() < 3) return 0;
    if (rest_.starts_with("ChST") || rest_.starts_with("MeST")) return 4;
    if (rest_.starts_with("GMT")) return 3 + signed_offset_size(rest_.substr(3));
    if (rest_[0] == '+' || rest_[0] == '-') return signed_offset_size(rest_);
    std::size_t capitals = 0;
    while (capitals < 6 && capitals < rest_.size() && rest_[capitals] >= 'A' && rest_[capitals] <= 'Z') ++capitals;
    // Longer names end in T, but for that of Central Indonesia.
    if (capitals == 3) return 3;
    if (capitals == 4 && (rest_[3] == 'T' || rest_.starts_with("WITA"))) return 4;
    if (capitals == 5 && rest_[4] == 'T') return 5;
    return 0;
  }

  bool take_half(std::string_view before_noon, std::string_view after_noon) {
    is_morning_ = rest_.starts_with(before_noon);
    is_afternoon_ = rest_.starts_with(after_noon);
    if (!is_morning_ && !is_afternoon_) return false;
    rest_.remove_prefix(2);
    return true;
  }

  void drop_space() {
    if (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }

  bool read(const Piece& piece, std::string_view layout) {
    switch (piece.part) {
      case Part::end: return true;
      case Part::year: {
        int value = 0;
        if (!take_digits(value, 2)) return false;
        year_ = value + (value >= 69 ? 1900 : 2000);
        return true;
      }
      case Part::long_year: return take_digits(year_, 4);
      case Part::month:
      case Part::long_month: {
        auto index = take_name(kMonths, piece.part == Part::month ? 3 : std::string_view::npos);
        if (!index) return false;
        month_ = *index + 1;
        return true;
      }
      case Part::number_month:
      case Part::zero_month:
        if (!take_in_range(month_, piece.part == Part::zero_month, 13, "month")) return false;
        if (month_ == 0) out_of_range_ = "month";
        return true;
      case Part::weekday: return take_name(kWeekdays, 3).has_value();
      case Part::long_weekday: return take_name(kWeekdays, std::string_view::npos).has_value();
      case Part::under_day: drop_space(); [[fallthrough]];
      case Part::day:
      case Part::zero_day: return take_number(day_, piece.part == Part::zero_day);
      case Part::under_year_day:
        drop_space();
        drop_space();
        [[fallthrough]];
      case Part::zero_year_day: {
        std::size_t digits = 0;
        while (digits < 3 && is_digit(rest_, digits)) ++digits;
        if (digits == 0 || (piece.part == Part::zero_year_day && digits != 3)) return false;
        return take_digits(day_of_year_, digits);
      }
      case Part::hour: return take_in_range(hour_, false, 24, "hour");
      case Part::hour_12:
      case Part::zero_hour_12: return take_in_range(hour_, piece.part == Part::zero_hour_12, 13, "hour");
      case Part::minute:
      case Part::zero_minute: return take_in_range(minute_, piece.part == Part::zero_minute, 60, "minute");
      case Part::second:
      case Part::zero_second: return take_second(piece.part == Part::zero_second, layout);
      case Part::upper_half: return take_half("AM", "PM");
      case Part::lower_half: return take_half("am", "pm");
      case Part::zone: return take_zone(piece.zone);
      case Part::zone_name: return take_zone_name();
      case Part::zero_fraction: return take_fraction(piece.text.size() - 1);
      case Part::nine_fraction: {
        std::size_t digits = count_fraction_digits();
        return digits == 0 || take_fraction(digits);
      }
    }
    return false;
  }

  Result<Time> finish() {
    if (is_afternoon_ && hour_ < 12) {
      hour_ += 12;
    } else if (is_morning_ && hour_ == 12) {
      hour_ = 0;
    }
    if (day_of_year_ >= 0) {
      if (day_of_year_ < 1 || day_of_year_ > (is_leap(year_) ? 366 : 365)) return complain(": day-of-year out of range");
      Date date = date_of(days_from({year_, 1, 1}) + day_of_year_ - 1);
      if (month_ >= 0 && month_ != date.month) return complain(": day-of-year does not match month");
      if (day_ >= 0 && day_ != date.day) return complain(": day-of-year does not match day");
      month_ = date.month;
      day_ = date.day;
    }
    if (month_ < 0) month_ = 1;
    if (day_ < 0) day_ = 1;
    if (day_ < 1 || day_ > days_in(month_, year_)) return complain(": day out of range");
    Time time = Time::from({year_, month_, day_}, hour_, minute_, second_, nanoseconds_);
    if (is_utc_) return time;
    if (offset_) {
      time.seconds -= *offset_;
      time.offset = *offset_;
      if (*offset_ != 0 || !zone_name_.empty()) time.zone = zone_name_;
    } else if (!zone_name_.empty()) {
      // A name says nothing of the offset, except for GMT+3.
      time.zone = zone_name_;
      if (zone_name_.size() > 3 && zone_name_.starts_with("GMT")) time.offset = std::atoi(std::string(zone_name_.substr(3)).c_str()) * 3600;
    }
    return time;
  }

  std::string_view layout_, text_, rest_;
  const char* out_of_range_ = nullptr;
  int year_ = 0, month_ = -1, day_ = -1, day_of_year_ = -1;
  int hour_ = 0, minute_ = 0, second_ = 0, nanoseconds_ = 0;
  bool is_morning_ = false, is_afternoon_ = false, is_utc_ = false;
  std::optional<int> offset_;
  std::string_view zone_name_;
};

struct Unit {
  std::string_view name;
  std::uint64_t nanoseconds;
};
constexpr Unit kUnits[] = {
    {"ns", 1},         {"us", 1'000},          {"\u00b5s", 1'000},        {"\u03bcs", 1'000},
    {"ms", 1'000'000}, {"s", 1'000'000'000},   {"m", 60'000'000'000},     {"h", 3'600'000'000'000},
};
constexpr std::uint64_t kMaxDuration = std::uint64_t{1} << 63;  // only the negative one is that long

}  // namespace

Result<Time> parse_time(std::string_view layout, std::string_view text) { return Reader(layout, text).run(); }

std::string format_duration(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return "0s";
  std::uint64_t size = nanoseconds < 0 ? 0 - static_cast<std::uint64_t>(nanoseconds) : static_cast<std::uint64_t>(nanoseconds);
  std::string out = nanoseconds < 0 ? "-" : "";
  auto with_fraction = [](std::uint64_t value, std::uint64_t unit, int digits) {
    std::string text = fmt::format("{}", value / unit);
    if (value % unit == 0) return text;
    text += fmt::format(".{:0{}}", value % unit, digits);
    text.resize(text.find_last_not_of('0') + 1);
    return text;
  };
  if (size < 1'000) return out + fmt::format("{}ns", size);
  if (size < 1'000'000) return out + with_fraction(size, 1'000, 3) + "\u00b5s";
  if (size < 1'000'000'000) return out + with_fraction(size, 1'000'000, 6) + "ms";
  std::uint64_t minutes = size / 60'000'000'000;
  if (minutes >= 60) out += fmt::format("{}h", minutes / 60);
  if (minutes > 0) out += fmt::format("{}m", minutes % 60);
  return out + with_fraction(size % 60'000'000'000, 1'000'000'000, 9) + "s";
}

Result<std::int64_t> parse_duration(std::string_view text) {
  auto invalid = [&] { return wrong("time: invalid duration " + quote(text)); };
  std::string_view rest = text;
  bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  if (rest == "0") return 0;
  if (rest.empty()) return invalid();
  std::uint64_t total = 0;
  while (!rest.empty()) {
    std::uint64_t whole = 0;
    std::size_t digits = 0;
    for (; is_digit(rest, 0); rest.remove_prefix(1), ++digits) {
      if (whole > kMaxDuration / 10) return invalid();
      whole = whole * 10 + static_cast<std::uint64_t>(rest[0] - '0');
      if (whole > kMaxDuration) return invalid();
    }
    std::uint64_t fraction = 0;
    double scale = 1;
    if (rest.starts_with('.')) {
      rest.remove_prefix(1);
      for (bool counts = true; is_digit(rest, 0); rest.remove_prefix(1), ++digits) {
        std::uint64_t longer = fraction * 10 + static_cast<std::uint64_t>(rest[0] - '0');
        counts = counts && fraction <= (kMaxDuration - 1) / 10 && longer <= kMaxDuration;
        if (!counts) continue;
        fraction = longer;
        scale *= 10;
      }
    }
    if (digits == 0) return invalid();
    std::size_t size = std::min(rest.find_first_of(".0123456789"), rest.size());
    if (size == 0) return wrong("time: missing unit in duration " + quote(text));
    std::string_view name = rest.substr(0, size);
    rest.remove_prefix(size);
    auto unit = std::find_if(std::begin(kUnits), std::end(kUnits), [&](const Unit& u) { return u.name == name; });
    if (unit == std::end(kUnits)) return wrong("time: unknown unit " + quote(name) + " in duration " + quote(text));
    if (whole > kMaxDuration / unit->nanoseconds) return invalid();
    std::uint64_t value = whole * unit->nanoseconds;
    value += static_cast<std::uint64_t>(static_cast<double>(fraction) * (static_cast<double>(unit->nanoseconds) / scale));
    if (value > kMaxDuration) return invalid();
    total += value;
    if (total > kMaxDuration) return invalid();
  }
  if (negative) return static_cast<std::int64_t>(0 - total);
  if (total == kMaxDuration) return invalid();
  return static_cast<std::int64_t>(total);
}

}  // namespace opm::cue::standard
