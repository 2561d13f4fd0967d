#include "opm/render/render.h"

#include <algorithm>
#include <optional>
#include <set>

#include "opm/render/concealment.h"
#include "opm/render/config_loader.h"
#include "opm/render/explain.h"
#include "opm/render/module_files.h"
#include "opm/render/module_loader.h"
#include "opm/render/problems.h"
#include "opm/render/provider_loader.h"
#include "opm/render/reading_aids.h"
#include "opm/render/release_builder.h"
#include "opm/render/release_overlay.h"
#include "opm/render/release_renderer.h"
#include "opm/render/secret_finder.h"
#include "opm/render/secret_sources.h"
#include "opm/render/tiered_values.h"
#include "opm/render/unreadable_text.h"

namespace opm::render {

namespace {

// example.com/shop@v0, without the package in it.
std::string module_path(const Loaded& loaded) {
  std::string path = loaded.program->instances()[loaded.module_instance].import_path;
  if (std::size_t colon = path.rfind(':'); colon != std::string::npos && path.find('/', colon) == std::string::npos) path.resize(colon);
  return path;
}

class Pipeline {
 public:
  explicit Pipeline(const RenderOptions& options) : options_(options) {}

  // What is asked of the release while it is there.
  void explain(const ExplainRequest& request, std::optional<ResourceOrigins>& origins) {
    request_ = &request;
    origins_ = &origins;
  }

  RenderResult take() {
    run();
    order_problems(result_);
    return std::move(result_);
  }

  // Without the secrets of the module; nothing when there are none.
  std::optional<MaskedSources> masked() const {
    if (!loaded_ || !module_.valid()) return std::nullopt;
    std::vector<ValuesScope> scopes = {values_of_module(module_)};
    add_scopes(documents_, scopes.front().schema, scopes);
    const std::size_t requests[] = {loaded_->program->instances()[loaded_->module_instance].request};
    std::set<diag::Position> places = find_secrets(scopes).places;
    // Where there is no release, the module's own components say what they can.
    if (kept_) places.merge(std::set(*kept_));
    else places.merge(find_secrets({}, members_of(module_.find("#components"))).places);
    return mask_secrets(*loaded_->program, requests, std::move(places), documents_);
  }

 private:
  void run() {
    timer_.start("load");
    auto request = module_request(options_);
    if (!request) return fail(std::move(request.error()));
    std::vector<cue::LoadRequest> sources;
    sources.push_back(std::move(*request));
    auto loaded = load_configuration(options_, with_tier_requests(std::move(sources), options_));
    if (!loaded) {
      result_.program = loaded.error().program;
      hide_secrets_of_files(options_, loaded.error().problems);
      if (result_.program) name_unreadable_text(result_.program->sources(), loaded.error().problems);
      fail(std::move(loaded.error().problems));
      return conceal_quotes(false);
    }
    loaded_ = std::move(*loaded);
    result_.program = loaded_->program;
    timer_.start("provider");
    auto provider = load_provider(*loaded_, options_);
    timer_.start("module");
    auto module = load_module(*loaded_, options_);
    if (module) result_.module = module->metadata;
    result_.module_path = module_path(*loaded_);
    if (!provider) fail(std::move(provider.error()));
    if (!module) fail(std::move(module.error()));
    if (!provider || !module) return;
    module_ = module->value;
    timer_.start("values");
    if (has_tiers(options_)) {
      TieredValues values = read_tiers(*loaded_->context, options_);
      documents_ = std::move(values.documents);
      if (!values.problems.empty()) {
        fail(std::move(values.problems));
        return conceal_quotes(true);
      }
      loaded_->redeclared = effective_values(options_, values);
      module->value = loaded_->module_in(*loaded_->context);
    }
    module_ = module->value;
    timer_.start("release");
    BuiltRelease release = build_release(options_, *loaded_, *provider, *module);
    bool is_sound = release.problems.empty();
    advise_to_override(options_, loaded_->program->sources(), release.problems);
    fail(std::exchange(release.problems, {}));
    if (!release.usable) return;
    if (options_.check_module && is_sound) check_module(*module);
    ReleaseVisitor visit = [&](const BuiltRelease& complete) {
      if (request_ != nullptr) *origins_ = explain_resource(options_, *request_, *loaded_, *provider, complete, result_);
      if (!is_sound) return;
      kept_ = complete.secret_places ? *complete.secret_places : find_secrets({}, component_values(complete)).places;
    };
    render_release(options_, *loaded_, *provider, std::move(release), timer_, result_,
                   options_.find_secrets ? visit : ReleaseVisitor(), request_);
  }

  void conceal_quotes(bool knows_schema) {
    static const diag::SourceMap kNone;
    render::conceal_quotes(options_, result_.program ? result_.program->sources() : kNone, result_.errors, knows_schema);
  }

  // What is wrong with parts of the module that no release makes use of.
  void check_module(const LoadedModule& module) {
    std::vector<Problem> problems;
    append_problems(problems, module.value.validate());
    std::erase_if(problems, [](const Problem& problem) { return problem.diagnostic.path.starts_with(kReleaseField); });
    fail(std::move(problems));
  }

  void fail(std::vector<Problem> problems) { std::ranges::move(problems, std::back_inserter(result_.errors)); }

  const RenderOptions& options_;
  std::optional<Loaded> loaded_;
  cue::Value module_;   // once its values are known
  std::vector<data::Value> documents_;  // with values that override the module's own
  RenderResult result_;
  const ExplainRequest* request_ = nullptr;  // what is asked, if anything is, and where the answer goes
  std::optional<ResourceOrigins>* origins_ = nullptr;
  std::optional<std::set<diag::Position>> kept_;  // where the secrets of components stand, once they are evaluated
  PhaseTimer timer_{options_.clock, result_.times};
};

}  // namespace

RenderResult render(const RenderOptions& options) {
  RenderResult result;
  cue::run_on_large_stack([&] {
    Pipeline pipeline(options);
    result = pipeline.take();
    if (!needs_concealment(options, result)) return;
    auto masked = pipeline.masked();
    if (!masked) return;
    RenderOptions again = options;
    again.masked = &*masked;
    again.clock = nullptr;
    conceal_secrets(options, *masked, Pipeline(again).take(), result);
  });
  return result;
}

ExplainedRender explain(const RenderOptions& options, const ExplainRequest& request) {
  return explain_with(options, request, [](const RenderOptions& with, const ExplainRequest& what) {
    AskedRender asked;
    Pipeline pipeline(with);
    pipeline.explain(what, asked.explained.origins);
    asked.explained.result = pipeline.take();
    if (with.masked == nullptr) asked.masked = pipeline.masked();
    return asked;
  });
}

}  // namespace opm::render
