#include "opm/release/problem.h"

#include <fmt/core.h>

namespace opm::release {

render::ProblemKind kind_of(kube::FailureKind kind) {
  switch (kind) {
    case kube::FailureKind::unreachable:
    case kube::FailureKind::too_many:
    case kube::FailureKind::server:
      return render::ProblemKind::unreachable;
    case kube::FailureKind::unauthorized:
    case kube::FailureKind::forbidden:
      return render::ProblemKind::denied;
    case kube::FailureKind::not_found:
    case kube::FailureKind::unknown_kind:
      return render::ProblemKind::not_found;
    case kube::FailureKind::invalid:
      return render::ProblemKind::invalid;
    case kube::FailureKind::configuration:
    case kube::FailureKind::already_exists:
    case kube::FailureKind::conflict:
    case kube::FailureKind::gone:
    case kube::FailureKind::timed_out:
    case kube::FailureKind::stopped:
      break;
  }
  return render::ProblemKind::general;
}

Problem make_problem(const kube::Failure& failure, std::string_view subject) {
  Problem problem;
  problem.kind = kind_of(failure.kind);
  problem.message = subject.empty() ? failure.message : fmt::format("{}: {}", subject, failure.message);
  problem.advice = failure.advice;
  return problem;
}

bool misses_namespace(const kube::Failure& failure) {
  return failure.kind == kube::FailureKind::not_found && failure.message.find("namespaces \"") != std::string::npos;
}

}  // namespace opm::release
