"""The memory of a release, as it stands in the cluster, and what depends on it."""

import base64
import json
import unittest

from fixture import NOT_DONE
from releases import EXAMPLES, ReleaseTest, config_map, secret


class Inventory(ReleaseTest):
    def test_it_is_found_by_its_label_under_another_name(self):
        self.new_namespace()
        self.given(config_map("one"), config_map("two"))
        self.mod("apply")
        found = self.inventory()["secret"]
        path = f"/api/v1/namespaces/{self.namespace}/secrets"
        self.cluster.create(path, {**found, "metadata": {"name": "renamed", "labels": found["metadata"]["labels"]}})
        self.cluster.delete(f"{path}/{found['metadata']['name']}")
        self.assertNotIn("labels", self.mod("status").stdout)
        self.given(config_map("one"))
        self.assertIn("1 pruned", self.mod("apply").stdout)
        self.assertEqual(len(self.inventory()["index"]), 2)
        self.mod("delete")
        self.assertIsNone(self.inventory())

    def test_one_that_cannot_be_read_stops_everything(self):
        """Rather than to forget what there is."""
        self.new_namespace()
        self.given(config_map("one"))
        self.mod("apply")
        name = self.inventory()["secret"]["metadata"]["name"]
        self.cluster.merge(f"/api/v1/namespaces/{self.namespace}/secrets/{name}",
                           {"data": {"index": base64.b64encode(b"not json").decode()}})
        for command in ("apply", "diff", "status", "delete"):
            done = self.mod(command, code=None)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(name, done.stderr)
        self.assertIsNotNone(self.live("ConfigMap", "one"))

    def test_labels_and_identity(self):
        self.new_namespace()
        self.given(config_map("one"))
        self.mod("apply", "--name", "live")
        inventory = self.inventory()
        identity = inventory["metadata"]["releaseId"]
        self.assertEqual(inventory["secret"]["metadata"]["name"], f"opm.live.{identity}")
        labels = inventory["secret"]["metadata"]["labels"]
        self.assertEqual({key: labels[key] for key in labels if key != "module-release.opmodel.dev/name"}, {
            "app.kubernetes.io/managed-by": "open-platform-model", "module.opmodel.dev/name": "thing",
            "module.opmodel.dev/namespace": self.namespace, "module-release.opmodel.dev/uuid": identity,
            "opmodel.dev/component": "inventory"})
        self.assertEqual(inventory["metadata"]["kind"], "ModuleRelease")
        self.assertEqual(inventory["metadata"]["apiVersion"], "core.opmodel.dev/v1alpha1")

    def test_immutable_configuration_is_replaced_and_pruned(self):
        """A changed value: another object, a workload that uses it, and the old object goes."""
        self.new_namespace()
        words = [str(EXAMPLES / "static-site"), "-n", self.namespace]

        def state():
            pages = [name for name in self.names("ConfigMap") if name.startswith("pages-")]
            used = json.dumps([item["spec"] for item in self.live("Deployment")])
            return pages, [name for name in pages if f'"{name}"' in used]

        self.run_opm("mod", "apply", *words)
        before, used = state()
        self.assertEqual((len(before), before), (1, used))
        self.write("more.cue", 'values: pages: "more.html": "<p>more</p>"\n')
        done = self.run_opm("mod", "apply", *words, "-f", str(self.work / "more.cue"))
        after, used = state()
        self.assertEqual((len(after), after), (1, used), done.stdout)
        self.assertNotEqual(after, before)
        self.assertIn(f"ConfigMap {self.namespace}/{before[0]} pruned", done.stdout)
        self.assertEqual(self.run_opm("mod", "diff", *words, "-f", str(self.work / "more.cue")).stdout, "")

    def test_a_secret_of_the_values_is_only_in_the_inventory(self):
        self.new_namespace()
        self.given(secret("keys", password="hunter2"))
        self.mod("apply")
        for words in (["release", "list", "-n", self.namespace], ["release", "history", "thing", "-n", self.namespace]):
            for form in ("table", "json", "yaml"):
                self.assertNotIn("hunter2", self.run_opm(*words, "-o", form).stdout)
        self.mod("apply", "--max-history", "0", code=NOT_DONE)


if __name__ == "__main__":
    unittest.main()
