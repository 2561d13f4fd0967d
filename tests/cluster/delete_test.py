"""opm mod delete on a real server: nothing is left, nothing else is touched, and what hangs is named."""

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
