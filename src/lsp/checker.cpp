#include "lsp/checker.h"

#include <algorithm>

#include "base/path.h"
#include "cue/module/module_file.h"
#include "cue/syntax/parser.h"
#include "diag/printer.h"
#include "opm/render/module_files.h"
#include "opm/render/problems.h"
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
    else
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
    } else {
      if (value.valid()) append_evaluation_errors(context, value, errors);
      report(*program, std::move(errors));
    }
    check_left_out(*program);
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
    render::RenderOptions options;
    options.working_directory = options.module_directory = package_.folder;
    const config::Configuration& configuration = *workspace_.services().configuration;
    options.configuration = &configuration;
    options.resolver = workspace_.services().resolver;
    options.files = &files_;
    const config::Setting<std::string>& where = configuration.namespace_name;
    bool is_chosen =
        where.origin.kind == config::OriginKind::flag || where.origin.kind == config::OriginKind::environment;
    if (is_chosen)
      options.namespace_name = where.value;
    else
      options.fallback_namespace = where.value;
    options.check_module = true;
    render::RenderResult result = render::render(options);
    static const diag::SourceMap kNone;
    for (const std::vector<render::Problem>* problems : {&result.errors, &result.warnings}) {
      for (const render::Problem& problem : *problems) {
        diag::Diagnostic shown = render::with_subject(problem, "");
        shown.severity = problems == &result.errors ? diag::Severity::error : diag::Severity::warning;
        if (!problem.text.empty()) {
          shown.path.clear();
          shown.message = trimmed(problem.text);
          shown.advice.clear();
        }
        report(result.program.get(), std::move(shown));
      }
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

  void report(const cue::Program& program, cue::Diagnostics errors) {
    diag::sort_and_unite(program.sources(), errors);
    for (diag::Diagnostic& error : errors) report(&program, std::move(error));
  }

  void report(const cue::Program* program, diag::Diagnostic error) {
    Finding finding{error.severity, {}, error.code, message_of(error), {}};
    std::optional<Place> shown;
    if (program != nullptr) {
      SourcePlaces& places = places_of(*program);
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

  SourcePlaces& places_of(const cue::Program& program) {
    if (!places_ || places_program_ != &program) {
      places_.emplace(program, package_.folder, catalog_, encoding_);
      places_program_ = &program;
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
  const cue::Program* places_program_ = nullptr;
};

}  // namespace

Findings check(const Workspace& workspace, const PackageKey& package, CatalogCopy& catalog, Encoding encoding) {
  return Checker(workspace, package, catalog, encoding).take();
}

}  // namespace opm::lsp
