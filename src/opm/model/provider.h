// A provider and its transformers as read from CUE: what each transformer requires of a component, and the value that
// makes objects of it. Reading is shallow: that there are metadata and transformers with requirements is checked here,
// what a transformer makes only when it meets a component.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cue/value.h"

namespace opm::model {

struct LabelRequirement {
  std::string key;
  std::string text;  // as CUE: "stateless", "task" | "job"
  std::optional<std::vector<std::string>> texts;  // that a component's label may be, where it has to be one of several
  cue::Value value;  // what it has to unify with, where that is anything else
};

struct Transformer {
  std::string fqn;
  std::vector<LabelRequirement> required_labels;
  std::vector<std::string> required_resources;  // names in full, sorted; so are those below
  std::vector<std::string> required_traits;
  std::vector<std::string> optional_traits;
  cue::Value value;  // invalid, where it was read before (stored_provider.h)
  // Where it was read before: the first transformer that declares its #context in the same places.
  std::optional<std::size_t> context_like;
  // The requirements as one text: equal for transformers that match the same components by intent.
  std::string requirements_key;

  std::string_view short_name() const;  // "DeploymentTransformer"
};

struct Provider {
  std::string name;
  std::string version;
  std::vector<Transformer> transformers;  // by name
  // The definitions ("#name") of a component that a transformer may look at, sorted; nothing where that is not known.
  std::optional<std::vector<std::string>> mentioned_definitions;
};

// "Container" of "opmodel.dev/resources/workload@v0#Container".
std::string_view short_name(std::string_view fqn);

std::expected<Provider, cue::Diagnostics> read_provider(const cue::Value& value);

}  // namespace opm::model
