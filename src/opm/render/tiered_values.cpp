#include "opm/render/tiered_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/path.h"
#include "opm/render/concealment.h"
#include "opm/render/module_files.h"
#include "opm/render/problems.h"
#include "opm/render/release_overlay.h"
#include "opm/render/secret_problems.h"
#include "opm/render/secret_sources.h"
#include "opm/render/unreadable_text.h"
#include "opm/values/read.h"
#include "opm/values/schema.h"

namespace opm::render {

namespace {

using values::path_text;
using values::place_text;
using values::Tier;
using values::tier_name;
using values::value_text;

std::vector<values::ValuesFile> tier_files(const RenderOptions& options) {
  std::vector<values::ValuesFile> files;
  for (const std::string& path : options.platform_files) files.push_back({path, shown_file(options, path), Tier::platform});
  for (const std::string& path : options.user_files) files.push_back({path, shown_file(options, path), Tier::user});
  return files;
}

std::string author_file(const RenderOptions& options) {
  return shown_file(options, base::join_path(options.module_directory, kValuesFile));
}

// What values.cue says, without what other files of the module say of values.
values::Reading read_author(cue::Context& context, const RenderOptions& options) {
  std::string file = author_file(options);
  const diag::SourceMap& sources = context.program().sources();
  cue::Value values = context.instance(0).field(values::kValuesField);
  auto is_there = [&](diag::Position position) { return sources.locate(position).file == file; };
  if (!values.exists() || std::ranges::none_of(values.positions(), is_there)) {
    values::Reading reading;
    reading.errors.push_back(values::no_values_field(file));
    return reading;
  }
  return read_values(values.without_files([&](std::string_view other) { return other != file; }), Tier::author);
}

cue::Value schema_of(cue::Context& context) {
  return context.instance(0).find("#config").without_files([](std::string_view file) { return file.ends_with(kReleaseFile); });
}

void collect_positions(const data::Value& value, std::set<diag::Position>& positions) {
  positions.insert(value.position);
  if (value.is_list()) {
    for (const data::Value& element : value.as_list()) collect_positions(element, positions);
  } else if (value.is_map()) {
    for (const data::Member& member : value.as_map()) {
      positions.insert(member.key_position);
      collect_positions(member.value, positions);
    }
  }
}

// What somebody wrote as a value before what the schema says of it.
void put_values_first(const values::Tiers& tiers, cue::Diagnostics& errors) {
  if (errors.empty()) return;
  std::set<diag::Position> written;
  for (const values::Tree* tree : {&tiers.author, &tiers.platform, &tiers.effective}) collect_positions(data_of(*tree), written);
  auto is_value = [&](diag::Position position) { return written.contains(position); };
  for (diag::Diagnostic& error : errors) std::ranges::stable_partition(error.positions, is_value);
}

// Puts what stands for secrets into values that were read from files as they are.
void revise(const MaskedSources& masked, const diag::SourceMap& sources, values::Tree& tree) {
  masked.revise(sources, tree.leaf);
  for (values::Field& field : tree.fields) revise(masked, sources, field.value);
}

Problem lock_problem(const diag::SourceMap& sources, const values::LockViolation& violation) {
  Problem problem = make_problem(
      ProblemKind::invalid, "locked-value",
      fmt::format("cannot override locked value: {} is locked by the {}, {} was provided by the {}",
                  value_text(violation.locked), tier_name(Tier::platform), value_text(violation.provided), tier_name(Tier::user)),
      "contact your platform team if you need a different value");
  problem.diagnostic.path = path_text(violation.path);
  for (diag::Position position : {violation.provided_position, violation.locked_position}) {
    if (position.valid()) problem.diagnostic.positions.push_back(position);
  }
  problem.text = lock_text(violation, place_text(sources, violation.locked_position));
  return problem;
}

}  // namespace

bool has_tiers(const RenderOptions& options) { return !options.platform_files.empty() || !options.user_files.empty(); }

std::vector<cue::LoadRequest> with_tier_requests(std::vector<cue::LoadRequest> requests, const RenderOptions& options) {
  std::ranges::move(values::values_requests(tier_files(options), requests.front().options), std::back_inserter(requests));
  return requests;
}

TierTrees::TierTrees(cue::Context& context, const RenderOptions& options, TierSources sources)
    : sources_(context.program().sources()), config_(sources.config), mask_(sources.config), is_masked_(options.masked != nullptr) {
  const base::FileSystem& disk = options.files != nullptr ? *options.files : base::real_file_system();
  cue::Diagnostics errors;
  auto take = [&](values::Reading reading, std::vector<values::Tree>& trees) {
    std::ranges::move(reading.errors, std::back_inserter(errors));
    if (!reading.tree) return;
    if (options.masked != nullptr) revise(*options.masked, sources_, *reading.tree);
    trees.push_back(std::move(*reading.tree));
  };
  take(std::move(sources.author), author_);
  std::size_t instance = sources.first_instance;
  for (const values::ValuesFile& file : tier_files(options)) {
    std::optional<std::size_t> loaded;
    if (file.is_cue()) loaded = instance++;
    take(read_values_file(context, file, loaded, disk), file.tier == Tier::platform ? platform_ : user_);
  }
  mask_.hide(errors, true);
  append_problems(problems_, errors);
  name_unreadable_text(sources_, problems_);
}

std::vector<data::Value> TierTrees::documents() const {
  std::vector<data::Value> documents;
  for (const std::vector<values::Tree>* trees : {&author_, &platform_, &user_}) {
    for (const values::Tree& tree : *trees) documents.push_back(data_of(tree));
  }
  return documents;
}

TieredValues TierTrees::put_together(std::vector<values::Tree> own, const TierSettings& settings) {
  TieredValues result;
  result.config = config_;
  result.documents = documents();
  result.problems = problems_;
  if (!problems_.empty()) return result;
  own.insert(own.end(), user_.begin(), user_.end());
  result.tiers = values::resolve(author_.front(), platform_, std::move(own));
  for (values::LockViolation violation : result.tiers.violations) {
    if (!is_masked_) {
      mask_.mask(violation.path, violation.locked);
      mask_.mask(violation.path, violation.provided);
    }
    result.problems.push_back(lock_problem(sources_, violation));
  }
  cue::Diagnostics errors = values::schema_errors(config_, result.tiers, {.complete = settings.complete});
  put_values_first(result.tiers, errors);
  append_problems(result.problems, errors);
  if (!errors.empty()) {
    data::Value effective = data_of(result.tiers.effective);
    std::vector<ValuesScope> scopes;
    add_scopes({std::move(effective)}, config_, scopes);
    for (ValuesScope& scope : scopes) scope.is_partial = !settings.complete;
    explain_secrets(scopes, result.problems);
  }
  drop_alternatives(result.problems);
  return result;
}

void add_scopes(const std::vector<data::Value>& documents, cue::Value config, std::vector<ValuesScope>& scopes) {
  if (!config.valid()) return;
  for (const data::Value& document : documents) {
    cue::Value given = config.context().from_documents({&document, 1});
    scopes.push_back({std::string(values::kValuesField), given, config.unify(given), config});
  }
}

TieredValues read_tiers(cue::Context& context, const RenderOptions& options, const TierSettings& settings) {
  return TierTrees(context, options, {read_author(context, options), schema_of(context)}).put_together({}, settings);
}

Redeclaration effective_values(const RenderOptions& options, const TieredValues& values) {
  return {author_file(options), std::string(values::kValuesField), data_of(values.tiers.effective)};
}

void hide_secrets_by_schema(cue::Context& context, std::vector<Problem>& problems) {
  if (problems.empty()) return;
  cue::Diagnostics diagnostics;
  for (Problem& problem : problems) diagnostics.push_back(std::move(problem.diagnostic));
  values::SecretMask(schema_of(context)).hide(diagnostics, true);
  for (std::size_t i = 0; i < problems.size(); ++i) problems[i].diagnostic = std::move(diagnostics[i]);
}

void hide_secrets_of_files(const RenderOptions& options, std::vector<Problem>& problems) {
  auto is_about_values = [](const Problem& problem) { return problem.diagnostic.path.starts_with("values."); };
  if (std::ranges::none_of(problems, is_about_values)) return;
  // The schema is asked of the module alone: with these files there is none.
  RenderOptions alone = options;
  for (std::vector<std::string>* files : {&alone.values_files, &alone.platform_files, &alone.user_files}) files->clear();
  alone.values_input.reset();
  auto request = module_request(alone);
  if (!request) return;
  std::vector<cue::LoadRequest> requests;
  requests.push_back(std::move(*request));
  auto program = cue::Program::load(std::move(requests));
  if (program->instances().size() != 1 || !program->instances()[0].errors.empty()) return;
  cue::run_on_large_stack([&] {
    cue::Context context(program);
    hide_secrets_by_schema(context, problems);
  });
}

namespace {

// By reading the tiers again, with something else in the place of secrets.
void conceal_secrets(cue::Context& context, const RenderOptions& options, const TierSettings& settings, TieredValues& values) {
  if (values.problems.empty()) return;
  std::vector<ValuesScope> scopes;
  add_scopes(values.documents, values.config, scopes);
  auto masked = mask_secrets(context.program(), {}, find_secrets(scopes).places, values.documents);
  if (masked) {
    RenderOptions again = options;
    again.masked = &*masked;
    const diag::SourceMap& sources = context.program().sources();
    conceal_problems(*masked, sources, read_tiers(context, again, settings).problems, sources, values.problems);
  }
  conceal_quotes(options, context.program().sources(), values.problems, true);
}

}  // namespace

LoadedValues load_values(const RenderOptions& options, const TierSettings& settings) {
  LoadedValues result;
  auto request = module_request(options);
  if (!request) {
    result.problems = std::move(request.error());
    return result;
  }
  std::vector<cue::LoadRequest> requests;
  requests.push_back(std::move(*request));
  requests = with_tier_requests(std::move(requests), options);
  std::size_t wanted = requests.size();
  for (cue::LoadRequest& each : requests) each.options.all_standard_packages = false;
  result.program = cue::Program::load(std::move(requests));
  std::span<const cue::Instance> instances = result.program->instances();
  if (instances.size() != wanted) append_problems(result.problems, result.program->errors());
  for (const cue::Instance& instance : instances) append_problems(result.problems, instance.errors);
  hide_secrets_of_files(options, result.problems);
  name_unreadable_text(result.program->sources(), result.problems);
  conceal_quotes(options, result.program->sources(), result.problems, false);
  if (result.problems.empty()) {
    cue::run_on_large_stack([&] {
      cue::Context context(result.program);
      context.report_all_errors();
      cue::Value name = context.instance(0).find("metadata.name");
      if (name.exists()) result.module = name.string().value_or("");
      TieredValues values = read_tiers(context, options, settings);
      conceal_secrets(context, options, settings, values);
      result.readable = values.tiers.effective.is_struct;
      values::SecretMask mask(values.config);
      for (values::Tree* tree : {&values.tiers.author, &values.tiers.platform, &values.tiers.effective}) mask.mask(*tree);
      result.tiers = std::move(values.tiers);
      result.problems = std::move(values.problems);
    });
  }
  sort_and_unite(result.program->sources(), result.problems);
  return result;
}

}  // namespace opm::render
