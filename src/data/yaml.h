// YAML in and out. Reading resolves scalars as CUE's decoder does (YAML 1.2 with the
// 1.1 leftovers that it keeps), rejects duplicate keys, caps depth, size and what
// anchors expand to. Writing quotes every string that a YAML 1.1 or 1.2 reader could
// take for something else.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "data/json.h"
#include "data/tree.h"

namespace opm::data {

// All documents of the stream.
std::expected<std::vector<Value>, std::vector<diag::Diagnostic>> read_yaml(const diag::Source& source, const ReadLimits& limits = {});

struct YamlWriteOptions {
  bool sort_keys = false;
  bool indent_lists = true;  // "- " stands two spaces deeper than its key
};
// One document in block style, two-space indent, ends in a newline, without `---`.
std::string write_yaml(const Value& value, const YamlWriteOptions& options = {});

}  // namespace opm::data
