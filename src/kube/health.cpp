#include "kube/health.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "base/clock.h"
#include "kube/object.h"

namespace opm::kube {
namespace {

Health healthy(std::string reason, std::string message = {}) {
  return {HealthStatus::healthy, std::move(reason), std::move(message)};
}
Health progressing(std::string reason, std::string message) {
  return {HealthStatus::progressing, std::move(reason), std::move(message)};
}
Health failed(std::string reason, std::string message) {
  return {HealthStatus::failed, std::move(reason), std::move(message)};
}

bool is_true(const std::optional<Condition>& condition) { return condition && condition->status == "True"; }
bool is_false(const std::optional<Condition>& condition) { return condition && condition->status == "False"; }

std::string reason_of(const Condition& condition) {
  return condition.reason.empty() ? condition.type : condition.reason;
}

std::int64_t count_at(const data::Value& object, std::string_view key) {
  return number_at(object, {"status", key}).value_or(0);
}

std::string plural(std::int64_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

// What its controller says may be about an older version of the object.
std::optional<Health> behind(const data::Value& object, bool must_observe) {
  auto generation = number_at(object, {"metadata", "generation"});
  auto observed = number_at(object, {"status", "observedGeneration"});
  if (!generation || (!observed && !must_observe)) return std::nullopt;
  if (observed.value_or(0) >= *generation) return std::nullopt;
  return progressing("NotObserved", "its controller has not seen the latest change yet");
}

Health deployment(const data::Value& object) {
  if (auto health = behind(object, true)) return *health;
  std::int64_t wanted = number_at(object, {"spec", "replicas"}).value_or(1);
  auto progress = condition_of(object, "Progressing");
  if (is_false(progress) && progress->reason == "ProgressDeadlineExceeded")
    return failed(progress->reason, progress->message);
  if (auto failure = condition_of(object, "ReplicaFailure"); is_true(failure))
    return failed(reason_of(*failure), failure->message);
  std::int64_t updated = count_at(object, "updatedReplicas"), all = count_at(object, "replicas");
  std::int64_t available = count_at(object, "availableReplicas");
  if (updated < wanted) {
    const data::Value* paused = object.find_path({"spec", "paused"});
    if (paused != nullptr && paused->is_bool() && paused->as_bool())
      return progressing("Paused", fmt::format("paused with {} of {} updated", updated, plural(wanted, "replica")));
    return progressing("RolloutInProgress", fmt::format("{} of {} updated", updated, plural(wanted, "replica")));
  }
  if (all > updated)
    return progressing("RolloutInProgress",
                       fmt::format("{} still to be replaced", plural(all - updated, "old replica")));
  if (available < wanted)
    return progressing("Unavailable", fmt::format("{} of {} available", available, plural(wanted, "replica")));
  if (auto condition = condition_of(object, "Available"); is_false(condition))
    return progressing(reason_of(*condition), condition->message);
  return healthy("Available", fmt::format("{} of {} available", available, plural(wanted, "replica")));
}

Health stateful_set(const data::Value& object) {
  if (auto health = behind(object, true)) return *health;
  std::int64_t wanted = number_at(object, {"spec", "replicas"}).value_or(1);
  std::int64_t ready = count_at(object, "readyReplicas");
  // Who updates by hand decides alone when that is done.
  if (text_at(object, {"spec", "updateStrategy", "type"}) != "OnDelete") {
    std::int64_t kept = number_at(object, {"spec", "updateStrategy", "rollingUpdate", "partition"}).value_or(0);
    std::int64_t to_update = std::max<std::int64_t>(wanted - kept, 0);
    bool same = text_at(object, {"status", "currentRevision"}) == text_at(object, {"status", "updateRevision"});
    std::int64_t updated = same ? wanted : count_at(object, "updatedReplicas");
    if (updated < to_update)
      return progressing("RolloutInProgress", fmt::format("{} of {} updated", updated, plural(to_update, "replica")));
  }
  if (count_at(object, "replicas") > wanted)
    return progressing("ScalingDown",
                       fmt::format("{} still to be removed", plural(count_at(object, "replicas") - wanted, "replica")));
  if (ready < wanted) return progressing("NotReady", fmt::format("{} of {} ready", ready, plural(wanted, "replica")));
  return healthy("Ready", fmt::format("{} of {} ready", ready, plural(wanted, "replica")));
}

Health daemon_set(const data::Value& object) {
  if (auto health = behind(object, true)) return *health;
  std::int64_t wanted = count_at(object, "desiredNumberScheduled");
  std::int64_t updated = count_at(object, "updatedNumberScheduled"), available = count_at(object, "numberAvailable");
  if (text_at(object, {"spec", "updateStrategy", "type"}) != "OnDelete" && updated < wanted)
    return progressing("RolloutInProgress", fmt::format("{} of {} updated", updated, plural(wanted, "pod")));
  if (available < wanted)
    return progressing("Unavailable", fmt::format("{} of {} available", available, plural(wanted, "pod")));
  return healthy("Available", fmt::format("{} of {} available", available, plural(wanted, "pod")));
}

Health replica_set(const data::Value& object) {
  if (auto health = behind(object, true)) return *health;
  std::int64_t wanted = number_at(object, {"spec", "replicas"}).value_or(1);
  if (auto failure = condition_of(object, "ReplicaFailure"); is_true(failure))
    return failed(reason_of(*failure), failure->message);
  std::int64_t available = count_at(object, "availableReplicas");
  std::string message = fmt::format("{} of {} available", available, plural(wanted, "replica"));
  return available < wanted ? progressing("Unavailable", message) : healthy("Available", message);
}

Health job(const data::Value& object) {
  if (auto complete = condition_of(object, "Complete"); is_true(complete))
    return healthy("Complete", fmt::format("{} succeeded", plural(count_at(object, "succeeded"), "pod")));
  if (auto failure = condition_of(object, "Failed"); is_true(failure))
    return failed(reason_of(*failure), failure->message);
  if (auto suspended = condition_of(object, "Suspended"); is_true(suspended))
    return progressing("Suspended", "the job is suspended");
  std::int64_t lost = count_at(object, "failed");
  std::string message = fmt::format("{} active", plural(count_at(object, "active"), "pod"));
  if (lost > 0) message += fmt::format(", {} failed", lost);
  return progressing("Running", std::move(message));
}

Health cron_job(const data::Value& object) {
  const data::Value* suspended = object.find_path({"spec", "suspend"});
  if (suspended != nullptr && suspended->is_bool() && suspended->as_bool())
    return healthy("Suspended", "suspended, so nothing runs");
  std::string scheduled = text_at(object, {"status", "lastScheduleTime"});
  if (scheduled.empty()) return healthy("Scheduled", "has not run yet");
  const data::Value* active = object.find_path({"status", "active"});
  if (active != nullptr && active->is_list() && !active->as_list().empty())
    return healthy("Running",
                   fmt::format("{} running", plural(static_cast<std::int64_t>(active->as_list().size()), "job")));
  auto begun = base::parse_time(scheduled);
  auto done = base::parse_time(text_at(object, {"status", "lastSuccessfulTime"}));
  if (begun && (!done || *done < *begun))
    return failed("LastRunFailed", fmt::format("the run of {} did not succeed", scheduled));
  return healthy("LastRunSucceeded", fmt::format("the run of {} succeeded", scheduled));
}

// Why a container does not run, where that is more than that it has yet to begin.
std::optional<Health> waiting_container(const data::Value& pod) {
  std::optional<Health> waiting;
  for (std::string_view list : {"initContainerStatuses", "containerStatuses"}) {
    const data::Value* statuses = pod.find_path({"status", list});
    if (statuses == nullptr || !statuses->is_list()) continue;
    for (const data::Value& status : statuses->as_list()) {
      std::string reason = text_at(status, {"state", "waiting", "reason"});
      if (reason.empty() || reason == "ContainerCreating" || reason == "PodInitializing") continue;
      std::string message = text_at(status, {"state", "waiting", "message"});
      message = fmt::format("container \"{}\"{}{}", text_at(status, {"name"}), message.empty() ? "" : ": ", message);
      // These will not pass by themselves; a Secret that is missing may come.
      constexpr std::array<std::string_view, 4> kStuck{"CrashLoopBackOff", "ImagePullBackOff", "ErrImagePull",
                                                       "InvalidImageName"};
      if (std::ranges::find(kStuck, reason) != kStuck.end()) return failed(reason, message);
      if (!waiting) waiting = progressing(reason, message);
    }
  }
  return waiting;
}

Health pod(const data::Value& object) {
  std::string phase = text_at(object, {"status", "phase"});
  if (phase == "Succeeded") return healthy("Succeeded");
  if (phase == "Failed") {
    std::string reason = text_at(object, {"status", "reason"});
    return failed(reason.empty() ? "Failed" : reason, text_at(object, {"status", "message"}));
  }
  if (auto waiting = waiting_container(object)) return *waiting;
  if (auto ready = condition_of(object, "Ready"); is_true(ready)) return healthy("Ready");
  if (auto scheduled = condition_of(object, "PodScheduled"); is_false(scheduled))
    return progressing(reason_of(*scheduled), scheduled->message);
  if (auto ready = condition_of(object, "Ready"); is_false(ready))
    return progressing(reason_of(*ready), ready->message.empty() ? "not ready" : ready->message);
  return progressing(phase.empty() ? "Pending" : phase, "not ready");
}

Health volume_claim(const data::Value& object) {
  std::string phase = text_at(object, {"status", "phase"});
  if (phase == "Bound") return healthy("Bound");
  if (phase == "Lost") return failed("Lost", "the volume that it was bound to is gone");
  return progressing("Pending", "no volume is bound to it yet");
}

Health volume(const data::Value& object) {
  std::string phase = text_at(object, {"status", "phase"});
  if (phase == "Failed") return failed("Failed", text_at(object, {"status", "message"}));
  if (phase == "Pending") return progressing("Pending", "not available yet");
  return healthy(phase.empty() ? "Present" : phase);
}

Health resource_definition(const data::Value& object) {
  if (auto names = condition_of(object, "NamesAccepted"); is_false(names))
    return failed(reason_of(*names), names->message);
  if (is_true(condition_of(object, "Established"))) return healthy("Established");
  return progressing("NotEstablished", "the API is not served yet");
}

Health name_space(const data::Value& object) {
  std::string phase = text_at(object, {"status", "phase"});
  if (phase == "Terminating") return {HealthStatus::terminating, "Terminating", "being deleted"};
  if (phase == "Active") return healthy("Active");
  return progressing("NotActive", "not active yet");
}

Health api_service(const data::Value& object) {
  auto available = condition_of(object, "Available");
  if (is_true(available)) return healthy("Available");
  return progressing(available ? reason_of(*available) : "Unavailable",
                     available ? available->message : "not available yet");
}

// The conventions of kstatus, as far as an object follows them; without them it is enough that it is there.
Health by_conditions(const data::Value& object) {
  if (auto stalled = condition_of(object, "Stalled"); is_true(stalled))
    return failed(reason_of(*stalled), stalled->message);
  if (auto health = behind(object, false)) return *health;
  if (auto reconciling = condition_of(object, "Reconciling"); is_true(reconciling))
    return progressing(reason_of(*reconciling), reconciling->message);
  auto ready = condition_of(object, "Ready");
  if (!ready) return healthy("Present");
  if (ready->status != "True")
    return progressing(reason_of(*ready), ready->message.empty() ? "not ready" : ready->message);
  // Some controllers note the version with each condition.
  auto generation = number_at(object, {"metadata", "generation"});
  for (const data::Value& condition : object.find_path({"status", "conditions"})->as_list()) {
    if (text_at(condition, {"type"}) != "Ready") continue;
    auto observed = number_at(condition, {"observedGeneration"});
    if (observed && generation && *observed < *generation)
      return progressing("NotObserved", "its controller has not seen the latest change yet");
  }
  return healthy(ready->reason.empty() ? "Ready" : ready->reason, ready->message);
}

struct Rule {
  std::string_view group, kind;
  Health (*judge)(const data::Value&);
};

constexpr std::array kRules{
    Rule{"apps", "Deployment", deployment},
    Rule{"apps", "StatefulSet", stateful_set},
    Rule{"apps", "DaemonSet", daemon_set},
    Rule{"apps", "ReplicaSet", replica_set},
    Rule{"batch", "Job", job},
    Rule{"batch", "CronJob", cron_job},
    Rule{"", "Pod", pod},
    Rule{"", "PersistentVolumeClaim", volume_claim},
    Rule{"", "PersistentVolume", volume},
    Rule{"", "Namespace", name_space},
    Rule{"apiextensions.k8s.io", "CustomResourceDefinition", resource_definition},
    Rule{"apiregistration.k8s.io", "APIService", api_service},
};

Health being_deleted(const data::Value& object) {
  std::string waits;
  const data::Value* finalizers = object.find_path({"metadata", "finalizers"});
  if (finalizers != nullptr && finalizers->is_list())
    for (const data::Value& finalizer : finalizers->as_list())
      if (finalizer.is_string()) waits += (waits.empty() ? "" : ", ") + finalizer.as_string();
  return {HealthStatus::terminating, "Terminating",
          waits.empty() ? "being deleted" : "being deleted, waits for the finalizers " + waits};
}

}  // namespace

Health health_of(const data::Value& object) {
  if (!text_at(object, {"metadata", "deletionTimestamp"}).empty()) return being_deleted(object);
  std::string group = parse_group_version(api_version_of(object)).group;
  std::string kind = kind_of(object);
  for (const Rule& rule : kRules)
    if (rule.group == group && rule.kind == kind) return rule.judge(object);
  return by_conditions(object);
}

std::string_view name_of(HealthStatus status) {
  switch (status) {
    case HealthStatus::healthy:
      return "Healthy";
    case HealthStatus::progressing:
      return "Progressing";
    case HealthStatus::failed:
      return "Failed";
    case HealthStatus::terminating:
      return "Terminating";
    case HealthStatus::missing:
      return "Missing";
  }
  return "";
}

}  // namespace opm::kube
