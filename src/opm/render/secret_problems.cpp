#include "opm/render/secret_problems.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "opm/model/redaction.h"
#include "opm/render/problems.h"

namespace opm::render {

namespace {

constexpr std::array<std::string_view, 3> kReferenceFields = {"source", "path", "remoteKey"};
constexpr std::string_view kHowTo = "give it a value, or say where it is found with source, path and remoteKey";

bool is_at_or_below(std::string_view path, std::string_view top) {
  return path.starts_with(top) && (path.size() == top.size() || path[top.size()] == '.' || path[top.size()] == '[');
}

// What the release computes from values: whatever is wrong there is wrong with a value as well.
bool is_internal(std::string_view path) { return path.starts_with("_") || path.starts_with("#in") || path.starts_with("out."); }

std::vector<diag::Position> positions_of(const FoundSecret& secret, std::span<const std::string_view> fields) {
  std::vector<diag::Position> positions;
  for (std::string_view name : fields) {
    cue::Value field = secret.given.field(name);
    if (!field.valid()) continue;
    for (diag::Position position : field.positions()) positions.push_back(position);
  }
  return positions;
}

Problem secret_problem(const FoundSecret& secret, std::string message, std::vector<diag::Position> positions,
                       std::string_view advice = {}) {
  Problem problem = make_problem(ProblemKind::invalid, "secret", std::move(message), std::string(advice));
  problem.diagnostic.path = secret.path;
  problem.diagnostic.positions = std::move(positions);
  return problem;
}

std::string kind_name(cue::KindSet kind) {
  if (kind & cue::kinds::structure) return "a struct";
  if (kind & cue::kinds::list) return "a list";
  if (kind & cue::kinds::number) return "a number";
  if (kind & cue::kinds::boolean) return "true or false";
  if (kind & cue::kinds::bytes) return "bytes";
  return "null";
}

// How the secret is fulfilled, if that is not one of the ways.
std::optional<Problem> wrong_fulfilment(const FoundSecret& secret) {
  const cue::Value& given = secret.given;
  if (!given.valid()) {
    if (secret.is_partial) return std::nullopt;
    return secret_problem(secret, "the secret has no value", secret.wanted.valid() ? secret.wanted.positions() : std::vector<diag::Position>(),
                          kHowTo);
  }
  cue::KindSet kind = given.kind();
  bool is_struct = (kind & cue::kinds::structure) != 0 || !given.fields().empty();
  if (!is_struct && kind == cue::kinds::bottom) return std::nullopt;
  if (!is_struct) return secret_problem(secret, "a secret is more than its text", given.positions(), "write {value: …}");
  std::vector<std::string_view> references;
  for (std::string_view name : kReferenceFields) {
    if (given.field(name).valid()) references.push_back(name);
  }
  cue::Value value = given.field("value");
  if (value.valid() && !references.empty()) {
    std::vector<std::string_view> both = references;
    both.insert(both.begin(), "value");
    return secret_problem(secret, fmt::format("the secret is given twice: as a value, and by {}", references.front()),
                          positions_of(secret, both), "keep one of the two");
  }
  if (value.valid()) {
    cue::KindSet text = value.kind();
    if (text == cue::kinds::bottom || (text & cue::kinds::string)) return std::nullopt;
    return secret_problem(secret, fmt::format("the value of a secret is text, not {}", kind_name(text)), value.positions(),
                          text & cue::kinds::number ? "put it in quotes" : "");
  }
  if (references.empty()) {
    // A misspelt field is what CUE tells of.
    for (const cue::Value::FieldEntry& field : given.fields()) {
      if (!model::is_secret_routing(field.value.label())) return std::nullopt;
    }
    if (secret.is_partial) return std::nullopt;
    std::vector<diag::Position> positions = given.positions();
    return secret_problem(secret, "the secret has no value", std::move(positions), kHowTo);
  }
  if (cue::Value source = given.field("source"); source.valid()) {
    auto word = source.string();
    if (word && word != "k8s" && word != "esc")
      return secret_problem(secret, fmt::format("the source of a secret is \"k8s\" or \"esc\", not \"{}\"", *word), source.positions());
  }
  std::string missing;
  for (std::string_view name : kReferenceFields) {
    if (std::ranges::find(references, name) == references.end() && name != "source") missing += fmt::format("{}{}", missing.empty() ? "" : " and ", name);
  }
  if (missing.empty() || secret.is_partial) return std::nullopt;
  return secret_problem(secret, fmt::format("where the secret is found lacks {}", missing), positions_of(secret, references));
}

std::set<diag::Position> all_positions(const Problem& problem) {
  std::set<diag::Position> positions(problem.diagnostic.positions.begin(), problem.diagnostic.positions.end());
  for (const diag::Note& note : problem.diagnostic.notes) positions.insert(note.positions.begin(), note.positions.end());
  return positions;
}

// What is made of a secret that is wrong: none of its alternatives fits, and nobody knows which of them it is.
bool is_consequence(const Problem& problem) {
  const diag::Diagnostic& error = problem.diagnostic;
  auto tells = [](std::string_view message) {
    return message.find("$secretName") != std::string_view::npos || message.find("empty disjunction") != std::string_view::npos;
  };
  bool lacks_part = std::ranges::any_of(kReferenceFields, [&](std::string_view field) { return error.path.ends_with("." + std::string(field)); });
  return tells(error.message) || lacks_part || std::ranges::any_of(error.notes, tells, &diag::Note::message);
}

class Explanation {
 public:
  explicit Explanation(std::vector<Problem>& problems) : problems_(problems) {}

  void explain(const FoundSecret& secret) {
    auto is_about = [&](const Problem& problem) { return is_at_or_below(problem.diagnostic.path, secret.path); };
    bool is_wrong = std::ranges::any_of(problems_, is_about) || (!secret.given.valid() && !secret.is_partial);
    if (!is_wrong) return;
    if (auto problem = wrong_fulfilment(secret)) {
      take(is_about);
      take_parts(secret);
      made_.push_back(std::move(*problem));
      return;
    }
    if (auto problem = wrong_name(secret)) {
      take(is_about);
      made_.push_back(std::move(*problem));
      return;
    }
    // Of what CUE says, the one thing that is not about the other alternatives.
    auto is_told = [&](const Problem& problem) {
      return is_about(problem) && problem.diagnostic.path != secret.path && problem.diagnostic.code != "field-not-allowed" &&
             problem.diagnostic.code != "empty-disjunction" && !problem.diagnostic.message.starts_with("field not allowed");
    };
    auto is_misspelt = [&](const Problem& problem) {
      const std::string& path = problem.diagnostic.path;
      if (!is_about(problem) || path.size() <= secret.path.size() + 1) return false;
      std::string_view field = std::string_view(path).substr(secret.path.size() + 1);
      return field != "value" && !model::is_secret_routing(field);
    };
    auto told = std::ranges::find_if(problems_, is_told);
    if (told == problems_.end()) told = std::ranges::find_if(problems_, is_misspelt);
    if (told == problems_.end()) return;
    Problem kept = *told;
    take(is_about);
    made_.push_back(std::move(kept));
  }

  // Those that are kept under one name and key and are not the same.
  void compare(const std::vector<FoundSecret>& secrets) {
    std::map<std::pair<std::string, std::string>, Kept> kept;
    for (const FoundSecret& secret : secrets) compare(secret, kept);
  }

  void finish() {
    if (made_.empty()) return;
    std::erase_if(problems_, [&](const Problem& problem) {
      if (is_internal(problem.diagnostic.path)) return true;
      const std::string& path = problem.diagnostic.path;
      if (path.starts_with("values") || path.starts_with("environments.")) return false;
      return is_consequence(problem) || std::ranges::any_of(all_positions(problem), [&](diag::Position position) { return taken_.contains(position); });
    });
    std::ranges::move(made_, std::back_inserter(problems_));
  }

 private:
  struct Kept {
    const FoundSecret* secret;
    std::vector<std::string> content;
  };

  // What CUE says of a $secretName that is none, in each of the alternatives.
  std::optional<Problem> wrong_name(const FoundSecret& secret) const {
    constexpr std::string_view kBefore = ".$secretName: invalid value ";
    for (const Problem& problem : problems_) {
      const diag::Diagnostic& error = problem.diagnostic;
      if (!is_at_or_below(error.path, secret.path)) continue;
      auto about_name = [&](const std::string& message, const std::vector<diag::Position>& positions) -> std::optional<Problem> {
        std::size_t at = message.find(kBefore);
        if (at == std::string::npos) return std::nullopt;
        std::string name = message.substr(at + kBefore.size(), message.find(" (", at) - at - kBefore.size());
        Problem made = secret_problem(secret, fmt::format("a Secret cannot have the name {}", name), positions,
                                      "a name has at most 63 lower-case letters, digits and dashes, and no dash at its ends");
        made.diagnostic.path += ".$secretName";
        return made;
      };
      if (auto made = about_name(error.path + ": " + error.message, error.positions)) return made;
      for (const diag::Note& note : error.notes) {
        if (auto made = about_name(note.message, note.positions)) return made;
      }
    }
    return std::nullopt;
  }

  void compare(const FoundSecret& secret, std::map<std::pair<std::string, std::string>, Kept>& known) {
    const cue::Value& whole = secret.wanted.valid() ? secret.wanted : secret.given;
    auto text = [&](std::string_view name) {
      cue::Value field = whole.field(name);
      return std::string(field.valid() ? field.string().value_or("") : "");
    };
    std::vector<std::string> content;
    for (std::string_view name : {"value", "source", "path", "remoteKey"}) content.push_back(text(name));
    if (text("$secretName").empty() || std::ranges::all_of(content, &std::string::empty)) return;
    auto [at, is_new] = known.try_emplace({text("$secretName"), text("$dataKey")}, Kept{&secret, content});
    if (is_new || at->second.content == content) return;
    std::vector<diag::Position> positions;
    for (const FoundSecret* side : {at->second.secret, &secret}) {
      const cue::Value& given = side->given.valid() ? side->given : side->wanted;
      for (diag::Position position : given.positions()) positions.push_back(position);
    }
    made_.push_back(secret_problem(
        secret,
        fmt::format("another value than {} has, and both are kept as {} of {}", at->second.secret->path, at->first.second, at->first.first),
        std::move(positions), "give one of them another $dataKey or $secretName in #config"));
    take([](const Problem& problem) { return problem.diagnostic.path.starts_with("components.\"opm-secrets\""); });
  }

  // What components make of it is wrong because it is.
  void take_parts(const FoundSecret& secret) {
    auto add = [&](const cue::Value& part) {
      for (diag::Position position : part.origins()) taken_.insert(position);
    };
    if (secret.wanted.valid()) add(secret.wanted);
    if (!secret.given.valid()) return;
    for (const cue::Value::FieldEntry& field : secret.given.fields()) add(field.value);
  }

  template <typename Predicate>
  void take(const Predicate& is_taken) {
    std::erase_if(problems_, [&](const Problem& problem) {
      if (!is_taken(problem)) return false;
      taken_.merge(all_positions(problem));
      return true;
    });
  }

  std::vector<Problem>& problems_;
  std::vector<Problem> made_;
  std::set<diag::Position> taken_;
};

}  // namespace

void explain_secrets(std::span<const ValuesScope> scopes, std::vector<Problem>& problems) {
  if (problems.empty()) return;
  Explanation explanation(problems);
  for (const ValuesScope& scope : scopes) {
    FoundSecrets found = find_secrets({&scope, 1});
    for (const FoundSecret& secret : found.values) explanation.explain(secret);
    explanation.compare(found.values);
  }
  explanation.finish();
  // What is computed from values goes without saying, as long as something is said.
  bool is_said = std::ranges::any_of(problems, [](const Problem& problem) { return !is_internal(problem.diagnostic.path); });
  if (is_said) std::erase_if(problems, [](const Problem& problem) { return is_internal(problem.diagnostic.path); });
}

}  // namespace opm::render
