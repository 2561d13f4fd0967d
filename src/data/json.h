// JSON in and out. Reading is hostile-safe: depth and size are capped, duplicate keys
// and trailing garbage are errors with positions.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "data/tree.h"
#include "diag/diagnostic.h"

namespace opm::data {

struct ReadLimits {
  std::size_t max_bytes = 256u << 20;
  unsigned max_depth = 1000;
  std::size_t max_nodes = 50'000'000;  // a YAML document with anchors counts what it expands to
};

std::expected<Value, std::vector<diag::Diagnostic>> read_json(const diag::Source& source, const ReadLimits& limits = {});

struct JsonWriteOptions {
  unsigned indent = 0;          // 0: compact
  bool sort_keys = false;
  bool escape_html = false;     // <, >, & and U+2028/9 as \u escapes, as Go's encoder does
  bool final_newline = false;
};
std::string write_json(const Value& value, const JsonWriteOptions& options = {});
void append_json_string(std::string& out, std::string_view text, bool escape_html);

}  // namespace opm::data
