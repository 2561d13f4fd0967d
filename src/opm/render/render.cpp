#include "opm/render/render.h"

#include <fmt/format.h>

#include <algorithm>

#include "opm/render/config_loader.h"
#include "opm/render/executor.h"
#include "opm/render/job.h"
#include "opm/render/matcher.h"
#include "opm/render/module_loader.h"
#include "opm/render/problems.h"
#include "opm/render/provider_loader.h"
#include "opm/render/release_builder.h"
#include "opm/render/release_overlay.h"
#include "opm/render/resource_order.h"
#include "opm/render/secret_reach.h"

namespace opm::render {

namespace {

class Pipeline {
 public:
  explicit Pipeline(const RenderOptions& options) : options_(options) {}

  RenderResult take() {
    run();
    static const diag::SourceMap kNoSources;
    const diag::SourceMap& sources = result_.program ? result_.program->sources() : kNoSources;
    sort_and_unite(sources, result_.errors);
    sort_and_unite(sources, result_.warnings);
    return std::move(result_);
  }

 private:
  void run() {
    start("load");
    auto loaded = load_configuration(options_);
    if (!loaded) {
      result_.program = loaded.error().program;
      return fail(std::move(loaded.error().problems));
    }
    result_.program = loaded->program;
    start("provider");
    auto provider = load_provider(*loaded, options_);
    start("module");
    auto module = load_module(*loaded, options_);
    if (module) result_.module = module->metadata;
    if (!provider) fail(std::move(provider.error()));
    if (!module) fail(std::move(module.error()));
    if (!provider || !module) return;
    start("release");
    BuiltRelease release = build_release(*module);
    hide_secrets(module->value.field("values"), release.problems);
    bool is_sound = release.problems.empty();
    fail(std::move(release.problems));
    if (!release.usable) return;
    if (options_.check_module && is_sound) check_module(*module);
    result_.release = release.metadata;
    release.context = release_context(options_, *module, *provider, release);
    start("match");
    Match match = match_components(release.components, provider->provider, options_.strict);
    fail(std::move(match.errors));
    result_.warnings = std::move(match.warnings);
    result_.plan = std::move(match.plan);
    start("transform");
    Execution execution = execute_jobs(options_, *loaded, *provider, release, plan_jobs(result_.plan));
    hide_secrets(module->value.field("values"), execution.errors);
    hide_secrets(module->value.field("values"), execution.warnings);
    fail(std::move(execution.errors));
    result_.dump = std::move(execution.dump);
    std::ranges::move(execution.warnings, std::back_inserter(result_.warnings));
    start("order");
    result_.resources = std::move(execution.resources);
    sort_resources(result_.resources);
    unite_resources();
    start({});
  }

  // What is wrong with parts of the module that no release makes use of.
  void check_module(const LoadedModule& module) {
    std::vector<Problem> problems;
    append_problems(problems, module.value.validate());
    std::erase_if(problems, [](const Problem& problem) { return problem.diagnostic.path.starts_with(kReleaseField); });
    hide_secrets(module.value.field("values"), problems);
    fail(std::move(problems));
  }

  void fail(std::vector<Problem> problems) { std::ranges::move(problems, std::back_inserter(result_.errors)); }

  // One object under one name: what two components make alike is made once, what they make differently is an error.
  void unite_resources() {
    std::vector<Resource> kept;
    for (Resource& resource : result_.resources) {
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
      result_.errors.push_back(std::move(problem));
    }
    result_.resources = std::move(kept);
  }

  static bool same_object(const Resource& a, const Resource& b) {
    return a.kind == b.kind && a.name == b.name && a.namespace_name == b.namespace_name &&
           split_api_version(a.api_version).first == split_api_version(b.api_version).first;
  }

  void start(std::string_view phase) {
    if (options_.clock == nullptr) return;
    std::chrono::nanoseconds now = options_.clock->elapsed();
    if (!phase_.empty()) result_.times.push_back({phase_, now - started_});
    phase_ = phase;
    started_ = now;
  }

  const RenderOptions& options_;
  RenderResult result_;
  std::string_view phase_;
  std::chrono::nanoseconds started_{};
};

}  // namespace

RenderResult render(const RenderOptions& options) {
  RenderResult result;
  cue::run_on_large_stack([&] { result = Pipeline(options).take(); });
  return result;
}

}  // namespace opm::render
