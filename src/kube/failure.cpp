#include "kube/failure.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/clock.h"
#include "data/json.h"
#include "http/retry_after.h"
#include "kube/object.h"

namespace opm::kube {
namespace {

// Servers' texts are shown to people, whatever they hold.
std::string shown(std::string text) {
  constexpr std::size_t kLongest = 4000;
  if (text.size() > kLongest) {
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    text.resize(end);
    text += "…";
  }
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n') c = ' ';
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

FailureKind kind_of_status(int status, std::string_view reason, std::string_view said) {
  switch (status) {
    case 400:
    case 422: return FailureKind::invalid;
    case 401: return FailureKind::unauthorized;
    case 403: return FailureKind::forbidden;
    case 404: return FailureKind::not_found;
    case 409:
      return reason == "AlreadyExists" ? FailureKind::already_exists : FailureKind::conflict;
    case 410: return FailureKind::gone;
    case 413:
    case 415: return FailureKind::invalid;
    case 429: return FailureKind::too_many;
    case 504:
      // The API server's own "Timeout" is for operations that may go on.
      return FailureKind::timed_out;
    case 500:
      // An apply of something that does not fit the types of the kind is refused as if the server were to blame.
      if (said.starts_with("failed to create typed patch object") || said.starts_with("failed to convert new object"))
        return FailureKind::invalid;
      return FailureKind::server;
    default: return FailureKind::server;
  }
}

}  // namespace

std::vector<FieldConflict> field_conflicts(const Failure& failure) {
  std::vector<FieldConflict> found;
  if (failure.kind != FailureKind::conflict) return found;
  for (const Cause& cause : failure.causes) {
    if (cause.reason != "FieldManagerConflict") continue;
    // conflict with "alice" using apps/v1 at 2026-01-01T00:00:00Z
    std::string manager;
    std::size_t open = cause.message.find('"');
    if (open != std::string::npos) {
      std::size_t close = cause.message.find('"', open + 1);
      if (close != std::string::npos) manager = cause.message.substr(open + 1, close - open - 1);
    }
    if (manager.empty()) manager = cause.message;
    found.push_back({std::move(manager), cause.field});
  }
  return found;
}

Failure failure_of(const http::Answer& answer, std::string_view what) {
  Failure failure;
  failure.status = answer.status;
  std::string said;
  diag::SourceMap sources;
  if (const diag::Source* source = sources.add("answer", answer.body.substr(0, std::size_t{4} << 20))) {
    auto status = data::read_json(*source, {.max_depth = 100});
    if (status && text_at(*status, {"kind"}) == "Status") {
      said = text_at(*status, {"message"});
      failure.reason = text_at(*status, {"reason"});
      const data::Value* causes = status->find_path({"details", "causes"});
      if (causes != nullptr && causes->is_list())
        for (const data::Value& cause : causes->as_list()) {
          if (failure.causes.size() == 1000) break;
          failure.causes.push_back({text_at(cause, {"reason"}), shown(text_at(cause, {"message"})),
                                    shown(text_at(cause, {"field"}))});
        }
      if (auto seconds = number_at(*status, {"details", "retryAfterSeconds"}); seconds && *seconds >= 0)
        failure.retry_after = std::chrono::seconds(std::min<std::int64_t>(*seconds, 86'400));
    } else if (!status || !status->is_map()) {
      // Proxies and load balancers answer in their own words, or in HTML, which is nothing to show.
      if (answer.body.size() < 400 && answer.body.find('<') == std::string::npos) said = answer.body;
    }
  }
  if (auto asked = http::retry_after(answer, base::real_clock().now())) failure.retry_after = *asked;
  failure.kind = kind_of_status(answer.status, failure.reason, said);
  said = shown(std::move(said));
  switch (failure.kind) {
    case FailureKind::unauthorized:
      failure.message = fmt::format("cannot {}: the server does not accept our credentials", what);
      if (!said.empty() && said != "Unauthorized") failure.message += " (" + said + ")";
      failure.advice = "log in again, or check the user of this context in the kubeconfig";
      break;
    default:
      if (said.empty()) said = fmt::format("the server answered with status {}", answer.status);
      failure.message = fmt::format("cannot {}: {}", what, said);
  }
  return failure;
}

Failure failure_of(const http::Failure& failure, std::string_view server) {
  Failure result;
  result.message = fmt::format("cannot reach the cluster at {}: {}", server, failure.message);
  switch (failure.kind) {
    case http::FailureKind::no_connection:
      result.kind = FailureKind::unreachable;
      result.advice = "check that the cluster runs and that the context is the right one";
      break;
    case http::FailureKind::not_trusted:
      result.kind = FailureKind::unreachable;
      result.message = fmt::format("the certificate of the cluster at {} is not trusted: {}", server, failure.message);
      result.advice = "check certificate-authority and tls-server-name of the cluster in the kubeconfig";
      break;
    case http::FailureKind::too_slow:
      result.kind = FailureKind::timed_out;
      result.message = fmt::format("the cluster at {} does not answer: {}", server, failure.message);
      result.advice = "raise --request-timeout if the cluster is slow";
      break;
    case http::FailureKind::too_large:
      result.kind = FailureKind::server;
      result.message = fmt::format("the cluster at {} sends too much: {}", server, failure.message);
      break;
    case http::FailureKind::stopped:
      result.kind = FailureKind::stopped;
      result.message = "stopped";
      break;
    case http::FailureKind::interrupted:
      result.kind = FailureKind::unreachable;
      result.message = fmt::format("the connection to the cluster at {} broke: {}", server, failure.message);
      break;
    case http::FailureKind::other: result.kind = FailureKind::unreachable; break;
  }
  return result;
}

}  // namespace opm::kube
