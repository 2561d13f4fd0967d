#include "opm/render/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <span>
#include <thread>

#include "base/arena.h"
#include "opm/render/job_dump.h"
#include "opm/render/job_inputs.h"
#include "opm/render/problems.h"
#include "opm/render/schema_check.h"

namespace opm::render {

namespace {

struct JobResult {
  std::vector<Resource> resources;
  std::vector<Problem> errors;
  std::vector<Problem> violations;
};

std::string_view text_at(const data::Value& object, std::initializer_list<std::string_view> path) {
  const data::Value* found = object.find_path(path);
  return found != nullptr && found->is_string() ? std::string_view(found->as_string()) : std::string_view();
}

class JobRun {
 public:
  JobRun(const Loaded& loaded, const LoadedProvider& provider, const BuiltRelease& release, const std::vector<Job>& jobs,
         const JobInputs& inputs)
      : loaded_(loaded), provider_(provider), release_(release), jobs_(jobs), inputs_(inputs) {}

  // The jobs of one component, from `begin` to `end`.
  void run(std::size_t begin, std::size_t end, std::span<JobResult> results, base::BlockPool& memory) const {
    cue::Frozen evaluated(&inputs_.frozen());
    std::vector<bool> done(end - begin);
    for (std::size_t first = begin; first < end; ++first) {
      if (done[first - begin]) continue;
      std::vector<std::size_t> alike = {first};
      for (std::size_t i = first + 1; i < end; ++i) {
        if (inputs_.share_context(first, i)) alike.push_back(i);
      }
      Handle context = alike.size() > 1 ? inputs_.evaluate_context(first, evaluated, memory) : nullptr;
      for (std::size_t i : alike) {
        results[i] = run(i, context, evaluated, memory);
        done[i - begin] = true;
      }
    }
  }

 private:
  using Handle = cue::Frozen::Handle;

  JobResult run(std::size_t index, Handle evaluated_context, cue::Frozen& evaluated, base::BlockPool& memory) const {
    const Job& job = jobs_[index];
    JobResult result;
    const std::string& component = release_.components[job.component].key;
    const std::string& fqn = provider_.provider.transformers[job.transformer].fqn;
    Handle input = inputs_.inputs()[index].both;
    if (evaluated_context != nullptr) {
      const std::pair<std::string_view, Handle> both[] = {{"#component", inputs_.inputs()[index].component},
                                                          {"#context", evaluated_context}};
      input = evaluated.structure(both);
    }
    cue::Context context(loaded_.program, &evaluated, &memory);
    if (evaluated_context != nullptr) context.mute(inputs_.context_declarations(index));
    cue::Value transform = provider_.transformer(context, job.transformer).find("#transform");
    cue::Value output = transform.unify(context.thaw(input)).field("output");
    // A transformer need not make anything.
    if (!output.exists() || output.possible_kinds() == cue::kinds::top) return result;
    auto data = output.to_data(base::NumberStyle::json, cue::MemberOrder::by_name);
    if (!data) {
      append_problems(result.errors, data.error());
    } else {
      take(std::move(*data), "output", result);
      for (const Resource& resource : result.resources)
        append_problems(result.violations, schema_violations(loaded_.schemas, context, resource));
    }
    for (Resource& resource : result.resources) {
      resource.component = component;
      resource.transformer = fqn;
    }
    for (auto* problems : {&result.errors, &result.violations}) {
      for (Problem& problem : *problems) {
        problem.component = component;
        problem.transformer = fqn;
      }
    }
    return result;
  }

  // One object, a list of them, or a map of them.
  static void take(data::Value output, const std::string& path, JobResult& result) {
    if (output.is_map() && output.find("apiVersion") != nullptr) {
      add(std::move(output), path, result);
    } else if (output.is_map()) {
      for (data::Member& member : output.as_map()) add(std::move(member.value), path + "." + member.key, result);
    } else if (output.is_list()) {
      for (std::size_t i = 0; i < output.as_list().size(); ++i)
        add(std::move(output.as_list()[i]), fmt::format("{}[{}]", path, i), result);
    } else {
      refuse(output, path, "it is neither an object nor a list of objects", result);
    }
  }

  static void add(data::Value object, const std::string& path, JobResult& result) {
    if (!object.is_map()) return refuse(object, path, "it is no map", result);
    Resource resource;
    resource.api_version = text_at(object, {"apiVersion"});
    resource.kind = text_at(object, {"kind"});
    resource.name = text_at(object, {"metadata", "name"});
    resource.namespace_name = text_at(object, {"metadata", "namespace"});
    if (resource.api_version.empty()) return refuse(object, path, "it has no apiVersion", result);
    if (resource.kind.empty()) return refuse(object, path, "it has no kind", result);
    if (resource.name.empty()) return refuse(object, path, "it has no metadata.name", result);
    resource.object = std::move(object);
    result.resources.push_back(std::move(resource));
  }

  static void refuse(const data::Value& value, const std::string& path, std::string_view why, JobResult& result) {
    Problem problem = make_problem(ProblemKind::invalid, "not-a-resource",
                                   fmt::format("the transformer's output is no Kubernetes object: {}", why));
    problem.diagnostic.path = path;
    if (value.position.valid()) problem.diagnostic.positions.push_back(value.position);
    result.errors.push_back(std::move(problem));
  }

  const Loaded& loaded_;
  const LoadedProvider& provider_;
  const BuiltRelease& release_;
  const std::vector<Job>& jobs_;
  const JobInputs& inputs_;
};

// Where the jobs of each component begin, and the end.
std::vector<std::size_t> component_bounds(const std::vector<Job>& jobs) {
  std::vector<std::size_t> bounds;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (i == 0 || jobs[i].component != jobs[i - 1].component) bounds.push_back(i);
  }
  bounds.push_back(jobs.size());
  return bounds;
}

}  // namespace

Execution execute_jobs(const RenderOptions& options, const Loaded& loaded, const LoadedProvider& provider,
                       const BuiltRelease& release, const std::vector<Job>& jobs) {
  JobInputs inputs(loaded, provider, release, jobs);
  JobRun runner(loaded, provider, release, jobs, inputs);
  std::vector<JobResult> results(jobs.size());
  std::vector<std::size_t> bounds = component_bounds(jobs);
  std::atomic<std::size_t> next = 0;
  auto work = [&] {
    base::BlockPool memory;
    for (std::size_t i = next++; i + 1 < bounds.size(); i = next++) runner.run(bounds[i], bounds[i + 1], results, memory);
  };
  std::size_t threads = std::min<std::size_t>(options.usable_threads(), std::max<std::size_t>(bounds.size() - 1, 1));
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back([&] { cue::run_on_large_stack(work); });
    work();
  }
  Execution execution;
  if (options.dump_jobs) execution.dump = dump_jobs(loaded, provider, release, jobs, inputs.frozen(), inputs.inputs());
  for (JobResult& result : results) {
    std::ranges::move(result.resources, std::back_inserter(execution.resources));
    std::ranges::move(result.errors, std::back_inserter(execution.errors));
    std::ranges::move(result.violations, std::back_inserter(options.strict ? execution.errors : execution.warnings));
  }
  return execution;
}

}  // namespace opm::render
