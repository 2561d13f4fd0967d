// Where releases run, as read from CUE: platforms, and the environments that a release has on them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cue/value.h"
#include "data/tree.h"
#include "opm/model/platform_query.h"

namespace opm::model {

struct Platform {
  std::string name;  // its key among the platforms; empty: it is written where it is used
  std::string kube_context;
  std::string kube_config;  // as written; empty: the usual one
  data::Value context;      // what it offers: a map, or null
  std::vector<PlatformQuery> queries;  // whose answers are parts of that
  data::Value queried;                 // the queries that were answered last, by field: a map, or null
  std::vector<diag::Diagnostic> mistakes;  // in its queries
};

// Of all queries for one field of the context, in one line.
std::string query_text(const Platform& platform, std::string_view field);
// Fields that were never asked for, or with other queries than there are now.
struct Unanswered {
  const PlatformQuery* query = nullptr;  // the first for the field
  bool is_changed = false;               // it was another query
};
std::vector<Unanswered> unanswered(const Platform& platform);

struct Environment {
  std::string key;   // under which the release has it, and which -e names
  std::string name;  // that it gave itself
  data::Value labels;       // a map, or null
  data::Value annotations;  // likewise
  bool has_platform = false;
  Platform platform;
  std::string namespace_name;  // empty: the release's
  cue::Value value;
};

// A release as its package declares it, before one of its environments is selected.
struct ReleaseDeclaration {
  std::string field;  // of the package
  std::string name;
  std::string namespace_name;  // empty: only its environments say
  std::vector<Environment> environments;  // in order
  bool has_environments = false;
  cue::Value value;

  const Environment* find(std::string_view key) const;
};

// What is missing or not text stays empty; the catalog's own types say what has to be there.
Platform read_platform(const cue::Value& platform);
// In order; `platforms` need not exist.
std::vector<Platform> read_platforms(const cue::Value& platforms);
// `platforms`: those that environments refer to, to know them by name; `finish` is applied to each platform that was read.
using FinishPlatform = std::function<void(const cue::Value& value, Platform& platform)>;
ReleaseDeclaration read_release_declaration(const cue::Value& release, const std::vector<Platform>& platforms,
                                            const FinishPlatform& finish);

// Whether a value is a release, as far as it says so itself.
bool is_release(const cue::Value& value);

}  // namespace opm::model
