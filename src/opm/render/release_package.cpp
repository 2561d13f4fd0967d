#include "opm/render/release_package.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "base/joined.h"
#include "base/path.h"
#include "base/suggestion.h"
#include "cue/syntax/literal.h"
#include "opm/render/module_files.h"
#include "opm/render/package_folder.h"
#include "opm/render/platform_snapshot.h"
#include "opm/render/problems.h"

namespace opm::render {

namespace {

// A kubeconfig is beside the file that names it.
void place_kube_config(const cue::Value& platform, const RenderOptions& options, model::Platform& read) {
  if (read.kube_config.empty() || base::is_absolute_path(read.kube_config) || read.kube_config.starts_with('~')) return;
  const diag::SourceMap& sources = platform.context().program().sources();
  for (diag::Position position : platform.field("kubeConfig").positions()) {
    std::string_view file = sources.locate(position).file;
    bool is_shown_from_here = file.starts_with('.');
    if (!is_shown_from_here && !base::is_absolute_path(file)) continue;  // of the catalog
    std::string folder = base::parent_path(is_shown_from_here ? base::join_path(options.working_directory, file) : std::string(file));
    read.kube_config = base::join_path(folder, read.kube_config);
    return;
  }
}

// The user's own words for what a field is to be: the rest of the line that it is on.
std::string_view written_at(const cue::Value& field) {
  const diag::SourceMap& sources = field.context().program().sources();
  for (diag::Position position : field.positions()) {
    if (sources.locate(position).file.find("opmodel.dev/core@") != std::string_view::npos) continue;
    std::string_view line = sources.line_text(position);
    return line.substr(std::min<std::size_t>(line.size(), sources.locate(position).column - 1));
  }
  return {};
}

// "stage" of `platform: platforms["stage"]` and of `platform: platforms.stage`; empty: it is written another way.
std::string referred_platform(std::string_view written) {
  std::size_t at = written.find(kPlatformsField, written.find(':') + 1);
  if (at == std::string_view::npos) return {};
  std::string_view rest = written.substr(at + kPlatformsField.size());
  std::size_t begin = rest.find_first_not_of(".[\"");
  if (begin == 0 || begin == std::string_view::npos) return {};
  rest.remove_prefix(begin);
  return std::string(rest.substr(0, rest.find_first_of("\"], \t,}")));
}

// Whether anybody but the catalog says something of a field.
bool is_declared(const cue::Value& field) {
  if (!field.exists()) return false;
  const diag::SourceMap& sources = field.context().program().sources();
  return std::ranges::any_of(field.positions(), [&](diag::Position position) {
    return sources.locate(position).file.find("opmodel.dev/core@") == std::string_view::npos;
  });
}

// Where somebody wrote it, rather than what the catalog says of it.
std::vector<diag::Position> written_places(const cue::Value& value) {
  std::vector<diag::Position> places = value.positions();
  const diag::SourceMap& sources = value.context().program().sources();
  auto is_own = [&](diag::Position position) { return is_users_file(sources.locate(position).file); };
  if (std::ranges::any_of(places, is_own)) std::erase_if(places, std::not_fn(is_own));
  return places;
}

}  // namespace

std::vector<model::Platform> read_placed_platforms(const RenderOptions& options, const cue::Value& platforms) {
  std::vector<model::Platform> read = model::read_platforms(platforms);
  for (model::Platform& platform : read) place_kube_config(platforms.field(platform.name), options, platform);
  return read;
}

void share_platforms(cue::Context& context) {
  auto is_virtual = [](std::string_view file) { return file.ends_with(kPlatformsFile); };
  if (context.program().declares(kPackageInstance, kPlatformsField, is_virtual)) return;
  cue::Value platforms = context.instance(kPlatformsInstance).field(kPlatformsField);
  if (platforms.exists()) context.redeclare(kPackageInstance, kPlatformsFile, kPlatformsField, platforms);
}

ReleasePackage::ReleasePackage(const RenderOptions& options, cue::Context& context, std::string platforms_folder)
    : options_(options), context_(context), platforms_folder_(std::move(platforms_folder)) {
  if (!platforms_folder_.empty()) share_platforms(context);
  root_ = context.instance(kPackageInstance);
  platforms_ = read_placed_platforms(options, root_.field(kPlatformsField));
}

std::vector<Problem> ReleasePackage::platform_problems() const {
  std::vector<Problem> problems;
  if (platforms_folder_.empty()) return problems;
  cue::Value package = context_.instance(kPlatformsInstance);
  append_problems(problems, package.validate());
  if (problems.empty() && !package.field(kPlatformsField).exists()) {
    problems.push_back(make_problem(ProblemKind::invalid, "no-platforms",
                                    fmt::format("{} has no field \"{}\"", shown_file(options_, platforms_folder_), kPlatformsField),
                                    "declare platforms: [string]: core.#Platform there"));
  }
  return problems;
}

std::vector<std::string> ReleasePackage::names() const {
  std::vector<std::string> names;
  for (const cue::Value::FieldEntry& entry : root_.shallow_fields()) {
    if (model::is_release(entry.value)) names.push_back(entry.value.label());
  }
  return names;
}

std::expected<model::ReleaseDeclaration, std::vector<Problem>> ReleasePackage::find(const std::string& release) const {
  cue::Value value = root_.field(release);
  if (!value.exists()) {
    std::vector<std::string> known = names();
    base::Suggestion suggestion(release);
    for (const std::string& name : known) suggestion.consider(name);
    std::string advice = known.empty() ? "the package has no releases" : fmt::format("the package has {}", base::joined(known, ", "));
    if (!suggestion.best().empty()) advice = fmt::format("did you mean \"{}\"? {}", suggestion.best(), advice);
    return std::unexpected(one(make_problem(ProblemKind::invalid, "release-not-found",
                                            fmt::format("there is no release \"{}\"", release), std::move(advice))));
  }
  if (!model::is_release(value)) {
    std::vector<Problem> problems;
    append_problems(problems, value.errors());
    if (!problems.empty()) return std::unexpected(std::move(problems));
    Problem problem = make_problem(ProblemKind::invalid, "not-a-release", fmt::format("\"{}\" is no release", release),
                                   "a release is a core.#ModuleRelease of opmodel.dev/core@v0");
    problem.diagnostic.positions = value.positions();
    return std::unexpected(one(std::move(problem)));
  }
  auto place = [&](const cue::Value& platform, model::Platform& read) { place_kube_config(platform, options_, read); };
  return model::read_release_declaration(value, platforms_, place);
}

std::string ReleasePackage::known_platforms() const {
  if (platforms_folder_.empty() && platforms_.empty()) return "no folder .opm here or above defines platforms";
  std::vector<std::string> names;
  for (const model::Platform& platform : platforms_) names.push_back(platform.name);
  return names.empty() ? "there are no platforms" : fmt::format("the platforms are {}", base::joined(names, ", "));
}

Problem ReleasePackage::unknown_platform(const model::Environment& environment, const cue::Value& platform) const {
  std::string name = referred_platform(written_at(platform));
  std::string advice = known_platforms();
  Problem problem = make_problem(ProblemKind::invalid, "unknown-platform",
                                 fmt::format("the platform of environment \"{}\" has no kubeContext", environment.key));
  if (!name.empty() && std::ranges::find(platforms_, name, &model::Platform::name) == platforms_.end()) {
    problem.diagnostic.message = fmt::format("environment \"{}\" is on platform \"{}\", which is not known", environment.key, name);
    base::Suggestion suggestion(name);
    for (const model::Platform& known : platforms_) suggestion.consider(known.name);
    if (!suggestion.best().empty()) advice = fmt::format("did you mean \"{}\"? {}", suggestion.best(), advice);
  }
  problem.diagnostic.advice = std::move(advice);
  problem.diagnostic.positions = written_places(platform);
  return problem;
}

std::vector<Problem> ReleasePackage::problems_of(const model::ReleaseDeclaration& release,
                                                 const model::Environment& environment) const {
  std::vector<Problem> problems;
  std::string path = "environments." + cue::syntax::quote_label(environment.key);
  cue::Value platform = environment.value.field("platform");
  bool has_platform = is_declared(platform);
  bool is_known = has_platform && (environment.has_platform || platform.has_error());
  if (has_platform && !is_known) problems.push_back(unknown_platform(environment, platform));
  for (std::string_view part : {"metadata", "namespace", "platform"}) {
    cue::Value value = environment.value.field(part);
    if (!value.exists() || (part == "platform" && !is_known)) continue;
    cue::Diagnostics errors = value.validate({.concrete = true});
    for (diag::Diagnostic& error : errors) {
      error.path = fmt::format("{}.{}{}{}", path, part, error.path.empty() ? "" : ".", error.path);
      if (part == "platform" && error.advice.empty()) error.advice = known_platforms();
    }
    append_problems(problems, errors);
  }
  std::ranges::move(query_problems(environment.platform), std::back_inserter(problems));
  if (!has_platform) {
    Problem problem = make_problem(
        ProblemKind::invalid, "no-platform",
        fmt::format("environment \"{}\" of release \"{}\" has no platform", environment.key, release.field),
        fmt::format("add platform: platforms[\"NAME\"]; {}", known_platforms()));
    problem.diagnostic.positions = written_places(environment.value);
    problems.push_back(std::move(problem));
  }
  if (environment.namespace_name.empty() && release.namespace_name.empty() && !environment.value.field("namespace").exists() &&
      !release.value.find("metadata.namespace").exists()) {
    Problem problem = make_problem(
        ProblemKind::invalid, "namespace-required",
        fmt::format("neither environment \"{}\" nor release \"{}\" has a namespace", environment.key, release.field),
        "set namespace in the environment, or metadata.namespace in the release");
    problem.diagnostic.positions = written_places(environment.value);
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace opm::render
