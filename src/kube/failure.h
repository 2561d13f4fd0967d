// What can go wrong between us and a cluster, as kinds that callers decide by. No message
// holds a token, a key or a password.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/client.h"

namespace opm::kube {

enum class FailureKind : std::uint8_t {
  configuration,  // no or bad kubeconfig, credentials that cannot be had
  unreachable,    // no server there, or not the one that the certificate should name
  unauthorized,   // 401: the server does not know us
  forbidden,      // 403: it does, and that is not ours to do
  not_found,      // 404: no such object
  unknown_kind,   // the server has no such kind of object at all
  already_exists, // 409 to a create
  conflict,       // 409: somebody else owns a field or was faster; see causes
  gone,           // 410: that version is too old
  invalid,        // 400 or 422: the object is not right; see causes
  too_many,       // 429 until patience ran out
  timed_out,
  server,         // 5xx until patience ran out, or an answer that makes no sense
  stopped,        // we were told to stop
};

// A part of the reason, as the server gives them.
struct Cause {
  std::string reason;   // e.g. FieldManagerConflict, FieldValueInvalid
  std::string message;
  std::string field;    // e.g. .spec.replicas
};

struct Failure {
  FailureKind kind = FailureKind::server;
  int status = 0;       // of HTTP; 0: there was no answer
  std::string reason;   // the word of the server, e.g. "Conflict"
  std::string message;  // for people: lower case unless the server's own, no full stop
  std::vector<Cause> causes;
  std::string advice{};   // what to do, if we know
  std::optional<std::chrono::milliseconds> retry_after{};
};

template <typename T>
using Result = std::expected<T, Failure>;

inline std::unexpected<Failure> fail(FailureKind kind, std::string message) {
  return std::unexpected(Failure{.kind = kind, .message = std::move(message)});
}

// Two kinds of causes that appliers tell apart: a field that another manager owns.
struct FieldConflict {
  std::string manager;  // e.g. "kube-controller-manager"
  std::string field;
};
// Of a `conflict`; empty: it is not about fields but about versions.
std::vector<FieldConflict> field_conflicts(const Failure& failure);

// What an answer that is no success means. `what`: what was asked, e.g. `get deployments.apps "web"`.
Failure failure_of(const http::Answer& answer, std::string_view what);
// The same for no answer at all. `server`: its address, without secrets.
Failure failure_of(const http::Failure& failure, std::string_view server);

}  // namespace opm::kube
