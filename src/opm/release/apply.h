// Brings a cluster to what a render says: everything is tried first, then applied stage by stage, and what the release
// no longer has is removed. Killed at any moment, the next apply or delete finds in the inventory all that may be
// there.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "kube/client.h"
#include "opm/release/inventory.h"
#include "opm/release/problem.h"
#include "opm/release/removal.h"
#include "opm/render/result.h"

namespace opm::release {

// What is to be in the cluster.
struct DesiredRelease {
  std::string name;
  std::string namespace_name;
  std::string id;
  ModuleReference module;
  std::string values;  // as CUE text
  std::vector<render::Resource> resources;
};

struct ApplyOptions {
  bool dry_run = false;
  bool create_namespace = false;
  bool prune = true;
  bool prune_dangerous = false;
  bool adopt = false;
  bool force = false;  // an empty render removes everything
  bool force_conflicts = true;
  std::size_t max_history = kDefaultHistory;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::function<void(std::string_view verb, const ObjectId& object)> report;  // called as it goes, one at a time
};

enum class ApplyOutcome : std::uint8_t { created, configured, unchanged, failed, not_tried };
std::string_view name_of(ApplyOutcome outcome);

struct AppliedObject {
  Entry entry;
  ApplyOutcome outcome = ApplyOutcome::not_tried;
};

struct ApplyResult {
  std::string change;
  bool makes_namespace = false;  // of the release, which it does not render
  std::vector<AppliedObject> objects;
  std::vector<RemovedObject> pruned;
  std::vector<Entry> kept;  // stale, but not to be pruned
  std::vector<std::string> warnings;
  std::vector<Problem> problems;

  bool succeeded() const { return problems.empty(); }
};

ApplyResult apply_release(kube::Client& client, DesiredRelease release, const ApplyOptions& options);

}  // namespace opm::release
