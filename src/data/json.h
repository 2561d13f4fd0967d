// JSON in and out. Reading is hostile-safe: depth and size are capped, duplicate keys
// and trailing garbage are errors with positions.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/tree.h"
#include "diag/diagnostic.h"

namespace opm::data {

struct ReadLimits {
  std::size_t max_bytes = 256u << 20;
  unsigned max_depth = 1000;
  std::size_t max_nodes = 50'000'000;  // a YAML document with anchors counts what it expands to
  // What YAML aliases alone may add. A few lines of nested aliases can stand for billions of nodes.
  std::size_t max_alias_nodes = 200'000;
  std::size_t max_alias_bytes = 64u << 20;
};

std::expected<Value, std::vector<diag::Diagnostic>> read_json(const diag::Source& source, const ReadLimits& limits = {});

// One value of a stream of them, with or without white space between; nothing at its end. `offset`: where it is looked
// for (0 for the first), and where the next one is afterwards.
std::expected<std::optional<Value>, std::vector<diag::Diagnostic>> read_json_next(const diag::Source& source,
                                                                                  std::size_t& offset,
                                                                                  const ReadLimits& limits = {});

struct JsonWriteOptions {
  unsigned indent = 0;          // 0: compact
  bool sort_keys = false;
  bool escape_html = false;     // <, > and & as \u escapes, as Go's encoder does unless told otherwise
  bool final_newline = false;
};
// Bytes are written as base64. `cue export` is {.indent = 4, .final_newline = true}.
std::string write_json(const Value& value, const JsonWriteOptions& options = {});
// With quotes. U+2028 and U+2029 are always escaped, so that the result is JavaScript as well;
// what is not UTF-8 becomes U+FFFD.
void append_json_string(std::string& out, std::string_view text, bool escape_html);

}  // namespace opm::data
