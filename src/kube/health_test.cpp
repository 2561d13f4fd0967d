#include "kube/health.h"

#include <gtest/gtest.h>

#include "data/yaml.h"

namespace opm::kube {
namespace {

Health judged(const std::string& yaml) {
  auto documents = data::read_yaml({"object.yaml", yaml, {1}});
  EXPECT_TRUE(documents) << yaml;
  return health_of(documents->front());
}

struct Case {
  const char* name;
  const char* yaml;
  HealthStatus status;
  const char* reason;
  const char* message;  // a part of it
};

class HealthTest : public testing::TestWithParam<Case> {};

TEST_P(HealthTest, IsJudged) {
  Health health = judged(GetParam().yaml);
  EXPECT_EQ(name_of(health.status), name_of(GetParam().status));
  EXPECT_EQ(health.reason, GetParam().reason);
  EXPECT_NE(health.message.find(GetParam().message), std::string::npos) << health.message;
}

constexpr HealthStatus kHealthy = HealthStatus::healthy, kProgressing = HealthStatus::progressing,
                       kFailed = HealthStatus::failed, kTerminating = HealthStatus::terminating;

INSTANTIATE_TEST_SUITE_P(
    Workloads, HealthTest,
    testing::Values(
        Case{"deployment_new", "{apiVersion: apps/v1, kind: Deployment, metadata: {generation: 1}, spec: {replicas: 3}}",
             kProgressing, "NotObserved", "not seen"},
        Case{"deployment_old_status",
             "{apiVersion: apps/v1, kind: Deployment, metadata: {generation: 2}, spec: {replicas: 1}, status: "
             "{observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1}}",
             kProgressing, "NotObserved", "latest change"},
        Case{"deployment_rolling",
             "{apiVersion: apps/v1, kind: Deployment, metadata: {generation: 2}, spec: {replicas: 3}, status: "
             "{observedGeneration: 2, replicas: 4, updatedReplicas: 1, availableReplicas: 3}}",
             kProgressing, "RolloutInProgress", "1 of 3 replicas updated"},
        Case{"deployment_old_pods",
             "{apiVersion: apps/v1, kind: Deployment, metadata: {generation: 2}, spec: {replicas: 3}, status: "
             "{observedGeneration: 2, replicas: 4, updatedReplicas: 3, availableReplicas: 3}}",
             kProgressing, "RolloutInProgress", "1 old replica"},
        Case{"deployment_unavailable",
             "{apiVersion: apps/v1, kind: Deployment, metadata: {generation: 1}, spec: {replicas: 2}, status: "
             "{observedGeneration: 1, replicas: 2, updatedReplicas: 2, availableReplicas: 1}}",
             kProgressing, "Unavailable", "1 of 2 replicas available"},
        Case{"deployment_stuck",
             "{apiVersion: apps/v1, kind: Deployment, metadata: {generation: 1}, spec: {replicas: 1}, status: "
             "{observedGeneration: 1, replicas: 1, updatedReplicas: 1, conditions: [{type: Progressing, status: "
             "'False', reason: ProgressDeadlineExceeded, message: timed out}]}}",
             kFailed, "ProgressDeadlineExceeded", "timed out"},
        Case{"deployment_quota",
             "{apiVersion: apps/v1, kind: Deployment, metadata: {generation: 1}, spec: {replicas: 1}, status: "
             "{observedGeneration: 1, conditions: [{type: ReplicaFailure, status: 'True', reason: FailedCreate, "
             "message: exceeded quota}]}}",
             kFailed, "FailedCreate", "exceeded quota"},
        Case{"deployment_good",
             "{apiVersion: apps/v1, kind: Deployment, metadata: {generation: 1}, spec: {}, status: "
             "{observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1, conditions: [{type: "
             "Available, status: 'True'}]}}",
             kHealthy, "Available", "1 of 1 replica available"},
        Case{"deployment_of_none",
             "{apiVersion: apps/v1, kind: Deployment, metadata: {generation: 1}, spec: {replicas: 0}, status: "
             "{observedGeneration: 1}}",
             kHealthy, "Available", "0 of 0"},
        Case{"stateful_set_rolling",
             "{apiVersion: apps/v1, kind: StatefulSet, metadata: {generation: 2}, spec: {replicas: 3}, status: "
             "{observedGeneration: 2, replicas: 3, readyReplicas: 3, updatedReplicas: 1, currentRevision: a, "
             "updateRevision: b}}",
             kProgressing, "RolloutInProgress", "1 of 3"},
        Case{"stateful_set_partition",
             "{apiVersion: apps/v1, kind: StatefulSet, metadata: {generation: 2}, spec: {replicas: 3, updateStrategy: "
             "{type: RollingUpdate, rollingUpdate: {partition: 2}}}, status: {observedGeneration: 2, replicas: 3, "
             "readyReplicas: 3, updatedReplicas: 1, currentRevision: a, updateRevision: b}}",
             kHealthy, "Ready", "3 of 3"},
        Case{"stateful_set_starting",
             "{apiVersion: apps/v1, kind: StatefulSet, metadata: {generation: 1}, spec: {replicas: 3}, status: "
             "{observedGeneration: 1, replicas: 2, readyReplicas: 1, updatedReplicas: 2, currentRevision: a, "
             "updateRevision: a}}",
             kProgressing, "NotReady", "1 of 3"},
        Case{"daemon_set_no_nodes",
             "{apiVersion: apps/v1, kind: DaemonSet, metadata: {generation: 1}, status: {observedGeneration: 1, "
             "desiredNumberScheduled: 0}}",
             kHealthy, "Available", "0 of 0 pods"},
        Case{"daemon_set_waiting",
             "{apiVersion: apps/v1, kind: DaemonSet, metadata: {generation: 1}, status: {observedGeneration: 1, "
             "desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 2}}",
             kProgressing, "Unavailable", "2 of 3 pods"},
        Case{"job_running", "{apiVersion: batch/v1, kind: Job, status: {active: 1, failed: 2}}", kProgressing,
             "Running", "1 pod active, 2 failed"},
        Case{"job_done",
             "{apiVersion: batch/v1, kind: Job, status: {succeeded: 1, conditions: [{type: SuccessCriteriaMet, status: "
             "'True'}, {type: Complete, status: 'True'}]}}",
             kHealthy, "Complete", "1 pod succeeded"},
        Case{"job_failed",
             "{apiVersion: batch/v1, kind: Job, status: {conditions: [{type: Failed, status: 'True', reason: "
             "BackoffLimitExceeded, message: too often}]}}",
             kFailed, "BackoffLimitExceeded", "too often"},
        Case{"cron_job_new", "{apiVersion: batch/v1, kind: CronJob, spec: {suspend: false}, status: {}}", kHealthy,
             "Scheduled", "not run yet"},
        Case{"cron_job_failed",
             "{apiVersion: batch/v1, kind: CronJob, status: {lastScheduleTime: '2026-01-02T00:00:00Z', "
             "lastSuccessfulTime: '2026-01-01T00:00:05Z'}}",
             kFailed, "LastRunFailed", "2026-01-02"},
        Case{"cron_job_good",
             "{apiVersion: batch/v1, kind: CronJob, status: {lastScheduleTime: '2026-01-02T00:00:00Z', "
             "lastSuccessfulTime: '2026-01-02T00:00:05Z'}}",
             kHealthy, "LastRunSucceeded", ""}),
    [](const auto& instance) { return instance.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Others, HealthTest,
    testing::Values(
        Case{"config_map", "{apiVersion: v1, kind: ConfigMap}", kHealthy, "Present", ""},
        Case{"service", "{apiVersion: v1, kind: Service, status: {loadBalancer: {}}}", kHealthy, "Present", ""},
        Case{"namespace", "{apiVersion: v1, kind: Namespace, status: {phase: Active}}", kHealthy, "Active", ""},
        Case{"namespace_going", "{apiVersion: v1, kind: Namespace, status: {phase: Terminating}}", kTerminating,
             "Terminating", ""},
        Case{"claim_pending", "{apiVersion: v1, kind: PersistentVolumeClaim, status: {phase: Pending}}", kProgressing,
             "Pending", "no volume"},
        Case{"claim_bound", "{apiVersion: v1, kind: PersistentVolumeClaim, status: {phase: Bound}}", kHealthy, "Bound",
             ""},
        Case{"pod_crashing",
             "{apiVersion: v1, kind: Pod, status: {phase: Running, containerStatuses: [{name: web, state: {waiting: "
             "{reason: CrashLoopBackOff, message: back-off 10s}}}]}}",
             kFailed, "CrashLoopBackOff", "container \"web\": back-off 10s"},
        Case{"pod_without_its_secret",
             "{apiVersion: v1, kind: Pod, status: {phase: Pending, containerStatuses: [{name: web, state: {waiting: "
             "{reason: CreateContainerConfigError, message: secret keys not found}}}]}}",
             kProgressing, "CreateContainerConfigError", "container \"web\": secret keys not found"},
        Case{"pod_that_begins",
             "{apiVersion: v1, kind: Pod, status: {phase: Pending, containerStatuses: [{name: web, state: {waiting: "
             "{reason: ContainerCreating}}}]}}",
             kProgressing, "Pending", "not ready"},
        Case{"pod_unschedulable",
             "{apiVersion: v1, kind: Pod, status: {phase: Pending, conditions: [{type: PodScheduled, status: 'False', "
             "reason: Unschedulable, message: no nodes}]}}",
             kProgressing, "Unschedulable", "no nodes"},
        Case{"definition_new", "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition}", kProgressing,
             "NotEstablished", ""},
        Case{"definition_good",
             "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, status: {conditions: [{type: "
             "NamesAccepted, status: 'True'}, {type: Established, status: 'True'}]}}",
             kHealthy, "Established", ""},
        Case{"definition_taken",
             "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, status: {conditions: [{type: "
             "NamesAccepted, status: 'False', reason: ListKindConflict, message: taken}]}}",
             kFailed, "ListKindConflict", "taken"},
        Case{"custom_passive", "{apiVersion: example.com/v1, kind: Thing, metadata: {generation: 3}, status: {}}",
             kHealthy, "Present", ""},
        Case{"custom_ready",
             "{apiVersion: example.com/v1, kind: Thing, metadata: {generation: 3}, status: {observedGeneration: 3, "
             "conditions: [{type: Ready, status: 'True', reason: Issued}]}}",
             kHealthy, "Issued", ""},
        Case{"custom_behind",
             "{apiVersion: example.com/v1, kind: Thing, metadata: {generation: 3}, status: {observedGeneration: 2, "
             "conditions: [{type: Ready, status: 'True'}]}}",
             kProgressing, "NotObserved", ""},
        Case{"custom_condition_behind",
             "{apiVersion: example.com/v1, kind: Thing, metadata: {generation: 3}, status: {conditions: [{type: Ready, "
             "status: 'True', observedGeneration: 2}]}}",
             kProgressing, "NotObserved", ""},
        Case{"custom_not_ready",
             "{apiVersion: example.com/v1, kind: Thing, status: {conditions: [{type: Ready, status: 'False', reason: "
             "Waiting, message: for DNS}]}}",
             kProgressing, "Waiting", "for DNS"},
        Case{"custom_stalled",
             "{apiVersion: example.com/v1, kind: Thing, status: {conditions: [{type: Ready, status: 'False'}, {type: "
             "Stalled, status: 'True', reason: BadSpec, message: wrong}]}}",
             kFailed, "BadSpec", "wrong"},
        Case{"deleting",
             "{apiVersion: apps/v1, kind: Deployment, metadata: {deletionTimestamp: '2026-01-01T00:00:00Z', "
             "finalizers: [example.com/hold]}}",
             kTerminating, "Terminating", "example.com/hold"},
        Case{"nonsense", "{apiVersion: 3, kind: [], metadata: x, status: {conditions: {a: b}}}", kHealthy, "Present",
             ""}),
    [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace opm::kube
