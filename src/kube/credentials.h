// Who we are, as a server wants to hear it: tokens, passwords, and what credential plugins
// say, which is kept until it runs out. No message holds any of it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/environment.h"
#include "base/file_system.h"
#include "base/process.h"
#include "kube/connection.h"
#include "kube/failure.h"

namespace opm::kube {

struct Authorization {
  std::vector<std::pair<std::string, std::string>> headers;
  // Of a plugin; else those of the connection hold.
  std::string certificate, key;
  unsigned generation = 0;  // counts what a plugin said
};

// Any number of threads may use it.
class CredentialSource {
 public:
  CredentialSource(const Connection& connection, const base::Environment& environment, const base::FileSystem& files,
                   base::Clock& clock);

  Result<Authorization> authorization();
  // The server did not accept that one: whether there may be another now.
  bool renew(const Authorization& refused);

 private:
  struct Answer {
    std::string token, certificate, key;
    std::optional<base::Clock::Time> expiry;
    unsigned generation = 0;
  };
  Result<Answer> run_plugin() const;
  Result<std::string> token_of_file();

  const Connection& connection_;
  const base::Environment& environment_;
  const base::FileSystem& files_;
  base::Clock& clock_;
  std::mutex mutex_;
  std::optional<Answer> answer_;
  unsigned generation_ = 0;
  std::string file_token_;
  std::optional<base::Clock::Duration> file_read_;
};

// What a plugin printed, in v1 or v1beta1. For tests too.
struct ExecCredential {
  std::string token, certificate, key;
  std::optional<base::Clock::Time> expiry;
};
std::expected<ExecCredential, std::string> parse_exec_credential(const std::string& printed,
                                                                 std::string_view api_version);

}  // namespace opm::kube
