#include "opm/model/release.h"

#include <algorithm>

#include "opm/model/read.h"

namespace opm::model {

namespace {

std::vector<std::string> names_of(const cue::Value& map) {
  std::vector<std::string> names;
  if (!map.exists()) return names;
  for (const cue::Value::FieldEntry& entry : map.shallow_fields()) names.push_back(entry.value.label());
  std::ranges::sort(names);
  return names;
}

}  // namespace

ModuleMetadata read_module_metadata(const cue::Value& metadata) {
  ModuleMetadata read;
  read.name = text_of(metadata, "name");
  read.version = text_of(metadata, "version");
  return read;
}

ReleaseMetadata read_release_metadata(const cue::Value& release) {
  cue::Value metadata = release.field("metadata");
  ReleaseMetadata read;
  read.name = text_of(metadata, "name");
  read.namespace_name = text_of(metadata, "namespace");
  read.version = text_of(metadata, "version");
  read.identity = text_of(metadata, "identity");
  read.labels = data_of(metadata, "labels");
  read.annotations = data_of(metadata, "annotations");
  // The module's own is the same, but the release's identity is made of this one, which is evaluated by now.
  read.module_fqn = text_of(release.find("#module.metadata"), "fqn");
  return read;
}

Component read_component(const cue::Value& component) {
  Component read;
  read.key = component.label();
  read.value = component;
  read_component_metadata(component, read);
  read.resources = names_of(component.find("#resources"));
  read.traits = names_of(component.find("#traits"));
  return read;
}

void read_component_metadata(const cue::Value& component, Component& read) {
  cue::Value metadata = component.field("metadata");
  if (!metadata.exists()) return;
  read.name = text_of(metadata, "name");
  read.labels = data_of(metadata, "labels");
  read.annotations = data_of(metadata, "annotations");
}

}  // namespace opm::model
