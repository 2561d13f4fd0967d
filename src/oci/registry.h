// One OCI registry: its questions and answers, with everything that makes them arrive. Who
// is asked decides what is told: a secret goes only to the host that it is for (or the token
// service of its domain), never along a redirect to another, and never in the clear.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "cue/module/registry_map.h"
#include "cue/module/resolver.h"
#include "http/client.h"
#include "oci/credentials.h"

namespace opm::oci {

using cue::module::ModuleError;
using cue::module::ModuleErrorKind;

// What registries name content by: "sha256:" and 64 digits.
std::string digest_of(std::string_view content);
bool is_digest(std::string_view text);

struct Descriptor {
  std::string media_type;
  std::string digest;
  std::uint64_t size = 0;
};

struct Manifest {
  std::string content;
  std::string media_type;
};

struct RetryPolicy {
  unsigned attempts = 5;
  std::chrono::milliseconds first_wait{200};    // doubled each time
  std::chrono::milliseconds longest_wait{30'000};  // more than this, if a registry asks for it, is not waited
};

// Called with what is being downloaded and how much of it came.
using Progress = std::function<void(const std::string& what, std::uint64_t received, std::uint64_t expected)>;

struct RegistryServices {
  http::Client& client;
  CredentialStore& credentials;
  base::Clock& clock;
  RetryPolicy retry;
  Progress progress;
};

// Any number of threads may use it.
class Registry {
 public:
  Registry(cue::module::RegistryHost host, const RegistryServices& services);

  // What a tag points to; nothing: there is no such tag, or we may not know.
  std::expected<std::optional<Manifest>, ModuleError> manifest(const std::string& repository, const std::string& tag);
  // Exactly what the descriptor says. `what`: how progress calls it.
  std::expected<std::string, ModuleError> blob(const std::string& repository, const Descriptor& descriptor,
                                               const std::string& what);
  // Empty also where there is no such repository.
  std::expected<std::vector<std::string>, ModuleError> tags(const std::string& repository);

  std::expected<void, ModuleError> push_blob(const std::string& repository, const Descriptor& descriptor,
                                             std::string_view content);
  std::expected<void, ModuleError> push_manifest(const std::string& repository, const std::string& tag,
                                                 std::string_view content, const std::string& media_type);

  const std::string& name() const { return host_.name; }

 private:
  struct Question {
    std::string method = "GET";
    http::Url url;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string_view body;
    std::string scope;  // what a token has to be good for
    bool once = false;  // must not be asked again without what comes before it
    std::size_t max_answer_bytes = std::size_t{16} << 20;
    std::function<void(std::uint64_t, std::uint64_t)> progress;
  };
  struct Challenge {
    std::string scheme;  // lower case
    std::map<std::string, std::string> parameters;
  };
  struct Token {
    std::string text;
    base::Clock::Time expiry;
  };
  using Result = std::expected<http::Answer, ModuleError>;

  http::Url url(const std::string& target) const;
  // Until there is an answer that is worth having: again after interruptions and when the registry has too much to do.
  Result ask(const Question& question);
  // Once, with what it takes to be let in. The failure of the last step is the caller's to judge.
  std::expected<http::Answer, http::Failure> ask_once(const Question& question, std::optional<ModuleError>& refused);
  std::expected<http::Answer, http::Failure> follow(const Question& question, const std::string& authorization);
  // What to say to be let in; empty: nothing is known.
  std::expected<std::string, ModuleError> authorization(const Question& question, const std::optional<Challenge>& challenge);
  std::expected<std::string, ModuleError> fetch_token(const Challenge& challenge, const Credentials& known,
                                                      const std::string& scope);
  std::expected<std::string, ModuleError> login_authorization(Login login);
  std::optional<std::chrono::milliseconds> wait_before(unsigned attempt, const http::Answer* answer) const;
  ModuleError error(ModuleErrorKind kind, const std::string& message) const;
  bool has_token(const std::string& scope);
  ModuleError refusal(const Question& question, const http::Answer& answer) const;
  static std::optional<Challenge> parse_challenge(std::string_view header);

  cue::module::RegistryHost host_;
  http::Client& client_;
  CredentialStore& credentials_;
  base::Clock& clock_;
  RetryPolicy retry_;
  Progress progress_;
  std::mutex mutex_;
  std::map<std::string, Token> tokens_;  // by scope
  std::optional<Challenge> last_challenge_;
};

}  // namespace opm::oci
