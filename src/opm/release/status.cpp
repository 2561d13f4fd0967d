#include "opm/release/status.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "data/build.h"
#include "kube/watch.h"
#include "opm/release/delete.h"
#include "opm/release/live.h"

namespace opm::release {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxReasons = 3;
constexpr std::chrono::milliseconds kGatherTime{150};  // events come in swarms
constexpr std::chrono::milliseconds kLookAgainTime{5'000};

// Whether all labels of the workload's selector are on the pod.
bool selects(const data::Value& workload, const data::Value& pod) {
  const data::Value* selector = workload.find_path({"spec", "selector", "matchLabels"});
  if (selector == nullptr || !selector->is_map() || selector->as_map().empty()) return false;
  return std::ranges::all_of(selector->as_map(), [&](const data::Member& label) {
    return label.value.is_string() && data::text_at(pod, {"metadata", "labels", label.key}) == label.value.as_string();
  });
}

// What pods and events say, asked for once a namespace and only where something is not healthy.
class Reasons {
 public:
  explicit Reasons(kube::Client& client) : client_(client) {}

  void explain(ObjectStatus& status, const data::Value& object) {
    const std::string& where = status.entry.object.namespace_name;
    if (where.empty()) return;
    const Surroundings& around = surroundings(where);
    std::set<std::string> uids{std::string(data::text_at(object, {"metadata", "uid"}))};
    std::string prefix = status.entry.object.name + "-";
    for (const data::Value& pod : around.pods) {
      if (!selects(object, pod)) continue;
      uids.insert(std::string(data::text_at(pod, {"metadata", "uid"})));
      kube::Health health = kube::health_of(pod);
      if (health.status == kube::HealthStatus::healthy) continue;
      add(status, fmt::format("pod {}: {}{}{}", data::text_at(pod, {"metadata", "name"}), health.reason,
                              health.message.empty() ? "" : ": ", health.message));
    }
    for (const data::Value& event : around.events) {
      std::string_view name = data::text_at(event, {"involvedObject", "name"});
      bool ours = uids.contains(std::string(data::text_at(event, {"involvedObject", "uid"}))) ||
                  (data::text_at(event, {"involvedObject", "kind"}) == "ReplicaSet" && name.starts_with(prefix));
      if (!ours) continue;
      add(status, fmt::format("event {}: {}", data::text_at(event, {"reason"}), data::text_at(event, {"message"})));
    }
  }

 private:
  struct Surroundings {
    std::vector<data::Value> pods;
    std::vector<data::Value> events;  // warnings, the newest first
  };

  static void add(ObjectStatus& status, std::string reason) {
    if (status.reasons.size() < kMaxReasons && std::ranges::find(status.reasons, reason) == status.reasons.end())
      status.reasons.push_back(std::move(reason));
  }

  // Whoever may not see pods or events gets fewer reasons.
  const Surroundings& surroundings(const std::string& where) {
    auto [place, is_new] = known_.try_emplace(where);
    if (!is_new) return place->second;
    if (auto pods = client_.resource({"", "v1"}, "Pod")) {
      if (auto listing = client_.list(*pods, where)) place->second.pods = std::move(listing->items);
    }
    if (auto events = client_.resource({"", "v1"}, "Event")) {
      if (auto listing = client_.list(*events, where, {.field_selector = "type=Warning"}))
        place->second.events = std::move(listing->items);
    }
    std::ranges::sort(place->second.events, std::greater{},
                      [](const data::Value& event) { return data::text_at(event, {"lastTimestamp"}); });
    return place->second;
  }

  kube::Client& client_;
  std::map<std::string, Surroundings> known_;
};

}  // namespace

bool ReleaseStatus::healthy() const {
  return problems.empty() && !pending && std::ranges::all_of(objects, [](const ObjectStatus& object) {
           return object.health.status == kube::HealthStatus::healthy;
         });
}

Drift drift_of(const Entry& entry, const data::Value& object, std::string& changed_by) {
  if (entry.fields.empty()) return Drift::unknown;
  if (applied_fields(object, kFieldManager) == entry.fields) return Drift::none;
  std::string_view latest;
  const data::Value* managed = object.find_path({"metadata", "managedFields"});
  if (managed != nullptr && managed->is_list()) {
    for (const data::Value& part : managed->as_list()) {
      std::string_view manager = data::text_at(part, {"manager"});
      if (manager == kFieldManager || data::text_at(part, {"subresource"}) == "status") continue;
      std::string_view time = data::text_at(part, {"time"});
      if (time < latest) continue;
      latest = time;
      changed_by = manager;
    }
  }
  return Drift::drifted;
}

std::vector<ObjectStatus> object_statuses(kube::Client& client, const std::vector<Entry>& entries,
                                          const std::string& release_id, std::vector<Problem>& problems) {
  std::vector<ObjectStatus> statuses;
  LiveObjects live = fetch_live(client, entries, {release_id});
  if (!live.problems.empty()) {
    std::ranges::move(live.problems, std::back_inserter(problems));
    return statuses;
  }
  Reasons reasons(client);
  for (const Entry& entry : entries) {
    ObjectStatus status;
    status.entry = entry;
    auto found = live.objects.find(entry.object);
    if (found == live.objects.end()) {
      status.health = {kube::HealthStatus::missing, "Missing", "it is not in the cluster"};
    } else {
      status.health = kube::health_of(found->second);
      status.created = data::text_at(found->second, {"metadata", "creationTimestamp"});
      status.drift = drift_of(entry, found->second, status.changed_by);
      if (status.health.status != kube::HealthStatus::healthy) reasons.explain(status, found->second);
    }
    statuses.push_back(std::move(status));
  }
  return statuses;
}

ReleaseStatus release_status(kube::Client& client, const ReleaseKey& release) {
  ReleaseStatus status;
  status.name = release.name;
  status.namespace_name = release.namespace_name;
  status.id = release.id;
  auto found = find_inventory(client, release);
  if (!found) {
    status.problems.push_back(make_problem(found.error()));
    return status;
  }
  std::vector<Entry> entries;
  if (*found) {
    const Inventory& inventory = **found;
    status.name = inventory.release_name;
    status.id = inventory.release_id;
    status.pending = inventory.pending.has_value();
    if (!inventory.changes.empty()) {
      status.module = inventory.changes.front().module;
      status.change = inventory.changes.front().id;
      status.timestamp = inventory.changes.front().timestamp;
    }
    entries = known_entries(inventory);
    std::ranges::stable_sort(entries, {}, [](const Entry& entry) { return weight(entry.object); });
  } else {
    Discovered discovered = discover_by_labels(client, release_selector(release));
    status.problems = std::move(discovered.problems);
    entries = std::move(discovered.entries);
    status.by_labels = true;
    if (status.problems.empty() && entries.empty()) {
      status.problems.push_back({render::ProblemKind::not_found,
                                 fmt::format("release \"{}\" is not in namespace \"{}\"",
                                             release.name.empty() ? release.id : release.name, release.namespace_name),
                                 {}});
    }
  }
  if (status.problems.empty()) status.objects = object_statuses(client, entries, status.id, status.problems);
  return status;
}

bool follow_objects(kube::Client& client, const std::vector<Entry>& entries, const std::string& release_id,
                    Clock::time_point deadline, const std::function<bool(const std::vector<ObjectStatus>&)>& look,
                    std::vector<Problem>& problems) {
  kube::WatchSet watches(client);
  bool watching = false;
  while (true) {
    std::vector<ObjectStatus> statuses = object_statuses(client, entries, release_id, problems);
    if (!problems.empty()) return false;
    if (look(statuses)) return true;
    if (!watching) {
      watching = true;
      std::set<std::tuple<std::string, std::string, std::string>> seen;
      for (const Entry& entry : entries) {
        if (!seen.insert({entry.object.group, entry.object.kind, entry.object.namespace_name}).second) continue;
        if (auto resource = find_resource(client, entry)) watches.add(*resource, entry.object.namespace_name);
      }
    }
    Clock::time_point again = std::min(deadline, Clock::now() + kLookAgainTime);
    while (Clock::now() < again) {
      auto left = std::chrono::duration_cast<std::chrono::milliseconds>(again - Clock::now());
      auto item = watches.next(std::max(left, std::chrono::milliseconds(1)));
      // From the first thing that happens on, a moment more.
      if (item) again = std::min(again, Clock::now() + kGatherTime);
    }
    if (Clock::now() >= deadline) return false;
  }
}

}  // namespace opm::release
