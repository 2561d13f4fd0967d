#include "cli/cue_variables.h"

#include <fmt/core.h>
#include <pwd.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>

#include "base/environment.h"

namespace opm::cli {

namespace {

// As Go prints times: the fraction without trailing zeros.
std::string current_time() {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  std::time_t seconds = nanoseconds / 1'000'000'000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::string fraction = fmt::format(".{:09}", nanoseconds % 1'000'000'000);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  if (fraction == ".") fraction.clear();
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec, fraction);
}

// The names that CUE's users know for processors.
std::string processor() {
  utsname names{};
  ::uname(&names);
  std::string machine = names.machine;
  if (machine == "x86_64") return "amd64";
  if (machine == "aarch64") return "arm64";
  return machine;
}

std::string random_number() {
  std::array<unsigned char, 16> bytes{};
  std::string text = "0x";
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return "0";
  for (unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

// From the file itself, as Go programs look it up: other sources, which a system may have configured, the C library would load from
// shared libraries, which a program without any cannot.
std::string user_name() {
  std::unique_ptr<FILE, decltype([](FILE* file) { std::fclose(file); })> users(std::fopen("/etc/passwd", "re"));
  while (const passwd* user = users ? ::fgetpwent(users.get()) : nullptr)
    if (user->pw_uid == ::getuid()) return user->pw_name;
  return base::real_environment().get("USER").value_or("");
}

}  // namespace

std::map<std::string, cue::load::TagVariable> system_variables(const std::string& working_directory) {
  return {
      {"now", {current_time(), false}},   {"os", {"linux", false}},
      {"arch", {processor(), false}},     {"cwd", {working_directory, false}},
      {"username", {user_name(), false}}, {"hostname", {host_name(), false}},
      {"rand", {random_number(), true}},
  };
}

}  // namespace opm::cli
