#include "opm/render/executor.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <span>
#include <utility>

#include "base/arena.h"
#include "base/workers.h"
#include "cue/known_value.h"
#include "opm/render/job_dump.h"
#include "opm/render/job_groups.h"
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

bool is_sound(const JobResult& result) { return result.errors.empty() && result.violations.empty(); }

bool any(const std::vector<bool>& worlds) { return std::ranges::find(worlds, true) != worlds.end(); }

class JobRun {
 public:
  // `worlds`: those that count; empty: there are none.
  JobRun(const Loaded& loaded, const LoadedProvider& provider, const std::vector<model::Component>& components,
         const std::vector<Job>& jobs, JobInputs& inputs, std::vector<bool> worlds)
      : loaded_(loaded), provider_(provider), components_(components), jobs_(jobs), inputs_(inputs), worlds_(std::move(worlds)) {}

  std::vector<AlikeJobs> alike() const { return alike_jobs(jobs_, inputs_); }

  // Before they run: what the contexts come to that jobs of a component share, unless it is run with others.
  void prepare(std::span<const std::vector<ComponentJobs>> groups) const {
    if (!worlds_.empty()) return;
    std::vector<std::size_t> shared, alone;
    for (const std::vector<ComponentJobs>& group : groups) {
      const ComponentJobs& component = group.front();
      if (group.size() > 1 || inputs_.inputs()[component.begin].worlds > 0) continue;
      for (const std::vector<std::size_t>& alike : by_context(component)) (alike.size() > 1 ? shared : alone).push_back(alike.front());
    }
    inputs_.evaluate_contexts(shared, alone);
  }

  // The jobs of components that look alike. Results are by job, then by world.
  void run(std::span<const ComponentJobs> group, std::span<std::vector<JobResult>> results, base::BlockPool& memory) const {
    std::vector<bool> done(group.size());
    if (group.size() > 1) run_together(group, results, done, memory);
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (done[i]) continue;
      for (std::size_t job = group[i].begin; job < group[i].end; ++job) results[job].clear();
      run(group[i], results, memory);
    }
  }

 private:
  using Handle = cue::Frozen::Handle;

  // The jobs of a component: those that share a context, and each of the others.
  std::vector<std::vector<std::size_t>> by_context(const ComponentJobs& component) const {
    std::vector<std::vector<std::size_t>> sets;
    for (std::size_t job = component.begin; job < component.end; ++job) {
      auto same = std::ranges::find_if(sets, [&](const auto& set) { return inputs_.share_context(set.front(), job); });
      if (same != sets.end()) same->push_back(job);
      else sets.push_back({job});
    }
    return sets;
  }

  // Calls `run` with each of the jobs of a component, and with what the context comes to for those that share it.
  template <typename Evaluate, typename Run>
  void for_contexts(const ComponentJobs& component, Evaluate evaluate_context, Run run) const {
    for (const std::vector<std::size_t>& alike : by_context(component)) {
      Handle context = alike.size() > 1 || inputs_.knows_context(alike.front()) ? evaluate_context(alike.front()) : nullptr;
      for (std::size_t job : alike) run(job, context);
    }
  }

  void run(const ComponentJobs& component, std::span<std::vector<JobResult>> results, base::BlockPool& memory) const {
    cue::Frozen evaluated(&inputs_.frozen());
    std::vector<bool> held;
    std::vector<JobInput> inputs;
    for (std::size_t job = component.begin; job < component.end; ++job) inputs.push_back(inputs_.alone(job, evaluated, memory));
    auto evaluate_context = [&](std::size_t job) {
      held = worlds_;
      return inputs_.evaluate_context(job, inputs[job - component.begin].reduced_context, evaluated, memory, held);
    };
    for_contexts(component, evaluate_context, [&](std::size_t job, Handle context) {
      const JobInput& input = inputs[job - component.begin];
      if (worlds_.empty()) {
        cue::Context own(loaded_.program, &evaluated, &memory);
        results[job].push_back(read(own, evaluate(own, job, given(input, context, evaluated), context), job));
        return;
      }
      results[job] = std::vector<JobResult>(worlds_.size());
      std::vector<bool> left = worlds_;
      auto keep = [&](std::size_t world, cue::Context& own, const cue::Value& output) { results[job][world] = read(own, output, job); };
      if (context != nullptr) {
        // The worlds that the evaluated context is good for.
        std::vector<bool> first = held;
        while (any(first)) evaluate_worlds(job, input, context, first, evaluated, memory, keep);
        for (std::size_t world = 0; world < left.size(); ++world) left[world] = left[world] && !held[world];
      }
      while (any(left)) evaluate_worlds(job, input, nullptr, left, evaluated, memory, keep);
    });
  }

  // As far as they are `done` in the end, each in a world of its own, or in one for each of those that there are. What is
  // wrong with a component is told as it is told of that one alone.
  void run_together(std::span<const ComponentJobs> group, std::span<std::vector<JobResult>> results, std::vector<bool>& done,
                    base::BlockPool& memory) const {
    cue::Frozen evaluated(&inputs_.frozen());
    const ComponentJobs& first = group.front();
    std::vector<JobInput> given = together(group, evaluated);
    if (given.empty()) return;
    const std::vector<bool> own = worlds_.empty() ? std::vector<bool>{true} : worlds_;  // of each component
    std::vector<bool> sound;
    std::vector<std::size_t> members;  // of the group, by world
    if (std::size_t worlds = given.front().worlds; worlds > 0) {
      sound.resize(worlds);
      members.resize(worlds);
      for (std::size_t i = 0; i < group.size(); ++i) {
        std::size_t world = inputs_.inputs()[group[i].begin].world;
        sound[world] = true;
        members[world] = i;
      }
    } else {
      for (std::size_t i = 0; i < group.size(); ++i) {
        sound.insert(sound.end(), own.begin(), own.end());
        members.insert(members.end(), own.size(), i);
      }
    }
    const std::vector<bool> wanted = sound;
    std::vector<bool> held;
    auto evaluate_context = [&](std::size_t job) {
      held = sound;
      return inputs_.evaluate_context(job, given[job - first.begin].reduced_context, evaluated, memory, held);
    };
    for_contexts(first, evaluate_context, [&](std::size_t job, Handle context) {
      std::vector<bool> left = sound;
      for (std::size_t world = 0; context != nullptr && world < left.size(); ++world) left[world] = left[world] && held[world];
      std::vector<bool> made(sound.size());
      for (const ComponentJobs& component : group) results[component.begin + (job - first.begin)].resize(own.size());
      auto keep = [&](std::size_t world, cue::Context& context_of_all, const cue::Value& output) {
        std::size_t index = group[members[world]].begin + (job - first.begin);
        JobResult& result = results[index][world % own.size()];
        result = read(context_of_all, output, index);
        made[world] = is_sound(result);
      };
      // Where worlds part ways, those that are left are tried again as long as enough of them go together.
      for (std::ptrdiff_t before = 0, now = std::ranges::count(left, true); now > 0 && (before == 0 || 4 * now <= 3 * before);) {
        before = std::exchange(now, 0);
        evaluate_worlds(job, given[job - first.begin], context, left, evaluated, memory, keep);
        now = std::ranges::count(left, true);
      }
      for (std::size_t world = 0; world < sound.size(); ++world) sound[world] = sound[world] && made[world];
    });
    done.assign(group.size(), true);
    for (std::size_t world = 0; world < sound.size(); ++world) {
      if (wanted[world] && !sound[world]) done[members[world]] = false;
    }
  }

  // What the jobs of a group are given, by job; empty: they have less in common than it seemed.
  std::vector<JobInput> together(std::span<const ComponentJobs> group, cue::Frozen& evaluated) const {
    if (inputs_.inputs()[group.front().begin].worlds > 0) {
      auto first = inputs_.inputs().begin() + static_cast<std::ptrdiff_t>(group.front().begin);
      return {first, first + static_cast<std::ptrdiff_t>(group.front().end - group.front().begin)};
    }
    std::map<std::vector<Handle>, Handle> woven;  // most jobs share theirs
    bool is_alike = true;
    auto weave = [&](std::size_t place, Handle JobInput::*part) {
      std::vector<Handle> handles;
      for (const ComponentJobs& component : group)
        handles.insert(handles.end(), std::max<std::size_t>(worlds_.size(), 1), inputs_.inputs()[component.begin + place].*part);
      auto [at, is_new] = woven.try_emplace(std::move(handles));
      if (is_new) at->second = evaluated.varying(at->first);
      is_alike = is_alike && at->second != nullptr;
      return at->second;
    };
    std::vector<JobInput> given(group.front().end - group.front().begin);
    for (std::size_t i = 0; i < given.size() && is_alike; ++i) {
      for (Handle JobInput::*part : {&JobInput::component, &JobInput::reduced_context}) given[i].*part = weave(i, part);
    }
    return is_alike ? given : std::vector<JobInput>();
  }

  // Evaluates the job once. `wanted`: the worlds that it is to hold in; those where it does are kept and wanted no more.
  template <typename Keep>
  void evaluate_worlds(std::size_t job, const JobInput& input, Handle evaluated_context, std::vector<bool>& wanted,
                       cue::Frozen& evaluated, base::BlockPool& memory, Keep keep) const {
    Handle both = given(input, evaluated_context, evaluated);
    cue::Context context(loaded_.program, &evaluated, &memory);
    context.open_worlds(wanted);
    cue::Value output = evaluate(context, job, both, evaluated_context);
    for (std::size_t world = 0; world < wanted.size(); ++world) {
      if (!wanted[world] || !context.holds(world)) continue;
      context.in_world(world, [&] { keep(world, context, output); });
      wanted[world] = false;
    }
  }

  static Handle given(const JobInput& input, Handle evaluated_context, cue::Frozen& evaluated) {
    const std::pair<std::string_view, Handle> both[] = {
        {"#component", input.component}, {"#context", evaluated_context != nullptr ? evaluated_context : input.reduced_context}};
    return evaluated.structure(both);
  }

  cue::Value evaluate(cue::Context& context, std::size_t index, Handle input, Handle evaluated_context) const {
    context.mute(evaluated_context != nullptr ? inputs_.context_declarations(index) : inputs_.known_declarations(index));
    cue::Value transform = provider_.transformer(context, jobs_[index].transformer).find("#transform");
    cue::Value job = transform.unify(context.thaw(input));
    cue::take_as_thawed(job, "#component");
    if (evaluated_context != nullptr) cue::take_as_thawed(job, "#context");
    return job.field("output");
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
  JobInputs& inputs_;
  std::vector<bool> worlds_;
};

// By job, then by world.
std::vector<std::vector<JobResult>> run_all(const RenderOptions& options, const JobRun& runner, const std::vector<Job>& jobs,
                                            std::size_t worlds) {
  std::vector<std::vector<JobResult>> results(jobs.size());
  std::vector<AlikeJobs> alike = runner.alike();
  // Who asks for a number of threads gets it.
  std::size_t worthwhile = options.threads != 0 ? options.threads : worthwhile_threads(alike, worlds, options.usable_threads());
  std::vector<std::vector<ComponentJobs>> groups = group_jobs(alike, worthwhile);
  runner.prepare(groups);
  std::atomic<std::size_t> next = 0;
  auto work = [&] {
    base::BlockPool memory;
    for (std::size_t i = next++; i < groups.size(); i = next++) runner.run(groups[i], results, memory);
  };
  std::size_t threads = std::min<std::size_t>(worthwhile, std::max<std::size_t>(groups.size(), 1));
  {
    base::Workers others(threads - 1, [&](std::size_t) { cue::run_on_large_stack(work); });
    work();
  }
  return results;
}

}  // namespace

Execution execute_jobs(const RenderOptions& options, const Loaded& loaded, const LoadedProvider& provider,
                       const BuiltRelease& release, const std::vector<Job>& jobs) {
  JobInputs inputs(options, loaded, provider, release.components, {release.context}, jobs, release.frozen.get());
  JobRun runner(loaded, provider, release.components, jobs, inputs, {});
  std::vector<std::vector<JobResult>> results = run_all(options, runner, jobs, 1);
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
  JobInputs inputs(options, loaded, provider, shared.components, std::move(shared.told), jobs);
  if (!inputs.usable()) return made;
  std::vector<bool> held(worlds);
  for (std::size_t world = 0; world < worlds; ++world) held[world] = loaded.context->holds(world);
  JobRun runner(loaded, provider, shared.components, jobs, inputs, held);
  std::vector<std::vector<JobResult>> results = run_all(options, runner, jobs, worlds);
  for (std::size_t world = 0; world < worlds; ++world) {
    auto is_good = [&](const std::vector<JobResult>& of_job) { return is_sound(of_job[world]); };
    if (!held[world] || !std::ranges::all_of(results, is_good)) continue;
    made[world].emplace();
    for (std::vector<JobResult>& of_job : results)
      std::ranges::move(of_job[world].resources, std::back_inserter(*made[world]));
  }
  return made;
}

}  // namespace opm::render
