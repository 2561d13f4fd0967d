#include "lsp/checker.h"

#include <algorithm>
#include <functional>

#include "base/path.h"
#include "cue/module/module_file.h"
#include "cue/syntax/parser.h"
#include "diag/printer.h"
#include "lsp/release_source.h"
#include "opm/render/environments.h"
#include "opm/render/module_files.h"
#include "opm/render/platform_snapshot.h"
#include "opm/render/problems.h"
#include "opm/render/release_package.h"
#include "opm/render/render.h"

namespace opm::lsp {

namespace {

// As you type, nobody waits for something that takes longer.
constexpr cue::Budget kBudget{.steps = 20'000'000, .depth = 20'000, .bytes = std::uint64_t{1} << 30};

std::string_view trimmed(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

class Checker {
 public:
  Checker(const Workspace& workspace, const PackageKey& package, CatalogCopy& catalog, Encoding encoding)
      : workspace_(workspace), files_(workspace.files()), package_(package), catalog_(catalog), encoding_(encoding) {}

  Findings take() {
    if (base::base_name(package_.folder) == cue::module::kModuleFolder)
      check_module_file();
    else if (!check_as_platforms())
      check_package();
    return std::move(findings_);
  }

 private:
  void check_module_file() {
    for (const auto& [path, document] : workspace_.documents()) {
      if (base::parent_path(path) == package_.folder) check_syntax(document);
    }
  }

  void check_package() {
    std::vector<cue::LoadRequest> requests;
    requests.push_back(workspace_.request(package_, files_));
    std::shared_ptr<const cue::Program> program = cue::Program::load(std::move(requests));
    cue::Diagnostics errors = program->errors();
    for (const cue::Instance& instance : program->instances())
      errors.insert(errors.end(), instance.errors.begin(), instance.errors.end());
    cue::Context context(program, kBudget);
    cue::Value value;
    if (program->instances().size() == 1 && program->instances()[0].errors.empty()) value = context.instance(0);
    if (is_module(value)) {
      check_as_module();
    } else if (!may_be_releases(*program, value, errors) || !check_as_releases()) {
      if (value.valid()) append_evaluation_errors(context, value, errors);
      report(program, std::move(errors));
    }
    check_left_out(*program);
  }

  bool may_be_releases(const cue::Program& program, const cue::Value& value, const cue::Diagnostics& errors) const {
    if (workspace_.services().configuration == nullptr || !may_hold_releases(package_)) return false;
    if (!value.valid()) return misses_platforms(program, errors);
    return std::ranges::any_of(value.shallow_fields(),
                               [](const auto& field) { return model::is_release(field.value); });
  }

  // A package that cannot be loaded does not say what it is, but only modules have their values in a file of that name.
  bool is_module(const cue::Value& value) const {
    if (workspace_.services().configuration == nullptr || package_.name.empty() || package_.tests || package_.tools)
      return false;
    if (!value.valid()) return files_.status(base::join_path(package_.folder, render::kValuesFile)).has_value();
    return value.field("kind").string() == "Module" &&
           value.field("apiVersion").string().value_or("").starts_with("opmodel.dev/core/");
  }

  static void append_evaluation_errors(cue::Context& context, const cue::Value& value, cue::Diagnostics& errors) {
    context.report_all_errors();
    cue::Diagnostics found = value.validate({.concrete = true});
    // That something is left open is the nature of a package of definitions.
    if (!found.empty()) found = value.validate({.concrete = false});
    errors.insert(errors.end(), found.begin(), found.end());
  }

  void check_as_module() {
    render::RenderOptions options = workspace_.render_options(package_, files_);
    const config::Setting<std::string>& where = options.configuration->namespace_name;
    bool is_chosen =
        where.origin.kind == config::OriginKind::flag || where.origin.kind == config::OriginKind::environment;
    if (is_chosen)
      options.namespace_name = where.value;
    else
      options.fallback_namespace = where.value;
    options.check_module = true;
    render::RenderResult result = render::render(options);
    report(result.program, result.errors, diag::Severity::error);
    report(result.program, result.warnings, diag::Severity::warning);
  }

  // Whether it has releases after all, or cannot be read, so that nobody knows.
  bool check_as_releases() {
    render::RenderOptions options = workspace_.render_options(package_, files_);
    render::ReleaseList list = render::list_releases(options);
    if (list.releases.empty() && list.errors.empty()) return false;
    report(list.program, list.errors, diag::Severity::error);
    if (!list.errors.empty()) return true;
    for (const model::ReleaseDeclaration& release : list.releases) check_release(options, release);
    check_other_fields(list);
    return true;
  }

  void check_release(const render::RenderOptions& options, const model::ReleaseDeclaration& release) {
    render::EnvironmentRenders rendered = render::render_environments(options, release.field, {.all = release.has_environments});
    report(rendered.program, rendered.errors, diag::Severity::error);
    // What is wrong everywhere is said once, and the rest with where it is.
    std::map<std::string, std::size_t> told;
    for (const render::EnvironmentRender& one : rendered.renders) {
      for (const render::Problem& problem : one.result.errors) ++told[message_of(shown(problem, ""))];
      for (const render::Problem& problem : one.result.warnings) ++told[message_of(shown(problem, ""))];
    }
    for (const render::EnvironmentRender& one : rendered.renders) {
      auto subject = [&](const render::Problem& problem) {
        bool is_everywhere = told[message_of(shown(problem, ""))] >= rendered.renders.size();
        return is_everywhere ? std::string() : "environment \"" + one.environment + "\"";
      };
      report(one.result.program, one.result.errors, diag::Severity::error, subject);
      report(one.result.program, one.result.warnings, diag::Severity::warning, subject);
    }
  }

  // What stands beside releases is plain CUE.
  void check_other_fields(const render::ReleaseList& list) {
    cue::Context context(list.program, kBudget);
    if (!list.platforms_folder.empty()) render::share_platforms(context);
    cue::Diagnostics errors;
    for (const cue::Value::FieldEntry& field : context.instance(render::kPackageInstance).shallow_fields()) {
      if (model::is_release(field.value)) continue;
      for (diag::Diagnostic& error : field.value.validate({.concrete = false})) {
        error.path = field.name + (error.path.empty() ? "" : "." + error.path);
        errors.push_back(std::move(error));
      }
    }
    report(list.program, std::move(errors));
  }

  // Whether it is a folder of platforms.
  bool check_as_platforms() {
    if (workspace_.services().configuration == nullptr || package_.name.empty() ||
        base::base_name(package_.folder) != render::kPlatformsFolder)
      return false;
    render::RenderOptions options = workspace_.render_options(package_, files_);
    options.module_directory = user_of_platforms();
    auto files = render::platform_files(options);
    if (!files || files->folder != package_.folder) return false;
    render::ReleaseList list = render::list_platforms(options);
    report(list.program, list.errors, diag::Severity::error);
    for (const model::Platform& platform : list.platforms)
      report(list.program, render::query_mistakes(platform), diag::Severity::error);
    return true;
  }

  // A folder with releases that is open, whose module says what platforms may import when they are in none themselves.
  std::string user_of_platforms() const {
    std::string above = base::parent_path(package_.folder);
    for (const auto& [path, document] : workspace_.documents()) {
      std::string folder = base::parent_path(path);
      if (folder != package_.folder && base::is_within(folder, above)) return folder;
    }
    return above;
  }

  static diag::Diagnostic shown(const render::Problem& problem, const std::string& subject) {
    diag::Diagnostic shown = render::with_subject(problem, subject);
    if (!problem.text.empty()) {
      shown.path.clear();
      shown.message = trimmed(problem.text);
      shown.advice.clear();
    }
    return shown;
  }

  using SubjectOf = std::function<std::string(const render::Problem& problem)>;
  void report(const std::shared_ptr<const cue::Program>& program, const std::vector<render::Problem>& problems,
              diag::Severity severity, const SubjectOf& subject = {}) {
    for (const render::Problem& problem : problems) {
      diag::Diagnostic told = shown(problem, subject ? subject(problem) : std::string());
      told.severity = severity;
      report(program, std::move(told));
    }
  }

  // Files that no package has, because of a build attribute for example, can still be written wrongly.
  void check_left_out(const cue::Program& program) {
    std::size_t count = program.instances().size();
    for (const auto& [path, document] : workspace_.documents()) {
      if (workspace_.package_of(document) != package_ || findings_.contains(path)) continue;
      const auto& packages = program.loaded(0).packages;
      bool is_loaded =
          count > 0 && std::ranges::any_of(packages, [&](const cue::load::Package& package) {
            return std::ranges::find(package.files, path, &cue::load::PackageFile::path) != package.files.end();
          });
      if (!is_loaded) check_syntax(document);
    }
  }

  void check_syntax(const Document& document) {
    base::Arena arena;
    diag::SourceMap sources;
    const diag::Source* source = sources.add(document.path, document.text);
    if (source == nullptr) return;
    LineIndex lines(source->text);
    for (const diag::Diagnostic& error : cue::syntax::parse_file(arena, *source).errors) {
      Finding finding{error.severity, {}, error.code, message_of(error), {}};
      if (!error.positions.empty()) {
        std::size_t offset = error.positions.front().value - source->begin.value;
        finding.range = {lines.position(source->text, offset, encoding_),
                         lines.position(source->text, word_end(source->text, offset), encoding_)};
      }
      findings_[document.path].push_back(std::move(finding));
    }
  }

  void report(const std::shared_ptr<const cue::Program>& program, cue::Diagnostics errors) {
    diag::sort_and_unite(program->sources(), errors);
    for (diag::Diagnostic& error : errors) report(program, std::move(error));
  }

  void report(const std::shared_ptr<const cue::Program>& program, diag::Diagnostic error) {
    Finding finding{error.severity, {}, error.code, message_of(error), {}};
    std::optional<Place> shown;
    if (program) {
      SourcePlaces& places = places_of(program);
      auto add = [&](const std::vector<diag::Position>& positions, const std::string& message) {
        for (diag::Position position : positions) {
          auto place = places.find(position);
          if (place && (!place->is_own || files_.status(place->path)))
            finding.related.push_back({std::move(*place), message});
        }
      };
      add(error.positions, "declared here");
      for (const diag::Note& note : error.notes) add(note.positions, note.message);
      // It is told where the package itself says it, or else in another one of the user's.
      auto best = std::ranges::find_if(finding.related, [&](const Finding::Related& other) {
        return other.place.is_own && base::parent_path(other.place.path) == package_.folder;
      });
      if (best == finding.related.end())
        best = std::ranges::find_if(finding.related, [](const Finding::Related& other) { return other.place.is_own; });
      if (best != finding.related.end()) {
        shown = std::move(best->place);
        finding.related.erase(best);
      }
    }
    // What stands in no file of the user is told at the top of one that they see.
    if (!shown) shown = Place{first_document(), {}, true};
    finding.range = shown->range;
    std::vector<Finding>& list = findings_[shown->path];
    if (std::ranges::find(list, finding) == list.end()) list.push_back(std::move(finding));
  }

  static std::string message_of(const diag::Diagnostic& error) {
    std::string text = error.path.empty() ? error.message : error.path + ": " + error.message;
    for (const diag::Note& note : error.notes) {
      if (note.positions.empty()) text += "\n" + note.message;
    }
    if (!error.advice.empty()) text += "\nhelp: " + error.advice;
    return text;
  }

  SourcePlaces& places_of(const std::shared_ptr<const cue::Program>& program) {
    if (!places_ || places_program_ != program) {
      places_.emplace(*program, package_.folder, catalog_, encoding_);
      places_program_ = program;
    }
    return *places_;
  }

  std::string first_document() const {
    for (const auto& [path, document] : workspace_.documents()) {
      if (workspace_.package_of(document) == package_) return path;
    }
    return package_.file.empty() ? package_.folder : package_.file;
  }

  const Workspace& workspace_;
  const base::FileSystem& files_;
  const PackageKey& package_;
  CatalogCopy& catalog_;
  Encoding encoding_;
  Findings findings_;
  std::optional<SourcePlaces> places_;
  std::shared_ptr<const cue::Program> places_program_;
};

}  // namespace

Findings check(const Workspace& workspace, const PackageKey& package, CatalogCopy& catalog, Encoding encoding) {
  return Checker(workspace, package, catalog, encoding).take();
}

}  // namespace opm::lsp
