// A question to a cluster whose answer is a part of a platform's context: which objects, which of them, and what of them.
// Here is what it says; who asks it is opm/release.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "cue/value.h"
#include "data/tree.h"

namespace opm::model {

struct PlatformQuery {
  std::string field;  // "context.defaultStorageClass"
  std::string api_version;
  std::string kind;
  std::string namespace_name;  // empty: any
  std::string name;            // likewise

  // PATH == LITERAL; something that is not there is like nothing.
  struct Condition {
    std::vector<std::string> path;
    bool is_equal = true;
    data::Value literal;
  };
  std::vector<Condition> filter;       // all of them
  std::vector<std::string> extract;    // path into the object
  data::Value value;                   // instead of a part of the object; null: none
  bool all = false;
  bool optional = false;

  std::string text;  // all of it in one line, to know it again
  std::vector<diag::Position> positions;
};

// Whether an object is one that the filter lets through.
bool matches(const PlatformQuery& query, const data::Value& object);

// metadata.annotations['a.b/c'].x[0]
std::expected<std::vector<std::string>, std::string> parse_object_path(std::string_view text);
std::expected<std::vector<PlatformQuery::Condition>, std::string> parse_filter(std::string_view text);

// The queries of a platform. What is wrong with one is told, with where it stands.
struct PlatformQueries {
  std::vector<PlatformQuery> queries;
  std::vector<diag::Diagnostic> mistakes;
};
PlatformQueries read_platform_queries(const cue::Value& platform);

}  // namespace opm::model
