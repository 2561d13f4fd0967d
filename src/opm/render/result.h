// What a render gives back: the resources in the order in which they are applied, what they were rendered from, why each
// transformer matched or not, and everything that went wrong. Nothing is printed here.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cue/value.h"
#include "data/tree.h"
#include "diag/diagnostic.h"
#include "opm/model/release.h"

namespace opm::render {

struct Resource {
  data::Value object;
  std::string component;
  std::string transformer;  // its name in full
  std::string api_version;
  std::string kind;
  std::string namespace_name;  // empty: of the whole cluster, or not said
  std::string name;
  // Parts of the object that depend on a secret, as keys and indices from its root; only if they were asked for.
  std::vector<std::vector<std::string>> secret_parts;
};

// What a problem means for the caller; the command makes an exit code of it.
enum class ProblemKind : std::uint8_t { general, invalid, unreachable, denied, not_found };

struct Problem {
  ProblemKind kind = ProblemKind::invalid;
  diag::Diagnostic diagnostic;
  std::string component;    // empty: about none of them
  std::string transformer;  // likewise
  std::string text;         // all that people read of it, where that has a form of its own
};

// Why one transformer matched one component, or what it misses.
struct MatchDetail {
  bool matched = false;
  struct MissingLabel {
    std::string key;
    std::string wanted;  // as CUE
    std::string found;   // as text; empty: the component has no such label
  };
  std::vector<MissingLabel> missing_labels;
  std::vector<std::string> missing_resources;
  std::vector<std::string> missing_traits;
};

// A transformer as far as matching is concerned.
struct TransformerRequirements {
  std::string fqn;
  std::vector<std::pair<std::string, std::string>> labels;  // key and, as CUE, what it has to be
  std::vector<std::string> resources;
  std::vector<std::string> traits;
};

struct ComponentMatch {
  std::string component;
  std::vector<std::uint32_t> matched;         // transformers, by index
  std::vector<std::string> unhandled_traits;  // that no matching transformer makes use of
  // By transformer. Components that look alike to all transformers share one; none where nobody asks why.
  std::shared_ptr<const std::vector<MatchDetail>> details;
};

struct MatchPlan {
  std::string provider;
  std::vector<TransformerRequirements> transformers;
  std::vector<ComponentMatch> components;  // in the order of the release
};

struct PhaseTime {
  std::string_view phase;
  std::chrono::nanoseconds duration{};
};

// A file of what --dump-jobs writes.
struct DumpedFile {
  std::string path;  // below the folder
  std::string content;
};

struct RenderResult {
  std::vector<Resource> resources;
  model::ModuleMetadata module;
  model::ReleaseMetadata release;
  std::string module_path;  // of CUE: example.com/shop@v0
  std::string values;       // of the release, as CUE; only when asked for
  MatchPlan plan;
  std::vector<Problem> errors;
  std::vector<Problem> warnings;
  std::vector<PhaseTime> times;
  std::vector<DumpedFile> dump;
  // Has the sources that positions refer to; null when nothing was loaded.
  std::shared_ptr<const cue::Program> program;
};

}  // namespace opm::render
