#include "opm/render/problems.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>

#include "opm/model/provider.h"
#include "opm/render/release_files.h"
#include "opm/render/release_overlay.h"

namespace opm::render {

Problem make_problem(ProblemKind kind, std::string code, std::string message, std::string advice) {
  Problem problem;
  problem.kind = kind;
  problem.diagnostic.code = std::move(code);
  problem.diagnostic.message = std::move(message);
  problem.diagnostic.advice = std::move(advice);
  return problem;
}

namespace {

ProblemKind kind_of(std::string_view code, ProblemKind otherwise) {
  if (code == "registry-unreachable") return ProblemKind::unreachable;
  if (code == "module-not-found") return ProblemKind::not_found;
  return code == "registry-denied" || code == "file-denied" ? ProblemKind::denied : otherwise;
}

}  // namespace

void append_problems(std::vector<Problem>& problems, const cue::Diagnostics& diagnostics, ProblemKind kind) {
  for (const diag::Diagnostic& diagnostic : diagnostics) {
    Problem problem;
    problem.kind = kind_of(diagnostic.code, kind);
    problem.diagnostic = diagnostic;
    if (problem.kind == ProblemKind::unreachable && diagnostic.advice.empty())
      problem.diagnostic.advice = "check the connection, or name another registry with --registry or $OPM_REGISTRY";
    if (diagnostic.advice.empty() && diagnostic.message.ends_with("no registry is set to get it from"))
      problem.diagnostic.advice = "name one with --registry or $OPM_REGISTRY";
    problems.push_back(std::move(problem));
  }
}

namespace {

// What puts modules and releases together has no say in what a value may be: its lines are told where there are no others.
bool is_frame(std::string_view file) {
  constexpr std::string_view kCore = "opmodel.dev/core@";
  if (!file.starts_with(kCore)) return false;
  return file.ends_with("/module.cue") || file.ends_with("/module_release.cue") || file.ends_with("/component.cue");
}

}  // namespace

bool is_users_file(std::string_view file) { return file.starts_with('.') || file.starts_with('/'); }

void order_positions(const diag::SourceMap& sources, diag::Diagnostic& diagnostic) {
  auto file_of = [&](diag::Position position) { return sources.locate(position).file; };
  auto order = [&](std::vector<diag::Position>& positions) {
    std::erase_if(positions, [&](diag::Position position) {
      std::string_view file = file_of(position);
      return file.ends_with(kReleaseFile) || file.ends_with(kPlatformsFile);
    });
    auto is_telling = [&](diag::Position position) { return !is_frame(file_of(position)); };
    if (std::ranges::any_of(positions, is_telling)) std::erase_if(positions, std::not_fn(is_telling));
    std::ranges::stable_partition(positions, [&](diag::Position position) { return is_users_file(file_of(position)); });
  };
  order(diagnostic.positions);
  for (diag::Note& note : diagnostic.notes) order(note.positions);
}

void drop_alternatives(std::vector<Problem>& problems) {
  std::set<std::string> heads;
  for (const Problem& problem : problems) {
    if (problem.diagnostic.code == "empty-disjunction") heads.insert(problem.diagnostic.path);
  }
  auto is_below = [](const std::string& path, const std::string& head) {
    return path.starts_with(head) && (path.size() == head.size() || path[head.size()] == '.');
  };
  std::erase_if(problems, [&](const Problem& problem) {
    return problem.diagnostic.code != "empty-disjunction" &&
           std::ranges::any_of(heads, [&](const std::string& head) { return is_below(problem.diagnostic.path, head); });
  });
}

diag::Diagnostic with_subject(const Problem& problem, const std::string& whole) {
  diag::Diagnostic shown = problem.diagnostic;
  // What says so itself is not introduced once more.
  std::string subject = shown.path.empty() && shown.message.starts_with(whole) ? std::string() : whole;
  if (!subject.empty() && !problem.component.empty()) subject += ", ";
  if (!problem.component.empty()) subject += fmt::format("component \"{}\"", problem.component);
  if (!problem.transformer.empty()) subject += fmt::format(", {}", model::short_name(problem.transformer));
  if (subject.empty()) return shown;
  if (!shown.path.empty()) subject += ": " + shown.path;
  shown.path.clear();
  shown.message = subject + ": " + shown.message;
  return shown;
}

void sort_and_unite(const diag::SourceMap& sources, std::vector<Problem>& problems) {
  // A file that is read more than once has other positions each time.
  using Place = std::pair<std::string_view, std::uint32_t>;
  std::set<std::tuple<std::string, std::string, std::string, std::string, std::vector<Place>>> known;
  std::vector<Problem> kept;
  for (Problem& problem : problems) {
    order_positions(sources, problem.diagnostic);
    std::vector<Place> places;
    for (diag::Position position : problem.diagnostic.positions) {
      diag::Location place = sources.locate(position);
      places.emplace_back(place.file, place.offset);
    }
    std::ranges::sort(places);
    // The same complaint of several transformers about one place is one complaint.
    std::string path = places.empty() ? problem.diagnostic.path : std::string();
    std::string whom = places.empty() ? problem.transformer : std::string();
    if (known.emplace(problem.component, std::move(whom), std::move(path), problem.diagnostic.message, std::move(places)).second)
      kept.push_back(std::move(problem));
  }
  auto key = [&](const Problem& problem) {
    diag::Location place;
    if (!problem.diagnostic.positions.empty()) place = sources.locate(problem.diagnostic.positions.front());
    return std::tuple(place.file, place.line, place.column, std::string_view(problem.component),
                      std::string_view(problem.diagnostic.path));
  };
  std::ranges::stable_sort(kept, [&](const Problem& a, const Problem& b) { return key(a) < key(b); });
  problems = std::move(kept);
}

}  // namespace opm::render
