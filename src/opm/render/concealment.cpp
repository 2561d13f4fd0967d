#include "opm/render/concealment.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/path.h"
#include "cue/syntax/literal.h"
#include "opm/render/problems.h"

namespace opm::render {

namespace {

constexpr std::string_view kUntold = "does not fit; what is wrong is not told, because it would show a secret";

// What two messages about the same thing have in common.
using ProblemKey = std::tuple<std::string, std::string, std::string, std::string, std::vector<std::pair<std::string, std::uint32_t>>>;

ProblemKey key_of(const diag::SourceMap& sources, const Problem& problem) {
  std::vector<std::pair<std::string, std::uint32_t>> places;
  for (diag::Position position : problem.diagnostic.positions) {
    diag::Location place = sources.locate(position);
    places.emplace_back(place.file, place.offset);
  }
  std::ranges::sort(places);
  return {problem.component, problem.transformer, problem.diagnostic.code, problem.diagnostic.path, std::move(places)};
}

// Of a result or of several.
template <typename Result>
const diag::SourceMap& sources_of(const Result& result) {
  static const diag::SourceMap kNone;
  return result.program ? result.program->sources() : kNone;
}

// Where two trees differ.
class Difference {
 public:
  std::vector<std::vector<std::string>> parts;

  void compare(const data::Value& real, const data::Value* other) {
    if (real.is_map()) {
      for (const data::Member& member : real.as_map())
        below(member.key, member.value, other != nullptr ? other->find(member.key) : nullptr);
    } else if (real.is_list()) {
      bool is_list = other != nullptr && other->is_list();
      for (std::size_t i = 0; i < real.as_list().size(); ++i)
        below(std::to_string(i), real.as_list()[i], is_list && i < other->as_list().size() ? &other->as_list()[i] : nullptr);
    } else if (other == nullptr || !data::equal(real, *other)) {
      parts.push_back(path_);
    }
  }

 private:
  void below(std::string key, const data::Value& real, const data::Value* other) {
    path_.push_back(std::move(key));
    compare(real, other);
    path_.pop_back();
  }

  std::vector<std::string> path_;
};

const data::Value* value_at(const data::Value& object, const std::vector<std::string>& path) {
  const data::Value* at = &object;
  for (const std::string& key : path) {
    if (at->is_list()) at = &at->as_list()[std::stoul(key)];
    else at = at->find(key);
    if (at == nullptr) return nullptr;
  }
  return at;
}

void find_secret_parts(const RenderResult& without, RenderResult& result) {
  // Names of immutable objects hold a hash of the secret and differ; the order among objects of one kind and origin does not.
  auto origin = [](const Resource& resource) { return std::tie(resource.component, resource.transformer, resource.api_version, resource.kind); };
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::vector<const Resource*>> others;
  for (const Resource& other : without.resources) others[origin(other)].push_back(&other);
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> next;
  std::set<std::string_view> names;
  for (const Resource& resource : result.resources) names.insert(resource.name);
  for (Resource& resource : result.resources) {
    const std::vector<const Resource*>& alike = others[origin(resource)];
    std::size_t number = next[origin(resource)]++;
    Difference difference;
    difference.compare(resource.object, number < alike.size() ? &alike[number]->object : nullptr);
    std::erase_if(difference.parts, [&](const std::vector<std::string>& part) {
      if (part.front() == "apiVersion" || part.front() == "kind") return true;
      const data::Value* value = value_at(resource.object, part);
      return value != nullptr && value->is_string() && names.contains(value->as_string());
    });
    resource.secret_parts = std::move(difference.parts);
  }
}

// Whether a component has something in a label that no transformer knows there: it may be made of a secret.
bool tells_unknown_labels(const MatchPlan& plan) {
  auto is_known = [&](const MatchDetail::MissingLabel& label) {
    std::string found = cue::syntax::quote(label.found);
    // One may want one of several: "task" | "job".
    auto wants = [&](const std::pair<std::string, std::string>& wanted) {
      return wanted.first == label.key && wanted.second.find(found) != std::string::npos;
    };
    return label.found.empty() || std::ranges::any_of(plan.transformers, [&](const TransformerRequirements& transformer) {
      return std::ranges::any_of(transformer.labels, wants);
    });
  };
  std::set<const void*> seen;  // components that look alike share their details
  return std::ranges::any_of(plan.components, [&](const ComponentMatch& component) {
    if (component.details == nullptr || !seen.insert(component.details.get()).second) return false;
    return std::ranges::any_of(*component.details, [&](const MatchDetail& detail) {
      return !std::ranges::all_of(detail.missing_labels, is_known);
    });
  });
}

void conceal_plan(const MaskedSources& masked, const MatchPlan& other, MatchPlan& plan) {
  bool is_alike = std::ranges::equal(plan.components, other.components, {}, &ComponentMatch::component, &ComponentMatch::component);
  for (std::size_t i = 0; i < plan.components.size(); ++i) {
    const auto& shown = is_alike ? other.components[i].details : plan.components[i].details;
    if (shown == nullptr) continue;
    auto details = std::make_shared<std::vector<MatchDetail>>(*shown);
    for (MatchDetail& detail : *details) {
      for (MatchDetail::MissingLabel& label : detail.missing_labels)
        label.found = is_alike || label.found.empty() ? masked.shown(std::move(label.found)) : "<redacted>";
    }
    plan.components[i].details = std::move(details);
  }
}

void conceal_dump(const MaskedSources& masked, const RenderResult& without, RenderResult& result) {
  bool is_alike = std::ranges::equal(result.dump, without.dump, {}, &DumpedFile::path, &DumpedFile::path);
  if (!is_alike) {
    result.dump.clear();
    result.errors.push_back(make_problem(ProblemKind::general, "secrets-in-jobs",
                                         "the jobs are not written, because nothing can stand for the secrets in them",
                                         "--show-secrets writes them as they are"));
    return;
  }
  for (std::size_t i = 0; i < result.dump.size(); ++i) result.dump[i].content = masked.shown(without.dump[i].content);
}

// "…" and '…' in a message, and the word that a parser met: found 'IDENT' …
std::string without_quotes(std::string message) {
  constexpr std::string_view kFound = "found '";
  if (std::size_t found = message.find(kFound); found != std::string::npos) {
    std::size_t end = message.find('\'', found + kFound.size());
    if (end != std::string::npos && message.compare(end, 2, "' ") == 0) message.resize(end + 1);
    if (end != std::string::npos) return message;
  }
  std::string out;
  for (std::size_t at = 0; at < message.size();) {
    char c = message[at];
    std::size_t end = c == '"' || c == '\'' || c == '`' ? message.find(c, at + 1) : std::string::npos;
    if (end == std::string::npos) {
      out.push_back(message[at++]);
      continue;
    }
    // A sign says nothing.
    bool is_told = end - at <= 2 || message.substr(at + 1).starts_with("<redacted");
    out += is_told ? message.substr(at, end - at + 1) : std::string("<redacted>");
    at = end + 1;
  }
  return out;
}

void drop_quotes(Problem& problem) {
  diag::Diagnostic& told = problem.diagnostic;
  told.message = without_quotes(std::move(told.message));
  told.notes.clear();
  if (told.code == "reference-not-found") told.advice = "text stands in quotes";
}

}  // namespace

void conceal_problems(const MaskedSources& masked, const diag::SourceMap& other_sources, const std::vector<Problem>& others,
                      const diag::SourceMap& sources, std::vector<Problem>& problems) {
  std::multimap<ProblemKey, const Problem*> known;
  for (const Problem& other : others) known.emplace(key_of(other_sources, other), &other);
  for (Problem& problem : problems) {
    diag::Diagnostic& told = problem.diagnostic;
    auto found = known.find(key_of(sources, problem));
    if (found == known.end()) {
      told.message = kUntold;
      told.notes.clear();
      told.advice.clear();
      problem.text.clear();
      continue;
    }
    const diag::Diagnostic& other = found->second->diagnostic;
    told.message = masked.shown(other.message);
    told.advice = masked.shown(other.advice);
    problem.text = masked.shown(found->second->text);
    if (told.notes.size() != other.notes.size()) told.notes.clear();
    for (std::size_t i = 0; i < told.notes.size(); ++i) told.notes[i].message = masked.shown(other.notes[i].message);
    known.erase(found);
  }
}

bool needs_concealment(const RenderOptions& options, const RenderResult& result) {
  if (options.masked != nullptr) return false;
  return !result.errors.empty() || !result.warnings.empty() || (options.dump_jobs && !options.show_secrets) || options.find_secrets ||
         tells_unknown_labels(result.plan);
}

void conceal_secrets(const RenderOptions& options, const MaskedSources& masked, const RenderResult& without, RenderResult& result) {
  conceal_problems(masked, sources_of(without), without.errors, sources_of(result), result.errors);
  conceal_problems(masked, sources_of(without), without.warnings, sources_of(result), result.warnings);
  if (options.find_secrets) find_secret_parts(without, result);
  conceal_plan(masked, without.plan, result.plan);
  if (options.dump_jobs && !options.show_secrets) conceal_dump(masked, without, result);
}

bool needs_concealment(const RenderOptions& options, const EnvironmentRenders& renders) {
  if (options.masked != nullptr) return false;
  return !renders.errors.empty() || std::ranges::any_of(renders.renders, [&](const EnvironmentRender& render) {
    return needs_concealment(options, render.result);
  });
}

void conceal_secrets(const RenderOptions& options, const MaskedSources& masked, const EnvironmentRenders& without,
                     EnvironmentRenders& renders) {
  static const RenderResult kNone;
  conceal_problems(masked, sources_of(without), without.errors, sources_of(renders), renders.errors);
  for (EnvironmentRender& render : renders.renders) {
    auto other = std::ranges::find(without.renders, render.environment, &EnvironmentRender::environment);
    conceal_secrets(options, masked, other != without.renders.end() ? other->result : kNone, render.result);
  }
}

void conceal_quotes(const RenderOptions& options, const diag::SourceMap& sources, std::vector<Problem>& problems, bool knows_schema) {
  auto holds_values = [&](diag::Position position, bool is_about_value) {
    std::string file(sources.locate(position).file);
    // With the module's own values its schema could not be read, which would have said what is secret.
    if (!knows_schema && base::base_name(file) == "values.cue") return true;
    if (is_about_value) return false;
    if (file == kStandardInput) return true;
    std::string path = base::is_absolute_path(file) ? file : base::join_path(options.working_directory, file);
    for (const std::vector<std::string>* files : {&options.values_files, &options.platform_files, &options.user_files}) {
      if (std::ranges::find(*files, path) != files->end()) return true;
    }
    return false;
  };
  for (Problem& problem : problems) {
    const diag::Diagnostic& told = problem.diagnostic;
    if (std::ranges::any_of(told.positions, [&](diag::Position place) { return holds_values(place, !told.path.empty()); }))
      drop_quotes(problem);
  }
}

namespace {

// What an import asks for is no secret, and whoever lacks it has to know.
bool names_a_package(std::string_view message) {
  constexpr std::string_view kImport = "import failed: ";
  while (message.starts_with(kImport)) message.remove_prefix(kImport.size());
  return message.starts_with("cannot find package ");
}

}  // namespace

void conceal_quotes(const diag::SourceMap& sources, std::vector<Problem>& problems) {
  // platforms.one, list.Sort(…), items[0]
  auto stands_alone = [&](diag::Position position) {
    std::string_view line = sources.line_text(position);
    line.remove_prefix(std::min<std::size_t>(line.size(), sources.locate(position).column - 1));
    std::size_t end = line.find_first_of(" \t,;:{}()[]\".\\");
    return end == std::string_view::npos || (line[end] != '.' && line[end] != '(' && line[end] != '[');
  };
  for (Problem& problem : problems) {
    const diag::Diagnostic& told = problem.diagnostic;
    if (names_a_package(told.message)) continue;
    bool is_value = told.path.find("values.") != std::string::npos;
    if (is_value || std::ranges::any_of(told.positions, stands_alone)) drop_quotes(problem);
  }
}

}  // namespace opm::render
