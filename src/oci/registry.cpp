#include "oci/registry.h"

#include <algorithm>
#include <random>

#include "base/digest.h"
#include "data/json.h"
#include "http/retry_after.h"

namespace opm::oci {
namespace {

constexpr std::string_view kManifestType = "application/vnd.oci.image.manifest.v1+json";
constexpr std::size_t kMaxManifestBytes = std::size_t{4} << 20;
constexpr unsigned kMaxTagPages = 1000;
constexpr std::size_t kMaxTags = 100'000;

bool is_busy(int status) { return status == 429 || status >= 500; }

// A registry tells "not there" from "not for you" only to those who may know.
bool is_absent(int status) { return status == 403 || status == 404; }

std::string without_line_breaks(std::string_view text) {
  std::string result;
  for (unsigned char c : text.substr(0, 300)) result += c < 0x20 || c == 0x7F ? ' ' : static_cast<char>(c);
  return result;
}

// What a registry says about what went wrong: {"errors": [{"code": …, "message": …}]}.
std::string explanation(const http::Answer& answer) {
  diag::SourceMap sources;
  const diag::Source* source = sources.add("answer", answer.body.substr(0, 64 * 1024));
  if (source == nullptr) return {};
  auto value = data::read_json(*source);
  const data::Value* errors = value ? value->find("errors") : nullptr;
  if (errors == nullptr || !errors->is_list() || errors->as_list().empty()) return {};
  const data::Value* message = errors->as_list().front().find("message");
  if (message == nullptr || !message->is_string() || message->as_string().empty()) return {};
  return ": " + without_line_breaks(message->as_string());
}

// The "next" page of a Link header: </v2/...>; rel="next".
std::string next_page(std::string_view link) {
  std::size_t begin = link.find('<');
  std::size_t end = link.find('>', begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) return {};
  if (link.find("rel=\"next\"", end) == std::string_view::npos && link.find("rel=next", end) == std::string_view::npos)
    return {};
  return std::string(link.substr(begin + 1, end - begin - 1));
}

}  // namespace

std::string digest_of(std::string_view content) { return "sha256:" + base::sha256_hex(content); }

bool is_digest(std::string_view text) {
  return text.starts_with("sha256:") && text.size() == 7 + 64 &&
         text.substr(7).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Registry::Registry(cue::module::RegistryHost host, const RegistryServices& services)
    : host_(std::move(host)),
      client_(services.client),
      credentials_(services.credentials),
      clock_(services.clock),
      retry_(services.retry),
      progress_(services.progress) {}

ModuleError Registry::error(ModuleErrorKind kind, const std::string& message) const {
  return {kind, "registry " + host_.name + ": " + message};
}

http::Url Registry::url(const std::string& target) const {
  return http::parse_url((host_.insecure ? "http://" : "https://") + host_.name + target).value_or(http::Url{});
}

// How long to wait before the next attempt; nothing: there is none.
std::optional<std::chrono::milliseconds> Registry::wait_before(unsigned attempt, const http::Answer* answer) const {
  using std::chrono::milliseconds;
  if (attempt >= retry_.attempts) return std::nullopt;
  thread_local std::minstd_rand random(std::random_device{}());
  milliseconds wait = retry_.first_wait * (1 << (attempt - 1));
  // Those who failed together should not come back together.
  wait += milliseconds(random() % static_cast<unsigned>(wait.count() / 2 + 1));
  if (answer != nullptr) {
    if (std::optional<milliseconds> asked = http::retry_after(*answer, clock_.now())) {
      if (*asked > retry_.longest_wait) return std::nullopt;
      wait = std::max(wait, *asked);
    }
  }
  return std::min(wait, retry_.longest_wait);
}

Registry::Result Registry::ask(const Question& question) {
  for (unsigned attempt = 1;; ++attempt) {
    std::optional<ModuleError> refused;
    auto answer = ask_once(question, refused);
    if (refused) return std::unexpected(std::move(*refused));
    if (answer && !is_busy(answer->status)) return std::move(*answer);
    bool again = answer || answer.error().kind == http::FailureKind::interrupted ||
                 answer.error().kind == http::FailureKind::too_slow;
    again = again && !question.once;
    auto wait = again ? wait_before(attempt, answer ? &*answer : nullptr) : std::nullopt;
    if (wait) {
      clock_.sleep(*wait);
      continue;
    }
    std::string tried = attempt > 1 ? " (tried " + std::to_string(attempt) + " times)" : "";
    if (!answer) {
      bool is_wrong = answer.error().kind == http::FailureKind::too_large;
      return std::unexpected(
          error(is_wrong ? ModuleErrorKind::invalid : ModuleErrorKind::unreachable, answer.error().message + tried));
    }
    std::string said = answer->status == 429 ? "too many requests (429)"
                                             : "the registry has a problem (" + std::to_string(answer->status) + ")";
    if (auto asked = http::retry_after(*answer, clock_.now()))
      said += ", try again after " + std::to_string(asked->count()) + " seconds";
    return std::unexpected(error(ModuleErrorKind::unreachable, said + explanation(*answer) + tried));
  }
}

std::expected<http::Answer, http::Failure> Registry::follow(const Question& question,
                                                            const std::string& authorization) {
  http::Request request;
  request.method = question.method;
  request.url = question.url;
  request.body = question.body;
  request.max_answer_bytes = question.max_answer_bytes;
  request.progress = question.progress;
  for (unsigned redirects = 0;; ++redirects) {
    request.headers = question.headers;
    if (!authorization.empty() && request.url.same_origin(question.url) && request.url.is_private())
      request.headers.emplace_back("Authorization", authorization);
    auto answer = client_.send(request);
    bool is_redirect = answer && answer->status >= 301 && answer->status <= 308 && answer->status != 304 &&
                       (question.method == "GET" || question.method == "HEAD");
    if (!is_redirect) return answer;
    auto next = http::resolve_url(request.url, answer->header("location"));
    if (!next || redirects >= 5)
      return std::unexpected(http::Failure{http::FailureKind::other, "redirects to nowhere"});
    if (request.url.scheme == "https" && !next->is_private())
      return std::unexpected(
          http::Failure{http::FailureKind::other, "redirects from https to plain http at " + next->authority()});
    request.url = std::move(*next);
  }
}

std::expected<http::Answer, http::Failure> Registry::ask_once(const Question& question,
                                                              std::optional<ModuleError>& refused) {
  std::optional<Challenge> challenge;
  {
    std::lock_guard lock(mutex_);
    challenge = last_challenge_;
  }
  bool was_challenged = false;
  for (;;) {
    // What is asked of another host (where an upload goes, the next page) needs none of our secrets.
    std::string secret;
    if (question.url.same_origin(url("/"))) {
      auto known = authorization(question, challenge);
      if (!known) {
        refused = std::move(known.error());
        return http::Answer{};
      }
      secret = std::move(*known);
    }
    auto answer = follow(question, secret);
    if (!answer || answer->status != 401) return answer;
    auto asked = parse_challenge(answer->header("www-authenticate"));
    if (was_challenged || !asked) {
      // It gave a token for the asking, so it knows who asks: what it means is that we may not.
      if (has_token(question.scope)) {
        answer->status = 403;
        return answer;
      }
      refused = refusal(question, *answer);
      return answer;
    }
    was_challenged = true;
    challenge = std::move(asked);
    std::lock_guard lock(mutex_);
    last_challenge_ = challenge;
    tokens_.erase(question.scope);  // it was not good enough
  }
}

ModuleError Registry::refusal(const Question& question, const http::Answer& answer) const {
  std::string advice;
  auto known = credentials_.credentials(host_.name);
  if (known && !known->empty() && !question.url.is_private())
    advice = "; credentials are not sent over plain http";
  else if (known && known->empty())
    advice = "; log in with \"docker login " + host_.name + "\" or \"cue login\"";
  std::string why = explanation(answer);
  return {ModuleErrorKind::denied, "401 Unauthorized" + (why.empty() ? why : ": unauthorized" + why) + " (registry " +
                                       host_.name + advice + ")"};
}

bool Registry::has_token(const std::string& scope) {
  std::lock_guard lock(mutex_);
  return tokens_.contains(scope);
}

// Bearer realm="https://…",service="…",scope="…"
std::optional<Registry::Challenge> Registry::parse_challenge(std::string_view header) {
  auto lower = [](std::string_view text) {
    std::string result(text);
    for (char& c : result)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
  };
  // Where several are offered, a token is the better one.
  std::string all = lower(header);
  if (std::size_t bearer = all.find("bearer "); bearer != std::string::npos) header.remove_prefix(bearer);
  std::size_t space = std::min(header.find(' '), header.size());
  Challenge challenge;
  challenge.scheme = lower(header.substr(0, space));
  if (challenge.scheme != "bearer" && challenge.scheme != "basic") return std::nullopt;
  std::string_view rest = header.substr(space);
  while (!rest.empty()) {
    std::size_t begin = rest.find_first_not_of(" ,\t");
    if (begin == std::string_view::npos) break;
    rest.remove_prefix(begin);
    std::size_t equals = rest.find('=');
    if (equals == std::string_view::npos) break;
    std::string key = lower(rest.substr(0, equals));
    if (key.find(' ') != std::string::npos) break;  // the next challenge
    rest.remove_prefix(equals + 1);
    std::string value;
    if (rest.starts_with('"')) {
      std::size_t i = 1;
      for (; i < rest.size() && rest[i] != '"'; ++i) {
        if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
        value += rest[i];
      }
      rest.remove_prefix(std::min(i + 1, rest.size()));
    } else {
      std::size_t end = std::min(rest.find_first_of(", "), rest.size());
      value = rest.substr(0, end);
      rest.remove_prefix(end);
    }
    challenge.parameters[key] = std::move(value);
  }
  return challenge;
}

std::expected<std::optional<Manifest>, ModuleError> Registry::manifest(const std::string& repository,
                                                                       const std::string& tag) {
  Question question;
  question.url = url("/v2/" + repository + "/manifests/" + tag);
  question.headers = {{"Accept", std::string(kManifestType)}};
  question.scope = "repository:" + repository + ":pull";
  question.max_answer_bytes = kMaxManifestBytes;
  for (unsigned attempt = 1;; ++attempt) {
    auto answer = ask(question);
    if (!answer) return std::unexpected(std::move(answer.error()));
    if (is_absent(answer->status)) return std::nullopt;
    if (answer->status != 200)
      return std::unexpected(error(ModuleErrorKind::invalid, "unexpected answer " + std::to_string(answer->status) +
                                                                 " for " + repository + ":" + tag + explanation(*answer)));
    std::string_view promised = answer->header("docker-content-digest");
    if (!promised.starts_with("sha256:") || promised == digest_of(answer->body))
      return Manifest{std::move(answer->body), std::string(answer->header("content-type"))};
    auto wait = wait_before(attempt, nullptr);
    if (!wait)
      return std::unexpected(error(ModuleErrorKind::invalid, "the manifest of " + repository + ":" + tag +
                                                                 " has another digest than the registry says"));
    clock_.sleep(*wait);
  }
}

std::expected<std::string, ModuleError> Registry::blob(const std::string& repository, const Descriptor& descriptor,
                                                       const std::string& what) {
  Question question;
  question.url = url("/v2/" + repository + "/blobs/" + descriptor.digest);
  question.scope = "repository:" + repository + ":pull";
  question.max_answer_bytes = descriptor.size;
  if (progress_)
    question.progress = [&](std::uint64_t received, std::uint64_t) { progress_(what, received, descriptor.size); };
  for (unsigned attempt = 1;; ++attempt) {
    auto answer = ask(question);
    if (!answer) return std::unexpected(std::move(answer.error()));
    if (answer->status != 200)
      return std::unexpected(error(is_absent(answer->status) ? ModuleErrorKind::not_found : ModuleErrorKind::invalid,
                                   "blob " + descriptor.digest + " of " + repository + " is not there (" +
                                       std::to_string(answer->status) + ")" + explanation(*answer)));
    if (answer->body.size() == descriptor.size && digest_of(answer->body) == descriptor.digest)
      return std::move(answer->body);
    // Damaged on the way, perhaps.
    auto wait = wait_before(attempt, nullptr);
    if (!wait)
      return std::unexpected(error(ModuleErrorKind::invalid,
                                   "blob " + descriptor.digest + " of " + repository + " has another content: digest " +
                                       digest_of(answer->body) + " (tried " + std::to_string(attempt) + " times)"));
    clock_.sleep(*wait);
  }
}

std::expected<std::vector<std::string>, ModuleError> Registry::tags(const std::string& repository) {
  std::vector<std::string> all;
  Question question;
  question.url = url("/v2/" + repository + "/tags/list?n=1000");
  question.scope = "repository:" + repository + ":pull";
  for (unsigned page = 0; page < kMaxTagPages && all.size() < kMaxTags; ++page) {
    auto answer = ask(question);
    if (!answer) return std::unexpected(std::move(answer.error()));
    if (is_absent(answer->status)) return all;
    auto bad = [&](const std::string& why) {
      return std::unexpected(error(ModuleErrorKind::invalid, "cannot list the versions of " + repository + ": " + why));
    };
    if (answer->status != 200) return bad("unexpected answer " + std::to_string(answer->status) + explanation(*answer));
    diag::SourceMap sources;
    const diag::Source* source = sources.add("tags", std::move(answer->body));
    auto value = source != nullptr ? data::read_json(*source) : std::unexpected(std::vector<diag::Diagnostic>());
    if (!value) return bad("the answer is no JSON");
    const data::Value* tags = value->find("tags");
    if (tags != nullptr && tags->is_list())
      for (const data::Value& tag : tags->as_list())
        if (tag.is_string()) all.push_back(tag.as_string());
    std::string next = next_page(answer->header("link"));
    if (next.empty()) return all;
    auto resolved = http::resolve_url(question.url, next);
    if (!resolved || !resolved->same_origin(question.url)) return bad("the next page is at another host");
    question.url = std::move(*resolved);
  }
  return all;
}

std::expected<void, ModuleError> Registry::push_blob(const std::string& repository, const Descriptor& descriptor,
                                                     std::string_view content) {
  const std::string scope = "repository:" + repository + ":pull,push";
  Question look;
  look.method = "HEAD";
  look.url = url("/v2/" + repository + "/blobs/" + descriptor.digest);
  look.scope = scope;
  auto there = ask(look);
  if (!there) return std::unexpected(std::move(there.error()));
  if (there->status == 200) return {};

  auto failed = [&](const http::Answer& answer) {
    bool denied = answer.status == 403 || answer.status == 405;
    return std::unexpected(error(denied ? ModuleErrorKind::denied : ModuleErrorKind::invalid,
                                 "cannot upload to " + repository + ": answer " + std::to_string(answer.status) +
                                     explanation(answer)));
  };
  for (unsigned attempt = 1;; ++attempt) {
    Question start;
    start.method = "POST";
    start.url = url("/v2/" + repository + "/blobs/uploads/");
    start.scope = scope;
    auto started = ask(start);
    if (!started) return std::unexpected(std::move(started.error()));
    if (started->status != 202) return failed(*started);
    auto place = http::resolve_url(start.url, started->header("location"));
    if (!place || (start.url.scheme == "https" && !place->is_private()))
      return std::unexpected(error(ModuleErrorKind::invalid, "says no good place to upload to"));
    Question upload;
    upload.method = "PUT";
    upload.url = std::move(*place);
    upload.url.target += upload.url.target.find('?') == std::string::npos ? "?" : "&";
    upload.url.target += "digest=" + http::encode_query(descriptor.digest);
    upload.headers = {{"Content-Type", "application/octet-stream"}};
    upload.body = content;
    upload.scope = scope;
    upload.once = true;  // what the registry kept of an upload that broke off, nobody knows
    auto uploaded = ask(upload);
    if (uploaded && uploaded->status == 201) return {};
    bool again = !uploaded && uploaded.error().kind == ModuleErrorKind::unreachable;
    auto wait = again ? wait_before(attempt, nullptr) : std::nullopt;
    if (!wait && !uploaded) return std::unexpected(std::move(uploaded.error()));
    if (!wait) return failed(*uploaded);
    clock_.sleep(*wait);
  }
}

std::expected<void, ModuleError> Registry::push_manifest(const std::string& repository, const std::string& tag,
                                                         std::string_view content, const std::string& media_type) {
  Question question;
  question.method = "PUT";
  question.url = url("/v2/" + repository + "/manifests/" + tag);
  question.headers = {{"Content-Type", media_type}};
  question.body = content;
  question.scope = "repository:" + repository + ":pull,push";
  auto answer = ask(question);
  if (!answer) return std::unexpected(std::move(answer.error()));
  if (answer->status == 201) return {};
  return std::unexpected(error(answer->status == 403 ? ModuleErrorKind::denied : ModuleErrorKind::invalid,
                               "cannot tag " + repository + ":" + tag + ": answer " + std::to_string(answer->status) +
                                   explanation(*answer)));
}

}  // namespace opm::oci
