// How secrets are shown to people: not at all, but so that they see whether one changed. What goes to a cluster is never
// touched by this; what is printed, logged or told in an error goes through it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "data/tree.h"

namespace opm::model {

// "<redacted sha256:…>" with the first eight digits of the checksum.
std::string redacted(std::string_view secret);

// Masks what a Secret of Kubernetes holds; any other object stays as it is. The same secret is shown alike whether it
// stands in data (as base64), in stringData or among values.
void redact_object(data::Value& object);

// Masks one part of an object, given as keys and indices from its root; where there is none, nothing is done.
void redact_part(data::Value& object, std::span<const std::string> path);

// Masks each #Secret in a tree of values, however deep: all but what says where it is kept.
void redact_values(data::Value& values);

// Whether a tree is a #Secret: a map whose $opm is "secret".
bool is_secret(const data::Value& value);
// Fields of a #Secret that say where it is kept, not what it is.
bool is_secret_routing(std::string_view field);

}  // namespace opm::model
