// The jobs of a render as a CUE module that anyone can evaluate: transformers and components, a file each, and for each
// job a file whose value is the transformer's output. `cue export ./jobs` there gives what the render gave.
#pragma once

#include <vector>

#include "opm/render/config_loader.h"
#include "opm/render/job.h"

namespace opm::render {

// `inputs`: by job, what the transformer is filled with.
std::vector<DumpedFile> dump_jobs(const Loaded& loaded, const LoadedProvider& provider, const BuiltRelease& release,
                                  const std::vector<Job>& jobs, const cue::Frozen& frozen,
                                  const std::vector<JobInput>& inputs);

}  // namespace opm::render
