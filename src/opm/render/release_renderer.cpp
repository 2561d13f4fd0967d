#include "opm/render/release_renderer.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "opm/render/executor.h"
#include "opm/render/job.h"
#include "opm/render/matcher.h"
#include "opm/render/problems.h"
#include "opm/render/resource_order.h"
#include "opm/render/resource_query.h"
#include "opm/render/source_problems.h"

namespace opm::render {

namespace {

bool same_object(const Resource& a, const Resource& b) {
  return a.kind == b.kind && a.name == b.name && a.namespace_name == b.namespace_name &&
         split_api_version(a.api_version).first == split_api_version(b.api_version).first;
}

// One object under one name: what two components make alike is made once, what they make differently is an error.
void unite_resources(RenderResult& result) {
  std::vector<Resource> kept;
  kept.reserve(result.resources.size());
  for (Resource& resource : result.resources) {
    if (kept.empty() || !same_object(kept.back(), resource)) {
      kept.push_back(std::move(resource));
      continue;
    }
    if (data::equal(kept.back().object, resource.object)) continue;
    Problem problem = make_problem(
        ProblemKind::invalid, "duplicate-resource",
        fmt::format("{} \"{}\" is made twice, and differently: by {} for component \"{}\" and by {} for component \"{}\"",
                    resource.kind, resource.name, kept.back().transformer, kept.back().component, resource.transformer,
                    resource.component));
    problem.component = resource.component;
    problem.transformer = resource.transformer;
    result.errors.push_back(std::move(problem));
  }
  result.resources = std::move(kept);
}

// Those that probably make what is asked for, as resources are named after their components, and transformers after the
// kinds of what they make. Without a kind, more than one resource may be meant, and which there are is known when all are there.
std::vector<Job> likely_jobs(const std::vector<Job>& jobs, const std::vector<model::Component>& components,
                             const model::Provider& provider, const ExplainRequest& asked) {
  std::size_t slash = asked.resource.find('/');
  if (!asked.place && slash == std::string::npos) return {};
  std::string_view name = std::string_view(asked.resource).substr(asked.place ? 0 : slash + 1);
  auto is_likely = [&](const std::string& component) {
    if (asked.place) return component == asked.place->component;
    if (!name.ends_with(component)) return false;
    return name.size() == component.size() || name[name.size() - component.size() - 1] == '-';
  };
  std::vector<Job> likely;
  std::ranges::copy_if(jobs, std::back_inserter(likely), [&](const Job& job) { return is_likely(components[job.component].key); });
  auto makes_kind = [&](const Job& job) {
    const model::Transformer& transformer = provider.transformers[job.transformer];
    if (asked.place) return transformer.fqn == asked.place->transformer;
    std::string_view kind = transformer.short_name();
    if (kind.ends_with("Transformer")) kind.remove_suffix(std::string_view("Transformer").size());
    return asks_for_kind(asked.resource, kind);
  };
  if (std::ranges::any_of(likely, makes_kind)) std::erase_if(likely, [&](const Job& job) { return !makes_kind(job); });
  return likely;
}

}  // namespace

void PhaseTimer::start(std::string_view phase) {
  if (clock_ == nullptr) return;
  std::chrono::nanoseconds now = clock_->elapsed();
  if (!phase_.empty()) {
    auto known = std::ranges::find(times_, phase_, &PhaseTime::phase);
    if (known == times_.end()) times_.push_back({phase_, now - started_});
    else known->duration += now - started_;
  }
  phase_ = phase;
  started_ = now;
}

void render_release(const RenderOptions& options, const Loaded& loaded, const LoadedProvider& provider,
                    BuiltRelease release, PhaseTimer& timer, RenderResult& result,
                    const ReleaseVisitor& visit, const ExplainRequest* asked) {
  auto fail = [&](std::vector<Problem> problems) { std::ranges::move(problems, std::back_inserter(result.errors)); };
  result.release = release.metadata;
  if (options.keep_values) result.values = release.value.field("values").to_cue();
  release.context = release_context(options, provider, release);
  timer.start("match");
  Match match = match_components(release.components, provider.provider, options.strict, options.tells_matches);
  fail(std::move(match.errors));
  result.warnings = std::move(match.warnings);
  result.plan = std::move(match.plan);
  timer.start("transform");
  auto execute = [&](const std::vector<Job>& jobs) {
    Execution execution = execute_jobs(options, loaded, provider, release, jobs);
    if (!release.are_together || (execution.errors.empty() && execution.warnings.empty())) return execution;
    take_apart(release, options, loaded, provider);
    return execute_jobs(options, loaded, provider, release, jobs);
  };
  std::vector<Job> jobs = plan_jobs(result.plan);
  Execution execution;
  bool is_complete = false;
  if (asked != nullptr && result.errors.empty()) {
    if (std::vector<Job> likely = likely_jobs(jobs, release.components, provider.provider, *asked); !likely.empty()) {
      execution = execute(likely);
      is_complete = execution.errors.empty() && (asked->place || find_resource(execution.resources, asked->resource));
    }
  }
  if (!is_complete) execution = execute(jobs);
  explain_sources(release.components, execution.errors);
  fail(std::move(execution.errors));
  result.dump = std::move(execution.dump);
  std::ranges::move(execution.warnings, std::back_inserter(result.warnings));
  timer.start("order");
  result.resources = std::move(execution.resources);
  order_resources(result);
  if (visit) {
    timer.start("explain");
    visit(release);
  }
  timer.start({});
}

void order_resources(RenderResult& result) {
  sort_resources(result.resources);
  unite_resources(result);
}

void order_problems(RenderResult& result) {
  static const diag::SourceMap kNoSources;
  const diag::SourceMap& sources = result.program ? result.program->sources() : kNoSources;
  sort_and_unite(sources, result.errors);
  sort_and_unite(sources, result.warnings);
}

}  // namespace opm::render
