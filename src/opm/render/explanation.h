// Where the fields of a rendered resource come from: step by step from the transformer's line to the component's, to the
// values, and to what the schema says of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/tree.h"

namespace opm::render {

// One of several resources that a transformer made of a component.
struct ResourcePlace {
  std::string component;
  std::string transformer;
  std::string kind;
  std::size_t number = 0;  // among those of that kind
};

struct ExplainRequest {
  std::string resource;  // "deployment/web", "Deployment.apps/web", "web"
  std::string path;      // "spec.replicas"; empty: all of it
  // Known from a render before this one, in which it may have had another name.
  std::optional<ResourcePlace> place;
};

enum class OriginRole : std::uint8_t {
  transformer,  // a line of the transformer, or of what it uses
  component,    // of the component
  module,       // of the module, outside its components
  release,      // given for this release: its name or namespace
  values,       // of somebody's values
  schema,       // says what the value may be
};
std::string_view role_name(OriginRole role);

struct OriginStep {
  OriginRole role = OriginRole::transformer;
  bool decides = false;  // the value was written here
  std::string path;      // of what is declared: "#config.replicas"
  std::string tier;      // of values: "Platform Operator (Tier 2)"
  std::string file;      // empty: it stands in no file
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string text;  // the line, without what is before and behind; empty: it is not shown
  std::size_t text_offset = 0;  // where in it the declaration begins
};

struct FieldOrigin {
  std::vector<std::string> path;  // keys and indices from the root of the object
  data::Value value;              // secrets are masked
  std::vector<OriginStep> steps;  // from the object backwards

  // Where the value was written, or else the last place that it was made at; null: it is not known.
  const OriginStep* origin() const;
};

struct ResourceOrigins {
  std::string api_version;
  std::string kind;
  std::string namespace_name;
  std::string name;
  ResourcePlace place;
  std::vector<std::string> path;  // that was asked for
  data::Value object;             // all of it; secrets are masked
  std::vector<FieldOrigin> fields;  // the scalars, and what is empty, at that path or below it; sorted as manifests are
};

}  // namespace opm::render
