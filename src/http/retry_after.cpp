#include "http/retry_after.h"

#include <curl/curl.h>

#include <algorithm>
#include <ctime>
#include <string>

namespace opm::http {

namespace {

constexpr std::chrono::seconds kLongest = std::chrono::hours(24);
constexpr std::size_t kLongestDate = 64;

// Any of the three forms that HTTP has for dates.
std::optional<std::chrono::sys_seconds> read_date(std::string_view text) {
  if (text.empty() || text.size() > kLongestDate || text.find(':') == std::string_view::npos) return std::nullopt;
  std::time_t time = ::curl_getdate(std::string(text).c_str(), nullptr);
  if (time == -1) return std::nullopt;
  return std::chrono::sys_seconds(std::chrono::seconds(time));
}

}  // namespace

std::optional<std::chrono::seconds> retry_after(const Answer& answer, base::Clock::Time now) {
  std::string_view text = answer.header("retry-after");
  if (text.empty()) return std::nullopt;
  if (text.find_first_not_of("0123456789") == std::string_view::npos) {
    constexpr std::size_t kDigits = 6;  // more than a day in any case
    return text.size() > kDigits ? kLongest : std::min(std::chrono::seconds(std::stol(std::string(text))), kLongest);
  }
  auto until = read_date(text);
  if (!until) return std::nullopt;
  std::chrono::sys_seconds from = read_date(answer.header("date")).value_or(std::chrono::floor<std::chrono::seconds>(now));
  return std::clamp(std::chrono::duration_cast<std::chrono::seconds>(*until - from), std::chrono::seconds(0), kLongest);
}

}  // namespace opm::http
