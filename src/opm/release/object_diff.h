// What differs between two states of one object, field by field, as a person would say it: items of lists are matched
// by the key that Kubernetes merges them by, what only the server writes is left out, and the content of Secrets shows
// as a checksum.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/tree.h"

namespace opm::release {

struct FieldChange {
  std::string path;                   // spec.template.spec.containers[name=web].image
  std::optional<data::Value> before;  // nothing: it was not there
  std::optional<data::Value> after;   // nothing: it is no longer there
};

// What of an object is for others than the server and its controllers to write.
data::Value written_part(data::Value object);

// The object without what the server manages (status, versions, times, who owns which field), its secrets as checksums.
data::Value comparable(const data::Value& object);

// Of two comparable objects.
std::vector<FieldChange> diff_objects(const data::Value& before, const data::Value& after);

}  // namespace opm::release
