// A YAML document as it stands in the text: nodes with anchors and aliases not yet
// expanded. The reader builds it first, because a node that an alias repeats must
// stay in one place, and because what aliases expand to is counted before it is made.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "data/json.h"
#include "diag/diagnostic.h"

namespace opm::data {

struct YamlNode {
  enum class Kind : std::uint8_t { scalar, list, map, alias };
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  Kind kind = Kind::scalar;
  bool is_plain = false;       // a scalar without quotes
  std::uint32_t offset = 0;    // in the source
  std::uint32_t first = kNone; // child of a list or map (keys and values take turns); target of an alias
  std::uint32_t next = kNone;  // sibling
  std::string_view text;       // of a scalar; the name of an alias
  std::string_view tag;        // as in "!!int"; empty: none
};

// One document. Each takes the place of the last, so that a long stream needs no more memory than its longest.
struct YamlGraph {
  base::Arena arena;            // owns the texts
  std::vector<YamlNode> nodes;  // the document itself is the first; none: the stream has ended
};

class YamlGraphReader {
 public:
  YamlGraphReader(const diag::Source& source, const ReadLimits& limits);
  ~YamlGraphReader();
  YamlGraphReader(YamlGraphReader&&) noexcept;

  std::expected<void, diag::Diagnostic> next(YamlGraph& document);

 private:
  class Builder;
  std::unique_ptr<Builder> builder_;
};

}  // namespace opm::data
