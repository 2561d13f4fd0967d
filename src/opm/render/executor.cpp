#include "opm/render/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <span>

#include "base/arena.h"
#include "base/workers.h"
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
  // `worlds`: those that count; empty: there are none.
  JobRun(const Loaded& loaded, const LoadedProvider& provider, const std::vector<model::Component>& components,
         const std::vector<Job>& jobs, const JobInputs& inputs, std::vector<bool> worlds)
      : loaded_(loaded), provider_(provider), components_(components), jobs_(jobs), inputs_(inputs), worlds_(std::move(worlds)) {}

  // The jobs of one component, from `begin` to `end`. Results are by job, then by world.
  void run(std::size_t begin, std::size_t end, std::span<std::vector<JobResult>> results, base::BlockPool& memory) const {
    cue::Frozen evaluated(&inputs_.frozen());
    std::vector<bool> done(end - begin);
    for (std::size_t first = begin; first < end; ++first) {
      if (done[first - begin]) continue;
      std::vector<std::size_t> alike = {first};
      for (std::size_t i = first + 1; i < end; ++i) {
        if (inputs_.share_context(first, i)) alike.push_back(i);
      }
      std::vector<bool> held = worlds_;
      Handle context = alike.size() > 1 ? inputs_.evaluate_context(first, evaluated, memory, held) : nullptr;
      for (std::size_t i : alike) {
        results[i] = worlds_.empty() ? std::vector<JobResult>{run(i, context, evaluated, memory)}
                                     : run_in_worlds(i, context, held, evaluated, memory);
        done[i - begin] = true;
      }
    }
  }

 private:
  using Handle = cue::Frozen::Handle;

  JobResult run(std::size_t index, Handle evaluated_context, cue::Frozen& evaluated, base::BlockPool& memory) const {
    Handle input = input_of(index, evaluated_context, evaluated);
    cue::Context context(loaded_.program, &evaluated, &memory);
    return read(context, evaluate(context, index, input, evaluated_context), index);
  }

  // `held`: the worlds that the evaluated context is good for.
  std::vector<JobResult> run_in_worlds(std::size_t index, Handle evaluated_context, const std::vector<bool>& held,
                                       cue::Frozen& evaluated, base::BlockPool& memory) const {
    std::vector<JobResult> results(worlds_.size());
    std::vector<bool> others(worlds_.size());
    for (std::size_t world = 0; world < others.size(); ++world) others[world] = worlds_[world] && !held[world];
    run_together(index, evaluated_context, held, evaluated, memory, results);
    run_together(index, nullptr, std::move(others), evaluated, memory, results);
    return results;
  }

  // What differs in more than what passes through the transformer takes several evaluations.
  void run_together(std::size_t index, Handle evaluated_context, std::vector<bool> wanted, cue::Frozen& evaluated,
                    base::BlockPool& memory, std::vector<JobResult>& results) const {
    if (std::ranges::find(wanted, true) == wanted.end()) return;
    Handle input = input_of(index, evaluated_context, evaluated);
    while (std::ranges::find(wanted, true) != wanted.end()) {
      cue::Context context(loaded_.program, &evaluated, &memory);
      context.open_worlds(wanted);
      cue::Value output = evaluate(context, index, input, evaluated_context);
      for (std::size_t world = 0; world < wanted.size(); ++world) {
        if (!wanted[world] || !context.holds(world)) continue;
        context.in_world(world, [&] { results[world] = read(context, output, index); });
        wanted[world] = false;
      }
    }
  }

  Handle input_of(std::size_t index, Handle evaluated_context, cue::Frozen& evaluated) const {
    const JobInput& input = inputs_.inputs()[index];
    if (evaluated_context == nullptr) return input.both;
    const std::pair<std::string_view, Handle> both[] = {{"#component", input.component}, {"#context", evaluated_context}};
    return evaluated.structure(both);
  }

  cue::Value evaluate(cue::Context& context, std::size_t index, Handle input, Handle evaluated_context) const {
    if (evaluated_context != nullptr) context.mute(inputs_.context_declarations(index));
    cue::Value transform = provider_.transformer(context, jobs_[index].transformer).find("#transform");
    return transform.unify(context.thaw(input)).field("output");
  }

  JobResult read(cue::Context& context, const cue::Value& output, std::size_t index) const {
    JobResult result;
    const Job& job = jobs_[index];
    const std::string& component = components_[job.component].key;
    const std::string& fqn = provider_.provider.transformers[job.transformer].fqn;
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
  const std::vector<model::Component>& components_;
  const std::vector<Job>& jobs_;
  const JobInputs& inputs_;
  std::vector<bool> worlds_;
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

// By job, then by world.
std::vector<std::vector<JobResult>> run_all(const RenderOptions& options, const JobRun& runner, const std::vector<Job>& jobs) {
  std::vector<std::vector<JobResult>> results(jobs.size());
  std::vector<std::size_t> bounds = component_bounds(jobs);
  std::atomic<std::size_t> next = 0;
  auto work = [&] {
    base::BlockPool memory;
    for (std::size_t i = next++; i + 1 < bounds.size(); i = next++) runner.run(bounds[i], bounds[i + 1], results, memory);
  };
  std::size_t threads = std::min<std::size_t>(options.usable_threads(), std::max<std::size_t>(bounds.size() - 1, 1));
  {
    base::Workers others(threads - 1, [&](std::size_t) { cue::run_on_large_stack(work); });
    work();
  }
  return results;
}

}  // namespace

Execution execute_jobs(const RenderOptions& options, const Loaded& loaded, const LoadedProvider& provider,
                       const BuiltRelease& release, const std::vector<Job>& jobs) {
  JobInputs inputs(loaded, provider, release.components, {release.context}, jobs, release.frozen.get());
  JobRun runner(loaded, provider, release.components, jobs, inputs, {});
  std::vector<std::vector<JobResult>> results = run_all(options, runner, jobs);
  Execution execution;
  if (options.dump_jobs) execution.dump = dump_jobs(loaded, provider, release, jobs, inputs.frozen(), inputs.inputs());
  for (std::vector<JobResult>& of_job : results) {
    JobResult& result = of_job.front();
    std::ranges::move(result.resources, std::back_inserter(execution.resources));
    std::ranges::move(result.errors, std::back_inserter(execution.errors));
    std::ranges::move(result.violations, std::back_inserter(options.strict ? execution.errors : execution.warnings));
  }
  return execution;
}

std::vector<std::optional<std::vector<Resource>>> execute_shared_jobs(const RenderOptions& options, const Loaded& loaded,
                                                                      const LoadedProvider& provider, SharedJobs shared,
                                                                      const std::vector<Job>& jobs) {
  std::size_t worlds = shared.told.size();
  std::vector<std::optional<std::vector<Resource>>> made(worlds);
  JobInputs inputs(loaded, provider, shared.components, std::move(shared.told), jobs);
  if (!inputs.usable()) return made;
  std::vector<bool> held(worlds);
  for (std::size_t world = 0; world < worlds; ++world) held[world] = loaded.context->holds(world);
  JobRun runner(loaded, provider, shared.components, jobs, inputs, held);
  std::vector<std::vector<JobResult>> results = run_all(options, runner, jobs);
  for (std::size_t world = 0; world < worlds; ++world) {
    auto is_sound = [&](const std::vector<JobResult>& of_job) { return of_job[world].errors.empty() && of_job[world].violations.empty(); };
    if (!held[world] || !std::ranges::all_of(results, is_sound)) continue;
    made[world].emplace();
    for (std::vector<JobResult>& of_job : results)
      std::ranges::move(of_job[world].resources, std::back_inserter(*made[world]));
  }
  return made;
}

}  // namespace opm::render
