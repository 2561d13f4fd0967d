#include "opm/render/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <span>
#include <thread>

#include "base/arena.h"
#include "opm/render/job_dump.h"
#include "opm/render/problems.h"
#include "opm/render/schema_check.h"

namespace opm::render {

namespace {

struct JobResult {
  std::vector<Resource> resources;
  std::vector<Problem> errors;
  std::vector<Problem> violations;
};

// The inputs of all jobs, frozen.
class FrozenJobs {
 public:
  FrozenJobs(const Loaded& loaded, const LoadedProvider& provider, const BuiltRelease& release, const std::vector<Job>& jobs)
      : frozen_(loaded.program), provider_(provider), release_(release) {
    for (const auto& [name, value] : release.context) release_fields_.emplace_back(name, frozen_.freeze(value));
    for (const Job& job : jobs) inputs_.push_back(input(job));
  }

  // Which of the transformers' contexts are the same for the same component.
  const DeclaredContext& declared(std::uint32_t transformer) const { return declared_.at(transformer); }

  const cue::Frozen& frozen() const { return frozen_; }
  const std::vector<JobInput>& inputs() const { return inputs_; }

 private:
  using Handle = cue::Frozen::Handle;
  struct Part {
    Handle value = nullptr;
    std::vector<std::pair<std::string, Handle>> context;
  };

  JobInput input(const Job& job) {
    const model::Transformer& transformer = provider_.provider.transformers[job.transformer];
    const Part& part = component(job.component);
    auto [declared, is_new] = declared_.try_emplace(job.transformer);
    if (is_new) declared->second = declared_context(transformer);
    std::vector<std::pair<std::string_view, Handle>> context;
    for (const auto* fields : {&std::as_const(release_fields_), &part.context}) {
      for (const auto& [name, value] : *fields) {
        if (std::ranges::binary_search(declared->second.names, name)) context.emplace_back(name, value);
      }
    }
    Handle told = frozen_.structure(context);
    const std::pair<std::string_view, Handle> both[] = {{"#component", part.value}, {"#context", told}};
    return {part.value, told, frozen_.structure(both)};
  }

  const Part& component(std::uint32_t index) {
    auto [at, is_new] = parts_.try_emplace(index);
    if (is_new) {
      const model::Component& component = release_.components[index];
      at->second.value = frozen_.freeze(component.value);
      for (const auto& [name, value] : component_context(component))
        at->second.context.emplace_back(name, frozen_.freeze(value));
    }
    return at->second;
  }

  cue::Frozen frozen_;
  const LoadedProvider& provider_;
  const BuiltRelease& release_;
  std::vector<std::pair<std::string, Handle>> release_fields_;
  std::map<std::uint32_t, Part> parts_;               // by component
  std::map<std::uint32_t, DeclaredContext> declared_;  // by transformer
  std::vector<JobInput> inputs_;                      // by job
};

std::string_view text_at(const data::Value& object, std::initializer_list<std::string_view> path) {
  const data::Value* found = object.find_path(path);
  return found != nullptr && found->is_string() ? std::string_view(found->as_string()) : std::string_view();
}

class JobRun {
 public:
  JobRun(const Loaded& loaded, const LoadedProvider& provider, const BuiltRelease& release, const std::vector<Job>& jobs,
         const FrozenJobs& frozen)
      : loaded_(loaded), provider_(provider), release_(release), jobs_(jobs), frozen_(frozen) {}

  // The jobs of one component, from `begin` to `end`. Most transformers declare their #context alike: then what it comes to
  // is found once for all of them, and each job is given it as it is.
  void run(std::size_t begin, std::size_t end, std::span<JobResult> results, base::BlockPool& memory) const {
    cue::Frozen evaluated(&frozen_.frozen());
    std::vector<std::size_t> done;
    for (std::size_t first = begin; first < end; ++first) {
      if (std::ranges::find(done, first) != done.end()) continue;
      std::vector<std::size_t> alike = {first};
      for (std::size_t i = first + 1; i < end; ++i) {
        if (context_is_shared(first, i)) alike.push_back(i);
      }
      Handle context = alike.size() > 1 ? evaluate_context(first, evaluated, memory) : nullptr;
      for (std::size_t i : alike) results[i] = run(i, context, evaluated, memory);
      done.insert(done.end(), alike.begin(), alike.end());
    }
  }

 private:
  using Handle = cue::Frozen::Handle;

  bool context_is_shared(std::size_t one, std::size_t other) const {
    const DeclaredContext& a = frozen_.declared(jobs_[one].transformer);
    const DeclaredContext& b = frozen_.declared(jobs_[other].transformer);
    return a.declarations && b.declarations && *a.declarations == *b.declarations && a.names == b.names;
  }

  // Nothing, if part of it is not known without the rest of the transformer.
  Handle evaluate_context(std::size_t index, cue::Frozen& evaluated, base::BlockPool& memory) const {
    cue::Context context(loaded_.program, &frozen_.frozen(), &memory);
    cue::Value declared = provider_.transformer(context, jobs_[index].transformer).find("#transform.#context");
    return evaluated.freeze_whole(declared.unify(context.thaw(frozen_.inputs()[index].context)));
  }

  JobResult run(std::size_t index, Handle evaluated_context, cue::Frozen& evaluated, base::BlockPool& memory) const {
    const Job& job = jobs_[index];
    JobResult result;
    const std::string& component = release_.components[job.component].key;
    const std::string& fqn = provider_.provider.transformers[job.transformer].fqn;
    Handle input = frozen_.inputs()[index].both;
    if (evaluated_context != nullptr) {
      const std::pair<std::string_view, Handle> both[] = {{"#component", frozen_.inputs()[index].component},
                                                          {"#context", evaluated_context}};
      input = evaluated.structure(both);
    }
    cue::Context context(loaded_.program, &evaluated, &memory);
    if (evaluated_context != nullptr) context.mute(*frozen_.declared(job.transformer).declarations);
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
  const FrozenJobs& frozen_;
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
  FrozenJobs frozen(loaded, provider, release, jobs);
  JobRun runner(loaded, provider, release, jobs, frozen);
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
  if (options.dump_jobs) execution.dump = dump_jobs(loaded, provider, release, jobs, frozen.frozen(), frozen.inputs());
  for (JobResult& result : results) {
    std::ranges::move(result.resources, std::back_inserter(execution.resources));
    std::ranges::move(result.errors, std::back_inserter(execution.errors));
    std::ranges::move(result.violations, std::back_inserter(options.strict ? execution.errors : execution.warnings));
  }
  return execution;
}

}  // namespace opm::render
