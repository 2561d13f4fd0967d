// YAML in and out. Reading resolves scalars as CUE's decoder does (YAML 1.2 with the
// 1.1 leftovers that it keeps), rejects duplicate keys, caps depth, size and what
// anchors expand to. Writing quotes every string that a YAML 1.1 or 1.2 reader could
// take for something else.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/json.h"
#include "data/tree.h"

namespace opm::data {

// The documents of a stream one by one. The source must outlive it.
class YamlDocuments {
 public:
  explicit YamlDocuments(const diag::Source& source, const ReadLimits& limits = {});
  ~YamlDocuments();
  YamlDocuments(YamlDocuments&&) noexcept;

  // Nothing: that was the last. After an error there is nothing more to ask.
  std::expected<std::optional<Value>, std::vector<diag::Diagnostic>> next();

 private:
  class Reader;
  std::unique_ptr<Reader> reader_;
};

// All documents of the stream; none if it has no content at all.
std::expected<std::vector<Value>, std::vector<diag::Diagnostic>> read_yaml(const diag::Source& source, const ReadLimits& limits = {});

// How strings are quoted.
enum class YamlStyle : std::uint8_t {
  strict,  // every string that a reader of YAML 1.1 or 1.2 could take for something else
  cue,     // byte for byte as `cue export --out yaml` and encoding/yaml.Marshal do
};

struct YamlWriteOptions {
  bool sort_keys = false;
  bool indent_lists = true;  // "- " stands two spaces deeper than its key
  YamlStyle style = YamlStyle::strict;
};
// One document in block style, two-space indent, ends in a newline, without `---`. Bytes are written with the tag
// !!binary; strings of several lines as literal blocks.
std::string write_yaml(const Value& value, const YamlWriteOptions& options = {});
void append_yaml(std::string& out, const Value& value, const YamlWriteOptions& options = {});

// Rendered manifests: keys sorted, see above.
inline constexpr YamlWriteOptions kManifestYaml{.sort_keys = true, .indent_lists = true, .style = YamlStyle::strict};

}  // namespace opm::data
