// Asks a cluster what a platform's queries want to know. What it says is believed as little as anything from outside: it
// becomes plain data, of limited size, and whoever uses it checks it against the type of a context.
#pragma once

#include <vector>

#include "kube/client.h"
#include "opm/model/environment.h"
#include "opm/release/problem.h"
#include "opm/render/platform_snapshot.h"

namespace opm::release {

struct AnsweredPlatform {
  render::PlatformAnswers answers;  // complete unless there are problems
  std::vector<Problem> problems;
};

AnsweredPlatform ask_platform(kube::Client& client, const model::Platform& platform);

}  // namespace opm::release
