// A release as read from CUE, where everything has been computed: its identity and labels, and its components with the
// values filled in.
#pragma once

#include <string>
#include <vector>

#include "cue/value.h"
#include "data/tree.h"

namespace opm::model {

struct ModuleMetadata {
  std::string name;
  std::string version;
};

struct ReleaseMetadata {
  std::string name;
  std::string namespace_name;
  std::string version;
  std::string identity;
  data::Value labels;       // a map
  data::Value annotations;  // a map, or null
  std::string module_fqn;
};

struct Component {
  std::string key;   // under which the release has it
  std::string name;  // that it gave itself
  data::Value labels;       // a map
  data::Value annotations;  // a map, or null
  std::vector<std::string> resources;  // names in full, sorted
  std::vector<std::string> traits;     // likewise
  cue::Value value;
  cue::Frozen::Handle frozen = nullptr;  // the value, if whoever evaluated it froze it at once,
  cue::Frozen::Handle frozen_metadata = nullptr;  // and with it what transformers are told of it
  // Where components that look alike are frozen as one: which of its worlds this one is, and how many there are.
  std::size_t world = 0;
  std::size_t worlds = 0;
};

// What is missing or not text stays empty; the catalog's own types say what has to be there.
ModuleMetadata read_module_metadata(const cue::Value& metadata);
ReleaseMetadata read_release_metadata(const cue::Value& release);
Component read_component(const cue::Value& component);
// What is read of its metadata only.
void read_component_metadata(const cue::Value& component, Component& read);

}  // namespace opm::model
