// Phase 5: runs every matching transformer on its component. The jobs run in parallel and share nothing that changes:
// transformers are part of the immutable program, components and what transformers are told of the release are frozen once
// before, and each job evaluates in a context of its own, which it drops whole.
#pragma once

#include <optional>
#include <vector>

#include "opm/render/config_loader.h"
#include "opm/render/job.h"

namespace opm::render {

struct Execution {
  std::vector<Resource> resources;  // in the order of the jobs
  std::vector<Problem> errors;
  std::vector<Problem> warnings;  // what the Kubernetes types do not allow; errors when strict
  std::vector<DumpedFile> dump;   // when asked for
};

// The same in several worlds: those of the context that everything was loaded in.
struct SharedJobs {
  const std::vector<model::Component>& components;
  std::vector<ContextFields> told;  // of the release, by world
};
// By world: the resources in the order of the jobs. Nothing where anything is to be said about them.
std::vector<std::optional<std::vector<Resource>>> execute_shared_jobs(const RenderOptions& options, const Loaded& loaded,
                                                                      const LoadedProvider& provider, SharedJobs shared,
                                                                      const std::vector<Job>& jobs);

Execution execute_jobs(const RenderOptions& options, const Loaded& loaded, const LoadedProvider& provider,
                       const BuiltRelease& release, const std::vector<Job>& jobs);

}  // namespace opm::render
