// How what a module renders hangs together: components, the transformers that make resources of them, and which resource
// refers to which: a Service to the workload that it selects, a workload to the Secrets that it reads.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "opm/render/result.h"

namespace opm::render {

struct GraphResource {
  std::string kind;
  std::string name;
  std::string namespace_name;
  std::string component;    // empty: it is not rendered, only referred to
  std::string transformer;  // its short name

  bool is_rendered() const { return !component.empty(); }
};

struct GraphReference {
  std::size_t from = 0;  // resources, by index
  std::size_t to = 0;
  std::string label;  // "selects", "env", "volume"

  auto operator<=>(const GraphReference&) const = default;
};

struct ResourceGraph {
  std::string module;
  std::vector<std::string> components;  // in the order of the release
  std::vector<GraphResource> resources;  // rendered ones in the order in which they are applied, then the others by name
  std::vector<GraphReference> references;  // sorted, each once
};

ResourceGraph graph_of(const RenderResult& result);

}  // namespace opm::render
