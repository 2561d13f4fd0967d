// What an apply would change: the server's own answer to a dry run beside the objects as they are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kube/client.h"
#include "opm/release/apply.h"
#include "opm/release/object_diff.h"

namespace opm::release {

enum class DifferenceKind : std::uint8_t { added, changed, orphaned, unchanged };
std::string_view name_of(DifferenceKind kind);

struct ObjectDifference {
  Entry entry;
  DifferenceKind kind = DifferenceKind::unchanged;
  std::vector<FieldChange> changes;  // of changed ones
  data::Value before, after;         // comparable; null where there is none, and of unchanged ones
};

struct DiffResult {
  std::vector<ObjectDifference> objects;  // in the order of applying; orphaned ones last
  std::vector<std::string> warnings;
  std::vector<Problem> problems;

  bool differs() const;
};

// A state of the object that was rendered: what depends on a secret is shown like one.
data::Value comparable(const data::Value& object, const render::Resource& resource);

// Of the options those count that say what is pruned and whose fields are taken.
DiffResult diff_release(kube::Client& client, DesiredRelease release, const ApplyOptions& options);

}  // namespace opm::release
