// Which components are run together. Components that look alike, the services of a shop say, differ in texts and numbers
// only: a transformer makes the same of all of them, so that it is evaluated once for many, each a world of its own
// (see Context::open_worlds).
#pragma once

#include <cstddef>
#include <vector>

#include "opm/render/job_inputs.h"

namespace opm::render {

// The jobs of one component: from `begin` to before `end`.
struct ComponentJobs {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Components that look alike and have jobs of the same transformers.
struct AlikeJobs {
  std::vector<ComponentJobs> members;
  bool are_frozen_together = false;
};

// Every component that has jobs is in one of them.
std::vector<AlikeJobs> alike_jobs(const std::vector<Job>& jobs, const JobInputs& inputs);

// How many threads are worth their start for all of them, of at most so many, where each is run in so many worlds.
std::size_t worthwhile_threads(const std::vector<AlikeJobs>& alike, std::size_t worlds, std::size_t most);

// What is run together: groups of those that are alike, as many as keep `threads` threads busy.
std::vector<std::vector<ComponentJobs>> group_jobs(const std::vector<AlikeJobs>& alike, std::size_t threads);

}  // namespace opm::render
