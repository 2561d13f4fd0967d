// What went wrong with a release in a cluster, with what it means for the caller.
#pragma once

#include <string>
#include <string_view>

#include "kube/failure.h"
#include "opm/render/result.h"

namespace opm::release {

struct Problem {
  render::ProblemKind kind = render::ProblemKind::general;
  std::string message;
  std::string advice;
};

render::ProblemKind kind_of(kube::FailureKind kind);
// `subject`: what it is about, "Deployment shop/web"; may be empty.
Problem make_problem(const kube::Failure& failure, std::string_view subject = {});

// Whether the object could not be had because its namespace is not there.
bool misses_namespace(const kube::Failure& failure);

}  // namespace opm::release
