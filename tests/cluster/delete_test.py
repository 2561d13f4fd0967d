"""opm mod delete on a real server: nothing is left, nothing else is touched, and what hangs is named."""

import json
import unittest

from fixture import NOT_DONE, NOT_FOUND
from releases import ReleaseTest, config_map, definition, deployment, secret, service


class Delete(ReleaseTest):
    def test_nothing_is_left_and_nothing_else_is_touched(self):
        self.new_namespace()
        self.cluster.create(f"/api/v1/namespaces/{self.namespace}/configmaps", config_map("theirs"))
        self.given(deployment("web", replicas=3), service("web"), config_map("settings"), secret("keys", a="b"))
        self.mod("apply")
        self.cluster.wait_until(lambda: len(self.live("Pod")) == 3, what="pods")
        done = self.mod("delete")
        self.assertIn("4 deleted", done.stdout)
        self.assertEqual(list(self.versions()), [("ConfigMap", "theirs")])
        self.assertEqual([pod for pod in self.live("Pod") if "deletionTimestamp" not in pod["metadata"]], [])
        self.assertEqual(self.live("ReplicaSet"), [])
        self.mod("delete", code=NOT_FOUND)

    def test_what_belongs_to_a_workload_is_waited_for(self):
        self.new_namespace()
        task = {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "tick"}, "spec": {
            "schedule": "* * * * *", "suspend": True, "jobTemplate": {"spec": {"template": {"spec": {
                "restartPolicy": "Never", "containers": [{"name": "a", "image": "b"}]}}}}}}
        self.given(deployment("web", replicas=2), config_map("settings"), task)
        self.mod("apply")
        owner = self.live("CronJob", "tick")["metadata"]
        self.cluster.create(f"/apis/batch/v1/namespaces/{self.namespace}/jobs", {
            "apiVersion": "batch/v1", "kind": "Job", "spec": task["spec"]["jobTemplate"]["spec"], "metadata": {
                "name": "tick-1", "ownerReferences": [{"apiVersion": "batch/v1", "kind": "CronJob", "name": "tick",
                                                       "uid": owner["uid"], "controller": True}]}})
        pods = self.cluster.wait_until(lambda: len(self.live("Pod")) == 3 and self.live("Pod"), what="pods")
        held = next(pod["metadata"]["name"] for pod in pods if pod["metadata"]["name"].startswith("web-"))
        path = f"/api/v1/namespaces/{self.namespace}/pods/{held}"
        self.cluster.merge(path, {"metadata": {"finalizers": ["example.com/hold"]}})
        done = self.mod("delete", "--timeout", "3s", code=NOT_DONE)
        self.assertIn(f"Deployment {self.namespace}/web is gone, but not what belongs to it: Pod {held}", done.stderr)
        self.assertIn("example.com/hold", done.stderr)
        self.assertIn("web is still there", done.stdout)
        # What the pod may need stays as long as the pod does.
        self.assertIsNotNone(self.live("ConfigMap", "settings"))
        self.assertIsNotNone(self.inventory())
        self.assertEqual([pod["metadata"]["name"] for pod in self.live("Pod")], [held])
        self.cluster.merge(path, {"metadata": {"finalizers": None}})
        self.mod("delete")
        self.assertEqual(self.versions(), {})
        self.assertEqual((self.live("Pod"), self.live("ReplicaSet"), self.live("Job")), ([], [], []))

    def test_who_may_not_see_pods_still_waits_for_them(self):
        self.new_namespace()
        everything = ["get", "list", "watch", "create", "update", "patch", "delete"]
        self.cluster.allow("limited", self.namespace, [
            {"apiGroups": [""], "resources": ["secrets"], "verbs": everything},
            {"apiGroups": ["apps"], "resources": ["deployments"], "verbs": everything}])
        kubeconfig = self.cluster.write_kubeconfig("limited", folder=self.work)
        self.given(deployment("web", replicas=2))
        self.mod("apply", kubeconfig=kubeconfig)
        self.cluster.wait_until(lambda: len(self.live("Pod")) == 2, what="pods")
        self.assertIn("1 deleted", self.mod("delete", kubeconfig=kubeconfig).stdout)
        self.assertEqual((self.live("Pod"), self.live("ReplicaSet")), ([], []))

    def test_outcomes_for_programs(self):
        self.new_namespace()
        self.given(config_map("one"))
        self.mod("apply")
        tried = json.loads(self.mod("delete", "--dry-run", "-o", "json").stdout)
        self.assertEqual((tried["dryRun"], tried["summary"]), (True, {"would be deleted": 1}))
        done = json.loads(self.mod("delete", "-o", "json").stdout)
        self.assertEqual((done["release"], done["namespace"], done["dryRun"]), ("thing", self.namespace, False))
        self.assertEqual([(item["kind"], item["name"], item["outcome"]) for item in done["objects"]],
                         [("ConfigMap", "one", "deleted")])

    def test_dry_run(self):
        self.new_namespace()
        self.given(config_map("one"))
        self.mod("apply")
        before = self.versions()
        self.assertIn("1 would be deleted", self.mod("delete", "--dry-run").stdout)
        self.assertEqual(self.versions(), before)

    def test_finalizers_that_hang_are_named(self):
        self.new_namespace()
        held = config_map("held")
        held["metadata"]["finalizers"] = ["example.com/never"]
        self.given(held, service("web"))
        self.mod("apply")
        done = self.mod("delete", "--timeout", "2s", code=NOT_DONE)
        self.assertIn(f"ConfigMap {self.namespace}/held is still there: it waits for its finalizers example.com/never", done.stderr)
        self.assertIsNotNone(self.inventory())
        self.cluster.merge(f"/api/v1/namespaces/{self.namespace}/configmaps/held", {"metadata": {"finalizers": None}})
        self.mod("delete")
        self.assertEqual(self.versions(), {})

    def test_namespaces_stay_unless_told_otherwise(self):
        self.given({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace}}, config_map("one"))
        self.mod("apply")
        self.assertIn("1 kept", self.mod("delete").stdout)
        self.assertIsNotNone(self.cluster.get(f"/api/v1/namespaces/{self.namespace}"))
        self.mod("apply")
        self.mod("delete", "--keep-namespace=false")
        self.assertIsNone(self.cluster.get(f"/api/v1/namespaces/{self.namespace}"))

    def test_a_kind_that_is_gone(self):
        self.new_namespace()
        group = f"g{self.namespace[-4:]}.example.com"
        self.cluster.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition(group=group))
        self.cluster.wait_until(lambda: self.cluster.request("GET", f"/apis/{group}/v1/widgets")[0] == 200, what="the kind")
        self.given(config_map("one"), {"apiVersion": f"{group}/v1", "kind": "Widget", "metadata": {"name": "w"}})
        self.mod("apply")
        self.cluster.delete(f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.{group}")
        self.cluster.wait_until(lambda: self.cluster.request("GET", f"/apis/{group}/v1/widgets")[0] == 404, what="it to go")
        # Whether what is known of the server is fresh or old.
        for cache in ("another-cache", "cache"):
            self.assertIn("--force", self.mod("delete", code=NOT_FOUND, XDG_CACHE_HOME=str(self.work / cache)).stderr)
        self.mod("delete", "--force")
        self.assertEqual(self.versions(), {})


if __name__ == "__main__":
    unittest.main()
