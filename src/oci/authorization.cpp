// How a registry is told who asks: logins of `cue`, user names and passwords, and the tokens
// that token services give for them.
#include <algorithm>
#include <cstdlib>

#include "data/base64.h"
#include "data/json.h"
#include "oci/registry.h"

namespace opm::oci {
namespace {

constexpr std::string_view kClientId = "opm";
constexpr std::size_t kMaxTokenAnswer = std::size_t{1} << 20;

std::string text_of(const data::Value* value) {
  return value != nullptr && value->is_string() ? value->as_string() : std::string();
}

std::string basic(const Credentials& known) {
  std::string text = "Basic ";
  data::append_base64(text, known.username + ":" + known.password);
  return text;
}

// Everything behind the first label; empty for addresses and single names.
std::string_view parent_domain(std::string_view host) {
  if (host.starts_with('[') || host.find_first_not_of("0123456789.") == std::string_view::npos) return {};
  std::size_t dot = host.find('.');
  if (dot == std::string_view::npos) return {};
  std::string_view parent = host.substr(dot + 1);
  return parent.find('.') == std::string_view::npos ? std::string_view() : parent;
}

// Whether the token service of a registry may be told its secrets: on the same host, or on one of the same domain
// (registry-1.docker.io and auth.docker.io, registry.gitlab.com and gitlab.com).
bool belongs_together(const http::Url& registry, const http::Url& service) {
  if (!service.is_private() || (registry.scheme == "https" && service.scheme != "https")) return false;
  if (registry.host == service.host) return true;
  std::string_view parent = parent_domain(registry.host);
  return !parent.empty() && (service.host == parent || parent_domain(service.host) == parent);
}

std::expected<data::Value, std::string> read_answer(const http::Answer& answer) {
  diag::SourceMap sources;
  const diag::Source* source = sources.add("answer", answer.body);
  auto value = source != nullptr ? data::read_json(*source) : std::unexpected(std::vector<diag::Diagnostic>());
  if (!value || !value->is_map()) return std::unexpected("the answer is no JSON");
  return std::move(*value);
}

std::chrono::seconds lifetime(const data::Value& answer, long otherwise) {
  const data::Value* seconds = answer.find("expires_in");
  if (seconds == nullptr || !seconds->is_number() || seconds->as_number().text.size() > 9)
    return std::chrono::seconds(otherwise);
  return std::chrono::seconds(std::strtol(seconds->as_number().text.c_str(), nullptr, 10));
}

}  // namespace

std::expected<std::string, ModuleError> Registry::authorization(const Question& question,
                                                                const std::optional<Challenge>& challenge) {
  if (!question.url.is_private()) return std::string();
  auto login = credentials_.login(host_.name);
  if (!login) return std::unexpected(error(ModuleErrorKind::denied, login.error()));
  if (*login) return login_authorization(std::move(**login));
  {
    std::lock_guard lock(mutex_);
    auto token = tokens_.find(question.scope);
    if (token != tokens_.end() && token->second.expiry > clock_.now()) return "Bearer " + token->second.text;
  }
  // Nothing is told to a registry that did not ask.
  if (!challenge) return std::string();
  auto known = credentials_.credentials(host_.name);
  if (!known) return std::unexpected(error(ModuleErrorKind::denied, known.error()));
  if (!known->access_token.empty()) return "Bearer " + known->access_token;
  if (challenge->scheme == "basic") return known->username.empty() ? std::string() : basic(*known);
  return fetch_token(*challenge, *known, question.scope);
}

std::expected<std::string, ModuleError> Registry::login_authorization(Login login) {
  bool is_old = login.expiry && *login.expiry <= clock_.now() + std::chrono::seconds(10);
  if (is_old && !login.refresh_token.empty()) {
    http::Request request;
    request.method = "POST";
    request.url = url("/login/oauth/token");
    request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
    std::string body = "grant_type=refresh_token&refresh_token=" + http::encode_query(login.refresh_token);
    request.body = body;
    request.max_answer_bytes = kMaxTokenAnswer;
    auto answer = client_.send(request);
    if (!answer) return std::unexpected(error(ModuleErrorKind::unreachable, answer.error().message));
    auto value = answer->status == 200 ? read_answer(*answer) : std::unexpected(std::string());
    std::string token = value ? text_of(value->find("access_token")) : std::string();
    if (token.empty())
      return std::unexpected(error(ModuleErrorKind::denied, "the login has run out; renew it with \"cue login\""));
    login.access_token = std::move(token);
    if (std::string next = text_of(value->find("refresh_token")); !next.empty()) login.refresh_token = std::move(next);
    login.expiry = clock_.now() + std::chrono::duration_cast<base::Clock::Time::duration>(lifetime(*value, 3600));
    // Next time it is fetched again if it can't be kept.
    static_cast<void>(credentials_.store_login(host_.name, login));
  }
  return "Bearer " + login.access_token;
}

std::expected<std::string, ModuleError> Registry::fetch_token(const Challenge& challenge, const Credentials& known,
                                                              const std::string& scope) {
  auto parameter = [&](const char* name) {
    auto found = challenge.parameters.find(name);
    return found == challenge.parameters.end() ? std::string() : found->second;
  };
  auto realm = http::parse_url(parameter("realm"));
  if (!realm) return std::unexpected(error(ModuleErrorKind::invalid, "names no good token service"));
  bool may_know = belongs_together(url("/"), *realm);
  std::string wanted = scope.empty() ? parameter("scope") : scope;
  std::string service = parameter("service");

  http::Request request;
  request.url = *realm;
  request.max_answer_bytes = kMaxTokenAnswer;
  std::string body;
  bool exchanges = may_know && !known.identity_token.empty();
  if (exchanges) {
    request.method = "POST";
    request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
    body = "grant_type=refresh_token&client_id=" + std::string(kClientId) +
           "&refresh_token=" + http::encode_query(known.identity_token) + "&scope=" + http::encode_query(wanted);
    if (!service.empty()) body += "&service=" + http::encode_query(service);
    request.body = body;
  } else {
    request.url.target += request.url.target.find('?') == std::string::npos ? "?" : "&";
    request.url.target += "scope=" + http::encode_query(wanted);
    if (!service.empty()) request.url.target += "&service=" + http::encode_query(service);
    if (may_know && !known.username.empty()) request.headers.emplace_back("Authorization", basic(known));
  }
  auto answer = client_.send(request);
  for (unsigned attempt = 1; !answer || answer->status == 429 || answer->status >= 500; ++attempt) {
    auto wait = wait_before(attempt, answer ? &*answer : nullptr);
    if (!wait || (!answer && answer.error().kind != http::FailureKind::interrupted))
      return std::unexpected(error(ModuleErrorKind::unreachable,
                                   "token service " + realm->authority() + ": " +
                                       (answer ? "answer " + std::to_string(answer->status) : answer.error().message)));
    clock_.sleep(*wait);
    answer = client_.send(request);
  }
  if (answer->status != 200) {
    std::string why = "token service " + realm->authority() + " gives no access (" + std::to_string(answer->status) + ")";
    if (!may_know && !known.empty()) why += "; the credentials for " + host_.name + " are not for that host";
    return std::unexpected(error(ModuleErrorKind::denied, why));
  }
  auto value = read_answer(*answer);
  std::string token = value ? text_of(value->find("token")) : std::string();
  if (value && token.empty()) token = text_of(value->find("access_token"));
  if (token.empty() || token.find_first_of("\r\n") != std::string::npos)
    return std::unexpected(error(ModuleErrorKind::invalid, "token service " + realm->authority() + " sent no token"));
  std::lock_guard lock(mutex_);
  // A minute is what the protocol says where nothing else is.
  auto expiry = clock_.now() + std::chrono::duration_cast<base::Clock::Time::duration>(
                                   std::max(lifetime(*value, 60) - std::chrono::seconds(5), std::chrono::seconds(1)));
  tokens_[scope] = {token, expiry};
  return "Bearer " + token;
}

}  // namespace opm::oci
