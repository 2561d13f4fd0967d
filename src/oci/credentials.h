// Secrets for registries, from where `cue login` and `docker login` left them: CUE's
// logins.json, Docker's config.json, and the credential helpers that the latter names.
// Nothing here sends anything; no message holds a secret.
#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/environment.h"
#include "base/file_system.h"
#include "data/tree.h"

namespace opm::oci {

// What is known for one host; all empty: nothing.
struct Credentials {
  std::string username, password;
  std::string identity_token;  // exchanged for an access token at the registry's token service
  std::string access_token;    // sent as it is

  bool empty() const { return username.empty() && identity_token.empty() && access_token.empty(); }
};

// A login of `cue login`: an access token that may have run out, and how to get another.
struct Login {
  std::string access_token;
  std::string refresh_token;
  std::optional<base::Clock::Time> expiry;
};

// What a credential helper does: a host in, what it printed out. Nothing: there is no such helper.
using HelperRunner =
    std::function<std::expected<std::optional<std::string>, std::string>(const std::string& helper, const std::string& host)>;
HelperRunner real_helper_runner();

// Any number of threads may use it.
class CredentialStore {
 public:
  CredentialStore(const base::Environment& environment, const base::FileSystem& files,
                  HelperRunner runner = real_helper_runner());

  // `host` is "host" or "host:port", as registries are named.
  std::expected<std::optional<Login>, std::string> login(const std::string& host);
  std::expected<Credentials, std::string> credentials(const std::string& host);
  // Keeps a renewed login for the next run, as `cue` does.
  std::expected<void, std::string> store_login(const std::string& host, const Login& login);

 private:
  std::expected<Credentials, std::string> look_up(const std::string& host) const;
  std::expected<Credentials, std::string> look_up(const std::string& host, const data::Value& config,
                                                  const std::string& path) const;
  std::vector<std::string> docker_config_paths() const;
  std::optional<std::string> logins_path() const;

  const base::Environment& environment_;
  const base::FileSystem& files_;
  HelperRunner runner_;
  std::mutex mutex_;
  std::map<std::string, std::expected<Credentials, std::string>> known_;
};

}  // namespace opm::oci
