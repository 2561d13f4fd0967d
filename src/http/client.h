// HTTP over libcurl: one question, one answer, in memory and with limits. Connections are
// kept for the next question, and shared by questions at the same time where the server speaks
// HTTP/2. Redirects, secrets and second attempts are the caller's, because what they may do
// depends on who is asked.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
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
  bool accept_compressed = false;  // on the way; the answer comes as it was before
  // Called now and then with the bytes that came so far and, if known, how many there will be. On another thread.
  std::function<void(std::uint64_t received, std::uint64_t expected)> progress;
  // For answers that have no end: given the pieces of a good answer as they come, which are then not kept and
  // not counted. On another thread, which must not be held up. false: that is enough; the answer is then complete.
  std::function<bool(std::string_view piece)> on_piece;
  std::chrono::milliseconds timeout{0};                 // for everything; 0: none
  std::optional<std::chrono::seconds> stall_timeout{};  // if not that of the client; 0: none
  std::stop_token stop{};                               // to give up early
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
  stopped,        // because we were told to
  other,
};

struct Failure {
  FailureKind kind = FailureKind::other;
  std::string message;
};

// How a server that is not one of the public web is recognised, and how we show who we are. PEM, never paths.
struct Tls {
  std::string authorities;  // empty: those of this machine
  std::string certificate;  // ours
  std::string key;
  std::string server_name;  // the name in its certificate, if it is not the host that is asked
  bool insecure = false;    // whatever certificate it has
};

struct ClientOptions {
  std::string user_agent = "opm";
  std::chrono::milliseconds connect_timeout{15'000};
  std::chrono::seconds stall_timeout{30};  // so long without a byte is too slow
  const base::Environment* environment = nullptr;  // for proxies and certificates; nullptr: that of the process
  Tls tls{};
  std::optional<std::string> proxy{};  // for every question, whatever the environment says
  // Questions wait for a connection that is being made, in the hope that it carries them all.
  bool share_connection = false;
};

// Any number of threads may use it.
class Client {
 public:
  virtual ~Client() = default;
  virtual std::expected<Answer, Failure> send(const Request& request) = 0;
};

std::unique_ptr<Client> make_client(ClientOptions options = {});

}  // namespace opm::http
