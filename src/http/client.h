// HTTP over libcurl: one question, one answer, in memory and with limits. Connections are
// kept for the next question. Redirects, secrets and second attempts are the caller's,
// because what they may do depends on who is asked.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/environment.h"
#include "http/url.h"

namespace opm::http {

struct Request {
  std::string method = "GET";
  Url url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string_view body;
  std::size_t max_answer_bytes = std::size_t{16} << 20;
  // Called now and then with the bytes that came so far and, if known, how many there will be.
  std::function<void(std::uint64_t received, std::uint64_t expected)> progress;
};

struct Answer {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case; several with one name are joined by ", "
  std::string body;

  std::string_view header(const std::string& name) const;
};

enum class FailureKind : std::uint8_t {
  no_connection,  // no such host, nobody listens, no way there
  interrupted,    // the connection ended before the answer did
  too_slow,
  not_trusted,    // the certificate is not good
  too_large,
  other,
};

struct Failure {
  FailureKind kind = FailureKind::other;
  std::string message;
};

struct ClientOptions {
  std::string user_agent = "opm";
  std::chrono::milliseconds connect_timeout{15'000};
  std::chrono::seconds stall_timeout{30};  // so long without a byte is too slow
  const base::Environment* environment = nullptr;  // for proxies and certificates; nullptr: that of the process
};

// Any number of threads may use it.
class Client {
 public:
  virtual ~Client() = default;
  virtual std::expected<Answer, Failure> send(const Request& request) = 0;
};

std::unique_ptr<Client> make_client(ClientOptions options = {});

}  // namespace opm::http
