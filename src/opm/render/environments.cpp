#include "opm/render/environments.h"

#include <algorithm>
#include <atomic>

#include "base/path.h"
#include "base/workers.h"
#include "opm/render/concealment.h"
#include "opm/render/config_loader.h"
#include "opm/render/environment_release.h"
#include "opm/render/executor.h"
#include "opm/render/explain.h"
#include "opm/render/job.h"
#include "opm/render/matcher.h"
#include "opm/render/platform_snapshot.h"
#include "opm/render/problems.h"
#include "opm/render/provider_loader.h"
#include "opm/render/reading_aids.h"
#include "opm/render/release_package.h"
#include "opm/render/release_renderer.h"
#include "opm/render/secret_sources.h"
#include "opm/render/tiered_values.h"
#include "opm/render/unreadable_text.h"
#include "opm/values/schema.h"

namespace opm::render {

namespace {

// A context keeps what it evaluated. One that has grown to this is left for a new one.
constexpr std::size_t kLargeContext = 256u << 20;

void append(std::vector<Problem>& problems, std::vector<Problem> more) {
  std::ranges::move(more, std::back_inserter(problems));
}

std::string path_of_main_module(const cue::Program& program) {
  const auto& module = program.loaded().main_module;
  return module ? module->path : std::string();
}

// What is asked of a release while it is there.
struct Question {
  const ExplainRequest& request;
  std::optional<ResourceOrigins> origins;  // the answer
  std::optional<FoundSecrets> secrets;     // of the release, once its components are evaluated
};

// A release in a context of its own, for one thread.
class ReleaseInContext {
 public:
  ReleaseInContext(const RenderOptions& options, Loaded loaded, std::string platforms_folder)
      : options_(options),
        loaded_(std::move(loaded)),
        platforms_folder_(std::move(platforms_folder)),
        package_(options_, *loaded_.context, platforms_folder_) {}

  // The same program in a new context.
  std::unique_ptr<ReleaseInContext> again(const std::string& release) const {
    Loaded loaded;
    loaded.program = loaded_.program;
    loaded.config_instance = loaded_.config_instance;
    loaded.has_builtin_provider = loaded_.has_builtin_provider;
    loaded.schemas = loaded_.schemas;
    loaded.context = std::make_unique<cue::Context>(loaded_.program);
    loaded.context->report_all_errors();
    auto other = std::make_unique<ReleaseInContext>(options_, std::move(loaded), platforms_folder_);
    other->question_ = question_;
    static_cast<void>(other->open(release));
    return other;
  }

  // What is to be said of every environment that is rendered by itself.
  void ask(Question* question) { question_ = question; }

  // What is wrong with what all environments share.
  std::vector<Problem> open(const std::string& release) {
    std::vector<Problem> problems;
    auto provider = load_provider(loaded_, options_);
    if (provider) provider_ = std::move(*provider);
    else append(problems, std::move(provider.error()));
    auto declaration = package_.find(release);
    if (declaration) {
      declaration_ = std::move(*declaration);
      own_values_.emplace(declaration_);
    } else append(problems, std::move(declaration.error()));
    if (problems.empty() && has_tiers(options_)) read_tier_files();
    return problems;
  }

  // Of the platforms, the release and the values of all its environments.
  std::vector<Problem> check() {
    std::vector<Problem> problems = package_.platform_problems();
    std::vector<Problem> wrong = check_values(declared());
    advise_on_values(declaration_.value, wrong);
    // Where there are tiers it is told whose value is wrong.
    for (Problem& problem : wrong) {
      if (tiers_) problem.diagnostic.message = values::schema_message(values::Tier::user, problem.diagnostic.message);
    }
    append(problems, std::move(wrong));
    return problems;
  }

  const model::ReleaseDeclaration& declaration() const { return declaration_; }
  const cue::Program& program() const { return *loaded_.program; }
  std::vector<data::Value> documents() const { return tiers_ ? tiers_->documents() : std::vector<data::Value>(); }
  FoundSecrets find_secrets(std::span<const cue::Value> components) {
    return render::find_secrets(declaration_, declared(), documents(), components);
  }
  bool is_large() const { return loaded_.context->bytes_used() > kLargeContext; }

  // `environment`: an index, or none for a release without environments.
  EnvironmentRender render(const RenderOptions& options, std::optional<std::size_t> index) {
    const model::Environment* environment = index ? &declaration_.environments[*index] : nullptr;
    EnvironmentRender render = begin(environment);
    PhaseTimer timer(options.clock, render.result.times);
    render_into(options, environment, timer, render.result);
    order_problems(render.result);
    return render;
  }

  // What the environment changes; nothing where something is wrong with it.
  std::optional<EnvironmentInput> input(std::size_t index) {
    const model::Environment& environment = declaration_.environments[index];
    std::vector<Problem> problems = package_.problems_of(declaration_, environment);
    std::optional<data::Value> values = values_of(&environment, problems);
    if (!problems.empty()) return std::nullopt;
    EnvironmentInput input = environment_input(*own_values_, &environment, values);
    if (!input.unsettled.empty() || !input.broken.empty()) return std::nullopt;
    return input;
  }

  // Environments that are alike, evaluated at the same time. By place in `indices`: nothing where there is anything to
  // say, or more differs than could be evaluated together.
  std::vector<std::optional<EnvironmentRender>> render_together(const RenderOptions& options, const std::vector<std::size_t>& indices,
                                                                std::span<const EnvironmentInput* const> given,
                                                                PhaseTimer& timer) const {
    std::vector<std::optional<EnvironmentRender>> renders(indices.size());
    timer.start("release");
    std::optional<SharedRelease> release = build_shared_release(declaration_, given);
    if (!release) return renders;
    timer.start("match");
    Match match = match_components(release->components, provider_.provider, options.strict);
    if (!match.errors.empty()) return renders;
    LoadedModule module = read_module();
    SharedJobs shared{release->components, {}};
    for (std::size_t world = 0; world < indices.size(); ++world) {
      // One that does not count is told what the first is told.
      std::size_t as = loaded_.context->holds(world) ? world : 0;
      BuiltRelease one;
      one.metadata = release->metadata[as];
      one.environment = declaration_.environments[indices[as]];
      shared.told.push_back(release_context(options, provider_, one));
    }
    timer.start("transform");
    auto resources = execute_shared_jobs(options, loaded_, provider_, std::move(shared), plan_jobs(match.plan));
    timer.start("order");
    for (std::size_t world = 0; world < indices.size(); ++world) {
      if (!resources[world]) continue;
      EnvironmentRender render = begin(&declaration_.environments[indices[world]]);
      describe(module, render.result);
      render.result.release = release->metadata[world];
      render.result.plan = match.plan;
      render.result.warnings = match.warnings;
      render.result.resources = std::move(*resources[world]);
      order_resources(render.result);
      order_problems(render.result);
      if (render.result.errors.empty()) renders[world] = std::move(render);
    }
    return renders;
  }

 private:
  // Of the release and all its environments; put together once.
  const std::vector<ValuesScope>& declared() {
    if (!declared_) declared_ = declared_values(declaration_);
    return *declared_;
  }

  EnvironmentRender begin(const model::Environment* environment) const {
    EnvironmentRender render;
    render.release = declaration_.field;
    render.result.program = loaded_.program;
    if (environment != nullptr) {
      render.environment = environment->key;
      render.platform = environment->platform;
    }
    return render;
  }

  // Where files override what the release says: what all of them come to. Nothing: they don't, or something is wrong.
  std::optional<data::Value> values_of(const model::Environment* environment, std::vector<Problem>& problems) {
    if (!tiers_ || !problems.empty()) return std::nullopt;
    TieredValues tiered = tiers_->put_together(trees_of_user(environment));
    append(problems, std::move(tiered.problems));
    return problems.empty() ? std::optional(data_of(tiered.tiers.effective)) : std::nullopt;
  }

  LoadedModule read_module() const {
    LoadedModule module;
    module.value = declaration_.value.find("#module");
    if (module.value.exists()) module.metadata = model::read_module_metadata(module.value.field("metadata"));
    return module;
  }

  void describe(const LoadedModule& module, RenderResult& result) const {
    result.module = module.metadata;
    result.module_path = path_of_main_module(*loaded_.program);
  }

  void read_tier_files() {
    TierSources sources{author_values(declaration_), declaration_.value.find("#module.#config"),
                        platforms_folder_.empty() ? kPlatformsInstance : kPlatformsInstance + 1};
    tiers_.emplace(*loaded_.context, options_, std::move(sources));
  }

  // Whoever writes a release is a user of the module, and its environments belong to the release.
  std::vector<values::Tree> trees_of_user(const model::Environment* environment) {
    std::vector<values::Tree> trees;
    for (const data::Value& values : own_values_->own(environment)) trees.push_back(tree_of(values, values::Tier::user));
    return trees;
  }

  void render_into(const RenderOptions& options, const model::Environment* environment, PhaseTimer& timer,
                   RenderResult& result) {
    timer.start("module");
    LoadedModule module = read_module();
    describe(module, result);
    timer.start("release");
    if (environment != nullptr) append(result.errors, package_.problems_of(declaration_, *environment));
    std::optional<data::Value> values = values_of(environment, result.errors);
    if (!result.errors.empty()) return;
    BuiltRelease release = build_environment_release(declaration_, *own_values_, environment, values);
    bool is_sound = release.problems.empty();
    append(result.errors, std::exchange(release.problems, {}));
    if (!release.usable) return;
    ReleaseVisitor visit = [&](const BuiltRelease& complete) {
      question_->origins = explain_resource(options, question_->request, loaded_, provider_, complete, result);
      if (is_sound) question_->secrets = find_secrets(component_values(complete));
    };
    render_release(options, loaded_, provider_, std::move(release), timer, result,
                   question_ != nullptr ? visit : ReleaseVisitor(), question_ != nullptr ? &question_->request : nullptr);
  }

  const RenderOptions& options_;
  Loaded loaded_;
  std::string platforms_folder_;
  ReleasePackage package_;
  LoadedProvider provider_;
  model::ReleaseDeclaration declaration_;
  std::optional<ReleaseValues> own_values_;  // its own and those of its environments
  std::optional<std::vector<ValuesScope>> declared_;
  Question* question_ = nullptr;
  std::optional<TierTrees> tiers_;  // where files override what the module's author wrote
};

using Renders = std::vector<std::optional<EnvironmentRender>>;

// What depends on no environment is evaluated once for all that are alike. Places of `chosen` that are left are those of
// environments with something of their own: to be rendered one by one.
void render_alike(const RenderOptions& options, ReleaseInContext& release, const std::vector<std::size_t>& chosen,
                  PhaseTimer& timer, Renders& renders) {
  constexpr int kFruitless = 2;  // rounds that were no use to any other environment than the first
  timer.start("release");
  std::vector<std::optional<EnvironmentInput>> inputs;
  std::vector<std::size_t> left;  // places
  for (std::size_t place = 0; place < chosen.size(); ++place) {
    inputs.push_back(release.input(chosen[place]));
    if (inputs.back()) left.push_back(place);
  }
  for (int fruitless = 0; left.size() > 1 && fruitless < kFruitless && !release.is_large();) {
    std::vector<std::size_t> places;
    for (std::size_t place : left) {
      if (is_alike(*inputs[left.front()], *inputs[place])) places.push_back(place);
    }
    std::size_t rendered = 0;
    if (places.size() > 1) {
      std::vector<std::size_t> indices;
      std::vector<const EnvironmentInput*> given;
      for (std::size_t place : places) {
        indices.push_back(chosen[place]);
        given.push_back(&*inputs[place]);
      }
      Renders together = release.render_together(options, indices, given, timer);
      for (std::size_t i = 0; i < places.size(); ++i) {
        if (!together[i]) continue;
        renders[places[i]] = std::move(together[i]);
        ++rendered;
      }
    }
    if (rendered < 2) ++fruitless;
    std::erase_if(left, [&](std::size_t place) { return place == places.front() || renders[place].has_value(); });
  }
  timer.start({});
}

// Environments are rendered beside each other; then the transformers of each run one after the other.
void render_one_by_one(const RenderOptions& options, ReleaseInContext& first, const std::vector<std::size_t>& chosen,
                       Renders& renders) {
  std::vector<std::size_t> left;  // places
  for (std::size_t place = 0; place < chosen.size(); ++place) {
    if (!renders[place]) left.push_back(place);
  }
  if (left.empty()) return;
  std::size_t threads = std::clamp<std::size_t>(options.usable_threads(), 1, left.size());
  RenderOptions own = options;
  if (left.size() > 1) own.threads = 1;
  const std::string& release = first.declaration().field;
  std::atomic<std::size_t> next = 0;
  auto work = [&](ReleaseInContext* given) {
    std::unique_ptr<ReleaseInContext> made;
    for (std::size_t i = next++; i < left.size(); i = next++) {
      if (given == nullptr || given->is_large()) {
        made = first.again(release);
        given = made.get();
      }
      renders[left[i]] = given->render(own, chosen[left[i]]);
    }
  };
  base::Workers others(threads - 1, [&](std::size_t) { cue::run_on_large_stack([&] { work(nullptr); }); });
  work(&first);
}

// Many of them in as many parts as there are threads, each of which evaluates what they share for itself.
void render_alike_in_parts(const RenderOptions& options, ReleaseInContext& first, const std::vector<std::size_t>& chosen,
                           PhaseTimer& timer, Renders& renders) {
  constexpr std::size_t kWorthwhile = 8;  // for each thread
  std::size_t parts = std::clamp<std::size_t>(options.usable_threads(), 1, std::max<std::size_t>(chosen.size() / kWorthwhile, 1));
  if (parts == 1) return render_alike(options, first, chosen, timer, renders);
  RenderOptions own = options;
  own.threads = 1;
  std::atomic<std::size_t> next = 0;
  auto work = [&](ReleaseInContext* given, PhaseTimer& its_timer) {
    std::unique_ptr<ReleaseInContext> made;
    for (std::size_t part = next++; part < parts; part = next++) {
      if (given == nullptr) {
        made = first.again(first.declaration().field);
        given = made.get();
      }
      auto begin = chosen.begin() + static_cast<std::ptrdiff_t>(part * chosen.size() / parts);
      auto end = chosen.begin() + static_cast<std::ptrdiff_t>((part + 1) * chosen.size() / parts);
      std::vector<std::size_t> its_own(begin, end);
      Renders rendered(its_own.size());
      render_alike(own, *given, its_own, its_timer, rendered);
      std::ranges::move(rendered, renders.begin() + (begin - chosen.begin()));
    }
  };
  base::Workers others(parts - 1, [&](std::size_t) {
    cue::run_on_large_stack([&] {
      std::vector<PhaseTime> untold;
      PhaseTimer its_timer(nullptr, untold);
      work(nullptr, its_timer);
    });
  });
  work(&first, timer);
}

std::vector<EnvironmentRender> render_all(const RenderOptions& options, ReleaseInContext& release,
                                          const std::vector<std::size_t>& chosen, PhaseTimer& timer) {
  Renders renders(chosen.size());
  // Who wants to see the jobs wants those of each environment.
  if (chosen.size() > 1 && !options.dump_jobs) render_alike_in_parts(options, release, chosen, timer, renders);
  render_one_by_one(options, release, chosen, renders);
  std::vector<EnvironmentRender> all;
  for (std::optional<EnvironmentRender>& render : renders) all.push_back(std::move(*render));
  return all;
}

class Renderer {
 public:
  Renderer(const RenderOptions& options, const std::string& release, const EnvironmentSelection& selection)
      : options_(options), release_(release), selection_(selection) {}

  EnvironmentRenders take() {
    run();
    static const diag::SourceMap kNoSources;
    sort_and_unite(result_.program ? result_.program->sources() : kNoSources, result_.errors);
    return std::move(result_);
  }

  // Of one environment.
  void ask(Question& question) { question_ = &question; }

  // Without the secrets of the release; nothing when there are none.
  std::optional<MaskedSources> masked() const {
    if (!release_in_context_) return std::nullopt;
    const cue::Program& program = release_in_context_->program();
    std::vector<std::size_t> requests;
    for (std::size_t instance = 0; instance < own_instances_; ++instance) requests.push_back(program.instances()[instance].request);
    if (question_ != nullptr && question_->secrets)
      return mask_secrets(program, requests, question_->secrets->places, release_in_context_->documents());
    // Several environments may have been evaluated at once in the other.
    std::unique_ptr<ReleaseInContext> release = release_in_context_->again(release_);
    std::vector<cue::Value> components = members_of(release->declaration().value.field("components"));
    return mask_secrets(program, requests, release->find_secrets(components).places, release->documents());
  }

 private:
  void run() {
    PhaseTimer timer(options_.clock, result_.times);
    timer.start("load");
    auto files = release_files(options_);
    if (!files) return append(result_.errors, std::move(files.error()));
    own_instances_ = files->requests.size();
    auto loaded = load_configuration(options_, with_tier_requests(std::move(files->requests), options_));
    if (!loaded) {
      result_.program = loaded.error().program;
      append(result_.errors, std::move(loaded.error().problems));
      if (!result_.program) return;
      name_unreadable_text(result_.program->sources(), result_.errors);
      conceal_quotes(result_.program->sources(), result_.errors);
      return;
    }
    result_.program = loaded->program;
    timer.start("package");
    release_in_context_ = std::make_unique<ReleaseInContext>(options_, std::move(*loaded), files->platforms_folder);
    ReleaseInContext& release = *release_in_context_;
    append(result_.errors, release.open(release_));
    if (!result_.errors.empty()) return;
    append(result_.errors, release.check());
    auto chosen = select_environments(release.declaration(), selection_);
    if (!chosen) result_.errors.push_back(std::move(chosen.error()));
    timer.start({});
    if (!result_.errors.empty()) return;
    // Of several, which are rendered at the same time, none is asked.
    if (chosen->size() <= 1) release.ask(question_);
    if (chosen->empty()) result_.renders.push_back(release.render(options_, std::nullopt));
    else result_.renders = render_all(options_, release, *chosen, timer);
  }

  const RenderOptions& options_;
  const std::string& release_;
  const EnvironmentSelection& selection_;
  Question* question_ = nullptr;
  std::unique_ptr<ReleaseInContext> release_in_context_;
  std::size_t own_instances_ = 0;  // the package and its platforms
  EnvironmentRenders result_;
};

EnvironmentSelection selection_of(const std::optional<std::string>& environment) {
  EnvironmentSelection selection;
  if (environment) selection.selectors.push_back(*environment);
  return selection;
}

// For those who can do with just one. What went wrong is among the errors of the result, whatever it was.
EnvironmentRender only_one(EnvironmentRenders renders, const std::string& release) {
  EnvironmentRender render;
  render.release = release;
  if (renders.errors.empty() && renders.renders.size() == 1) {
    render = std::move(renders.renders.front());
  } else {
    render.result.program = renders.program;
    render.result.errors = std::move(renders.errors);
    if (render.result.errors.empty()) {
      std::string names;
      for (const EnvironmentRender& one : renders.renders) names += (names.empty() ? "" : ", ") + one.environment;
      render.result.errors.push_back(make_problem(ProblemKind::invalid, "several-environments",
                                                  "this is done in one environment at a time", "-e selects " + names));
    }
  }
  render.result.times.insert(render.result.times.begin(), renders.times.begin(), renders.times.end());
  return render;
}

}  // namespace

EnvironmentRenders render_environments(const RenderOptions& options, const std::string& release,
                                       const EnvironmentSelection& selection) {
  EnvironmentRenders result;
  cue::run_on_large_stack([&] {
    Renderer renderer(options, release, selection);
    result = renderer.take();
    if (!needs_concealment(options, result)) return;
    auto masked = renderer.masked();
    if (!masked) return;
    RenderOptions again = options;
    again.masked = &*masked;
    again.clock = nullptr;
    conceal_secrets(options, *masked, Renderer(again, release, selection).take(), result);
  });
  return result;
}

EnvironmentRender render_environment(const RenderOptions& options, const std::string& release,
                                     const std::optional<std::string>& environment) {
  return only_one(render_environments(options, release, selection_of(environment)), release);
}

ExplainedRender explain_release(const RenderOptions& options, const std::string& release,
                                const std::optional<std::string>& environment, const ExplainRequest& request) {
  EnvironmentSelection selection = selection_of(environment);
  return explain_with(options, request, [&](const RenderOptions& with, const ExplainRequest& what) {
    Question question{what, {}, {}};
    Renderer renderer(with, release, selection);
    renderer.ask(question);
    AskedRender asked;
    asked.explained.result = only_one(renderer.take(), release).result;
    asked.explained.origins = std::move(question.origins);
    if (with.masked == nullptr) asked.masked = renderer.masked();
    return asked;
  });
}

ReleaseList list_releases(const RenderOptions& options) {
  ReleaseList list;
  auto files = release_files(options);
  if (!files) {
    list.errors = std::move(files.error());
    return list;
  }
  list.platforms_folder = files->platforms_folder;
  for (cue::LoadRequest& request : files->requests) request.options.all_standard_packages = false;
  std::size_t expected = files->requests.size();
  list.program = cue::Program::load(std::move(files->requests));
  append_problems(list.errors, list.program->errors());
  for (const cue::Instance& instance : list.program->instances()) append_problems(list.errors, instance.errors);
  conceal_quotes(list.program->sources(), list.errors);
  if (list.errors.empty() && list.program->instances().size() == expected) {
    cue::run_on_large_stack([&] {
      cue::Context context(list.program);
      ReleasePackage package(options, context, list.platforms_folder);
      list.platforms = package.platforms();
      append(list.errors, package.platform_problems());
      for (const std::string& name : package.names()) {
        auto release = package.find(name);
        if (!release) {
          append(list.errors, std::move(release.error()));
          continue;
        }
        // The context ends here.
        release->value = {};
        for (model::Environment& environment : release->environments) environment.value = {};
        list.releases.push_back(std::move(*release));
      }
    });
  }
  sort_and_unite(list.program->sources(), list.errors);
  return list;
}

namespace {

ReleaseList read_platform_list(const RenderOptions& options, const std::string* snapshot) {
  ReleaseList list;
  auto files = platform_files(options);
  if (!files) {
    list.errors.push_back(make_problem(ProblemKind::not_found, "no-platforms", "there is no folder .opm with CUE files here or above",
                                       "platforms are declared in .opm/platform.cue, in its field \"platforms\""));
    return list;
  }
  list.platforms_folder = files->folder;
  files->request.options.all_standard_packages = false;
  if (snapshot != nullptr) {
    std::string file = base::join_path(files->folder, kSnapshotFile);
    files->request.options.overlay[file] = *snapshot;
    files->request.options.added_files.push_back(file);
  }
  std::vector<cue::LoadRequest> requests;
  requests.push_back(std::move(files->request));
  list.program = cue::Program::load(std::move(requests));
  append_problems(list.errors, list.program->errors());
  if (list.errors.empty() && list.program->instances().size() == 1) {
    cue::run_on_large_stack([&] {
      cue::Context context(list.program);
      cue::Value package = context.instance(0);
      append_problems(list.errors, package.validate());
      cue::Value platforms = package.field(kPlatformsField);
      if (list.errors.empty() && platforms.exists()) list.platforms = read_placed_platforms(options, platforms);
    });
  }
  sort_and_unite(list.program->sources(), list.errors);
  return list;
}

}  // namespace

ReleaseList list_platforms(const RenderOptions& options) { return read_platform_list(options, nullptr); }

ReleaseList list_platforms_with(const RenderOptions& options, const std::string& snapshot) {
  return read_platform_list(options, &snapshot);
}

}  // namespace opm::render
