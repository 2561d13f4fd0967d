#include "opm/render/origin_tracer.h"

#include <algorithm>
#include <set>
#include <string>

#include "base/path.h"
#include "opm/render/module_files.h"
#include "opm/render/release_overlay.h"
#include "opm/render/secret_sources.h"
#include "opm/values/text.h"

namespace opm::render {

namespace {

using cue::SourceDeclaration;
using cue::SourceRole;

constexpr int kDeepest = 40;
constexpr std::size_t kMostSteps = 40;

std::string_view trimmed(std::string_view text) {
  std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

class Tracer {
 public:
  explicit Tracer(const TracedJob& job)
      : job_(job), sources_(job.context.program().sources()), release_path_(job.release.value.path()) {}

  std::vector<OriginStep> trace(std::span<const cue::Value> path) {
    decided_ = cue::written_at(path.back());
    follow(path.back(), 0);
    // A struct that is taken over as a whole has its line further up.
    for (std::size_t i = path.size() - 1; i > 0 && !has(OriginRole::transformer); --i) add_carrier(path[i - 1], OriginRole::transformer);
    std::ranges::stable_sort(steps_, {}, &OriginStep::role);
    return std::move(steps_);
  }

 private:
  void follow(const cue::Value& value, int depth) {
    if (depth > kDeepest || steps_.size() >= kMostSteps || !known_.insert(value.node()).second) return;
    for (const SourceDeclaration& declaration : cue::source_declarations(value)) {
      if (job_.origins.find(declaration.identity).valid()) {
        follow_input(declaration.identity, depth);
        continue;
      }
      add(value, declaration);
      for (const cue::Value& reference : declaration.references) {
        // What a bound is computed from says nothing of the value; a type does.
        if (declaration.role == SourceRole::restricts && reference.concrete()) continue;
        follow(reference, depth + 1);
      }
    }
  }

  void follow_input(const void* declared, int depth) {
    follow(job_.origins.find(declared), depth + 1);
    for (declared = job_.origins.parent(declared); declared != nullptr && !has(OriginRole::component);
         declared = job_.origins.parent(declared)) {
      add_carrier(job_.origins.find(declared), OriginRole::component);
    }
  }

  // The line that takes over the struct which the value is in.
  void add_carrier(const cue::Value& value, OriginRole wanted) {
    for (const SourceDeclaration& declaration : cue::source_declarations(value)) {
      bool carries = declaration.role == SourceRole::refers || declaration.role == SourceRole::computes;
      if (carries && !job_.origins.find(declaration.identity).valid() && role_of(value, declaration) == wanted)
        return add(value, declaration);
    }
  }

  bool has(OriginRole role) const { return std::ranges::find(steps_, role, &OriginStep::role) != steps_.end(); }

  std::string file_of(diag::Position position) const { return std::string(sources_.locate(position).file); }
  static bool is_release_file(std::string_view file) { return file.ends_with(kReleaseFile); }

  void add(const cue::Value& value, const SourceDeclaration& declaration) {
    if (!declaration.position.valid() || !shown_.insert(declaration.position).second) return;
    bool decides = decided_.valid() && declaration.value_begin <= decided_ &&
                   (decided_ < declaration.value_end || decided_ == declaration.value_begin);
    diag::Location place = sources_.locate(declaration.position);
    OriginStep step;
    step.role = role_of(value, declaration);
    step.decides = decides;
    if (is_release_file(place.file)) {
      // Made for this run: what it says was said on the command line, or is said elsewhere.
      if (declaration.role != SourceRole::writes || !decides) return;
      step.role = OriginRole::release;
      step.path = shown_path(value);
    } else {
      step.path = &value.context() == &job_.context ? std::string() : shown_path(value);
      step.file = place.file;
      step.line = place.line;
      step.column = place.column;
      if (step.role == OriginRole::values) step.tier = tier_of(value, declaration.position);
      if (!is_secret_file(place.file)) {
        std::string_view line = sources_.line_text(declaration.position), text = trimmed(line);
        step.text = text;
        std::size_t before = static_cast<std::size_t>(text.data() - line.data()) + 1;
        step.text_offset = place.column > before ? std::min<std::size_t>(place.column - before, text.size()) : 0;
      }
    }
    steps_.push_back(std::move(step));
  }

  std::string shown_path(const cue::Value& value) const {
    std::string path = value.path();
    // The release, and the module within it, before and after it was given its values.
    for (std::string_view internal : {std::string_view(release_path_), std::string_view("#module"), std::string_view("_#module")}) {
      if (internal.empty()) continue;
      if (path.starts_with(internal) && path.substr(internal.size()).starts_with('.')) path.erase(0, internal.size() + 1);
    }
    return path;
  }

  OriginRole role_of(const cue::Value& value, const SourceDeclaration& declaration) const {
    if (&value.context() == &job_.context)
      return declaration.role == SourceRole::restricts ? OriginRole::schema : OriginRole::transformer;
    if (!tier_of(value, declaration.position).empty()) return OriginRole::values;
    if (declaration.role == SourceRole::restricts) return OriginRole::schema;
    std::string path = shown_path(value);
    if (path.starts_with("values.")) return OriginRole::values;
    if (path.starts_with("metadata.") && !job_.release.declared.empty()) return OriginRole::release;
    if (path.starts_with("components.") || path.starts_with("#components.")) return OriginRole::component;
    return OriginRole::module;
  }

  // Whose value it is; empty: it is none of the values that were given.
  std::string tier_of(const cue::Value& value, diag::Position position) const {
    std::string tier = tier_of_file(file_of(position));
    return tier.empty() ? declared_by(value, position) : tier;
  }

  // Releases of packages have their values beside everything else: the field there that was written at this place.
  std::string declared_by(const cue::Value& value, diag::Position position) const {
    std::string path = shown_path(value);
    std::size_t begin = path.find('.');
    if (job_.release.declared.empty() || begin == std::string::npos) return {};
    if (path.substr(0, begin) != "values" && path.substr(0, begin) != "#config") return declared_around(position);
    auto below = cue::Path::parse(std::string_view(path).substr(begin + 1));
    if (!below) return {};
    for (const NamedValues& values : job_.release.declared) {
      cue::Value given = values.value.exists() ? values.value.find(*below) : cue::Value();
      for (const SourceDeclaration& declaration : cue::source_declarations(given)) {
        // What was read as data knows where its value begins, not its name.
        if (declaration.position == position || declaration.value_begin == position) return values.name;
      }
    }
    return {};
  }

  // The same of what was put elsewhere as it is, such as a secret.
  std::string declared_around(diag::Position position) const {
    for (const NamedValues& values : job_.release.declared) {
      for (const SourceDeclaration& declaration : cue::source_declarations(values.value)) {
        if (declaration.value_begin <= position && position < declaration.value_end) return values.name;
      }
    }
    return {};
  }

  // Whose values the file holds; empty: it is no file of values.
  std::string tier_of_file(const std::string& file) const {
    const RenderOptions& options = job_.options;
    auto is_one_of = [&](const std::vector<std::string>& files) {
      return std::ranges::any_of(files, [&](const std::string& path) { return file == path || file == shown_file(options, path); });
    };
    if (is_one_of(options.user_files)) return values::tier_label(values::Tier::user);
    if (is_one_of(options.platform_files)) return values::tier_label(values::Tier::platform);
    if (is_one_of(options.values_files) || file == kStandardInput) return "given with --values";
    if (is_one_of({base::join_path(options.module_directory, kValuesFile)})) return values::tier_label(values::Tier::author);
    return {};
  }

  // Lines of a file of data are shown as they are, unlike those of CUE, in which something stands for secrets.
  bool is_secret_file(std::string_view file) const {
    if (job_.options.masked == nullptr) return false;
    return std::ranges::any_of(job_.options.masked->data, [&](const auto& entry) { return entry.first.first == file; });
  }

  const TracedJob& job_;
  const diag::SourceMap& sources_;
  const std::string release_path_;
  diag::Position decided_;
  std::set<const void*> known_;
  std::set<diag::Position> shown_;
  std::vector<OriginStep> steps_;
};

}  // namespace

std::vector<OriginStep> trace_origins(const TracedJob& job, std::span<const cue::Value> path) { return Tracer(job).trace(path); }

std::string_view role_name(OriginRole role) {
  switch (role) {
    case OriginRole::transformer: return "transformer";
    case OriginRole::component: return "component";
    case OriginRole::module: return "module";
    case OriginRole::release: return "release";
    case OriginRole::values: return "values";
    case OriginRole::schema: return "schema";
  }
  return {};
}

const OriginStep* FieldOrigin::origin() const {
  for (const OriginStep& step : steps) {
    if (step.decides) return &step;
  }
  const OriginStep* last = nullptr;
  for (const OriginStep& step : steps) {
    if (step.role != OriginRole::schema) last = &step;
  }
  return last;
}

}  // namespace opm::render
