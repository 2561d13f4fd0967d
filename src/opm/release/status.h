// How a release is doing: the health of each of its objects with the reason, and whether somebody changed what was
// applied.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kube/client.h"
#include "kube/health.h"
#include "opm/release/inventory_store.h"
#include "opm/release/problem.h"

namespace opm::release {

enum class Drift : std::uint8_t { none, drifted, unknown };

struct ObjectStatus {
  Entry entry;
  kube::Health health;
  Drift drift = Drift::unknown;
  std::string changed_by;            // who drifted it, if the server knows
  std::string created;               // RFC 3339; empty: it is not there
  std::vector<std::string> reasons;  // why it is not healthy, beyond what it says itself: pods and events
};

struct ReleaseStatus {
  std::string name;
  std::string namespace_name;
  std::string id;
  ModuleReference module;
  std::string change;     // the newest; empty: there is no inventory
  std::string timestamp;  // of that change
  bool pending = false;   // an apply has not ended
  bool by_labels = false;
  std::vector<ObjectStatus> objects;  // in the order of the inventory
  std::vector<Problem> problems;

  bool healthy() const;
};

ReleaseStatus release_status(kube::Client& client, const ReleaseKey& release);
// Of objects that are known to be the release's.
std::vector<ObjectStatus> object_statuses(kube::Client& client, const std::vector<Entry>& entries,
                                          const std::string& release_id, std::vector<Problem>& problems);

// Whether the fields that were applied are still ours, and who took one if not.
Drift drift_of(const Entry& entry, const data::Value& object, std::string& changed_by);

// Calls `look` with the state of the objects, and again whenever something happens to one of them, until it returns
// true or the time is up: then false.
bool follow_objects(kube::Client& client, const std::vector<Entry>& entries, const std::string& release_id,
                    std::chrono::steady_clock::time_point deadline,
                    const std::function<bool(const std::vector<ObjectStatus>&)>& look, std::vector<Problem>& problems);

}  // namespace opm::release
