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

// Every component that has jobs is in one group; those of a group look alike and have jobs of the same transformers. There
// are as many groups as keep `threads` threads busy.
std::vector<std::vector<ComponentJobs>> group_jobs(const std::vector<Job>& jobs, const JobInputs& inputs, std::size_t threads);

}  // namespace opm::render
