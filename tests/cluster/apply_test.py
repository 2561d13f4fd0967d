"""opm mod apply on a real server: what it creates, in which order, what it leaves alone, and what it says."""

import json
import time
import unittest

from cluster import free_port
from fixture import DENIED, INVALID, NOT_DONE, NOT_FOUND, UNREACHABLE
from proxies import HttpProxy
from releases import ReleaseTest, config_map, definition, deployment, module_file, objects_by_weight, secret, service

SCALED = """package main

import (
	"opmodel.dev/core@v0"
	"opmodel.dev/resources/workload@v0"
	traits "opmodel.dev/traits/workload@v0"
)

core.#Module

metadata: {apiVersion: "example.com/modules@v0", name: "scaled", version: "1.0.0", defaultNamespace: "%s"}

#config: image: string
values: #config

#components: web: {
	workload.#Container
	traits.#Scaling
	metadata: labels: "core.opmodel.dev/workload-type": "stateless"
	spec: {
		container: {name: "web", image: #config.image}
		scaling: auto: {min: 1, max: 5, metrics: [{type: "cpu", target: averageUtilization: 80}]}
	}
}
"""


class Apply(ReleaseTest):
    def test_sc_006_from_nothing_to_ready(self):
        self.new_namespace()
        begun = time.monotonic()
        self.run_opm("mod", "init", "hello")
        self.run_opm("mod", "build", "hello")
        self.mod("apply", "-n", self.namespace, module="hello")
        self.assertLess(time.monotonic() - begun, 60)
        self.assertEqual(self.mod("status", "-n", self.namespace, module="hello", code=NOT_DONE).returncode, NOT_DONE)
        with self.cluster.kubelet(self.namespace):
            done = self.mod("status", "-n", self.namespace, "--wait-for", "ready", "--timeout", "60s", module="hello")
        self.assertIn("Ready", done.stdout)
        self.mod("delete", "-n", self.namespace, module="hello")
        self.assertEqual(self.versions(), {})

    def test_sc_008_a_second_apply_changes_nothing(self):
        self.new_namespace()
        self.given(deployment("web"), service("web"), config_map("settings", a="1"), secret("keys", b="2"))
        first = self.mod("apply")
        self.assertIn("4 created", first.stdout)
        before = self.versions()
        self.assertEqual(len(before), 5)  # with the inventory
        second = self.mod("apply")
        self.assertIn("4 unchanged", second.stdout)
        # Deployments change by themselves: their controller writes status.
        self.assertEqual({key: value for key, value in self.versions().items() if key[0] != "Deployment"},
                         {key: value for key, value in before.items() if key[0] != "Deployment"})
        self.assertEqual(self.live("Deployment", "web")["metadata"]["generation"], 1)

    def writes_since(self, position):
        """What was written on the server, by us: everything but dry runs."""
        self.cluster.hang_up()
        return [(event["verb"], event["objectRef"]["resource"]) for event in self.cluster.audit(position, user="admin")
                if event["verb"] not in ("get", "list", "watch") and "dryRun=All" not in event["requestURI"]]

    def test_sc_008_a_second_apply_asks_for_nothing_to_be_written(self):
        self.new_namespace()
        self.given(deployment("web"), service("web"), config_map("settings", a="1"), secret("keys", b="2"))
        position = self.cluster.audit_position()
        self.mod("apply")
        self.assertEqual(len(self.writes_since(position)), 6)  # the inventory twice
        position = self.cluster.audit_position()
        self.assertIn("4 unchanged", self.mod("apply").stdout)
        self.assertEqual(self.writes_since(position), [])
        # And the next one only what differs.
        self.given(deployment("web"), service("web"), config_map("settings", a="2"), secret("keys", b="2"))
        position = self.cluster.audit_position()
        self.assertIn("1 configured, 3 unchanged", self.mod("apply").stdout)
        self.assertEqual(self.writes_since(position), [("update", "secrets"), ("patch", "configmaps"), ("update", "secrets")])

    def test_sc_008_lists_that_are_empty(self):
        """Of an empty list of webhooks servers think that it changes every time."""
        self.new_namespace()
        self.given(*({"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "metadata": {"name": self.namespace}, "webhooks": []}
                     for kind in ("ValidatingWebhookConfiguration", "MutatingWebhookConfiguration")),
                   {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "none"}, "rules": []})
        self.mod("apply")
        paths = [f"/apis/admissionregistration.k8s.io/v1/{plural}/{self.namespace}"
                 for plural in ("validatingwebhookconfigurations", "mutatingwebhookconfigurations")]
        before = [self.cluster.get(path)["metadata"]["resourceVersion"] for path in paths]
        self.assertEqual(self.mod("diff").stdout, "")
        self.assertIn("3 unchanged", self.mod("apply", "--dry-run").stdout)
        self.assertIn("3 unchanged", self.mod("apply").stdout)
        self.assertEqual(self.mod("diff").stdout, "")
        self.assertEqual([self.cluster.get(path)["metadata"]["resourceVersion"] for path in paths], before)
        self.mod("delete")

    def test_sc_008_status_that_controllers_write_meanwhile_is_no_change(self):
        self.new_namespace()
        self.given(deployment("web"), config_map("settings", a="1"))
        self.mod("apply")
        self.cluster.wait_until(lambda: self.live("Deployment", "web").get("status", {}).get("conditions"), what="a status")
        inventory = self.inventory()["secret"]["metadata"]["resourceVersion"]
        counter = [0]

        class Busy(HttpProxy):
            """Somebody writes the status of the Deployment before each answer about it."""

            def _pass_on(proxy, handler, body, truncate):
                if "/deployments" in handler.path:
                    counter[0] += 1
                    self.cluster.merge(f"/apis/apps/v1/namespaces/{self.namespace}/deployments/web/status", {"status": {
                        "conditions": [{"type": "Busy", "status": "True", "message": str(counter[0])}]}})
                    self.cluster.hang_up()
                return super()._pass_on(handler, body, truncate)

        with Busy(self.cluster, self.work) as proxy:
            kubeconfig = self.cluster.write_kubeconfig("admin", cluster=proxy.cluster_entry(), folder=self.work)
            self.assertIn("2 unchanged", self.mod("apply", kubeconfig=kubeconfig).stdout)
            self.assertIn("2 unchanged", self.mod("apply", "--dry-run", kubeconfig=kubeconfig).stdout)
            self.assertEqual(self.mod("diff", kubeconfig=kubeconfig).stdout, "")
        self.assertGreater(counter[0], 3)
        self.assertEqual(self.inventory()["secret"]["metadata"]["resourceVersion"], inventory)
        self.given(deployment("web", image="nginx:2"), config_map("settings", a="1"))
        self.assertIn("1 unchanged, 1 configured", self.mod("apply").stdout)

    def test_inventory_says_what_is_there(self):
        self.new_namespace()
        self.given(config_map("one"), note="hello", version="2.1.0")
        self.mod("apply")
        inventory = self.inventory()
        self.assertEqual(inventory["secret"]["type"], "opmodel.dev/release")
        self.assertEqual(inventory["metadata"]["name"], "thing")
        self.assertNotIn("pending", inventory)
        change = inventory["changes"][0]
        self.assertEqual(change["module"], {"path": "example.com/thing@v0", "version": "2.1.0", "name": "thing"})
        self.assertIn('note: "hello"', change["values"])
        self.assertRegex(change["manifestDigest"], "^sha256:[0-9a-f]{64}$")
        entry = change["inventory"]["entries"][0]
        self.assertEqual({key: entry[key] for key in ("group", "kind", "namespace", "name", "component", "v")},
                         {"group": "", "kind": "ConfigMap", "namespace": self.namespace, "name": "one",
                          "component": "main", "v": "v1"})

    def test_history_grows_when_something_changed_and_is_pruned(self):
        self.new_namespace()
        ids = []
        for value in ("a", "b", "a", "c", "d"):
            self.given(config_map("one", x=value))
            self.mod("apply", "--max-history", "3")
            ids.append(self.inventory()["index"])
        self.assertEqual([len(index) for index in ids], [1, 2, 2, 3, 3])
        self.assertEqual(ids[2], ids[1][::-1])

    def test_order_is_that_of_the_weights(self):
        """Every kind of the specification's table, in the server's own words."""
        weights = objects_by_weight(self.namespace)
        objects = [item for stage in weights for _, item in stage]
        self.given({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace}}, *objects[::-1])

        def happened(since, verb):
            """The kinds in the order in which the server was first asked, and when it was asked first and had answered last."""
            times = {}
            for event in self.cluster.audit(since, user="admin"):
                kind = event.get("objectRef", {}).get("resource")
                if event["verb"] != verb or "dryRun" in event["requestURI"]:
                    continue
                first, last = times.get(kind, ("9", "0"))
                times[kind] = (min(first, event["requestReceivedTimestamp"]), max(last, event["stageTimestamp"]))
            return times

        def assert_order(times, stages):
            self.assertLessEqual({kind for stage in stages for kind in stage}, set(times))
            for earlier, later in zip(stages, stages[1:]):
                self.assertLess(max(times[kind][1] for kind in earlier), min(times[kind][0] for kind in later), (earlier, later))

        kinds = [[kind for kind, _ in stage] for stage in weights]
        since = self.cluster.audit_position()
        self.mod("apply")
        times = happened(since, "patch")
        assert_order(times, kinds)
        # The namespace that holds the inventory has to be there before all others; then it is applied in its turn.
        self.assertLess(times["namespaces"][0], times["customresourcedefinitions"][0])
        assert_order(times, [["namespaces"], kinds[1]])
        # SC-007 and SC-008 for all of them, with everything that the server and its controllers add.
        time.sleep(1)
        self.assertEqual(self.mod("diff").stdout, "")
        before = self.inventory()["secret"]["metadata"]["resourceVersion"]
        self.assertIn(f": {len(objects) + 1} unchanged\n", self.mod("apply").stdout)
        self.assertEqual(self.inventory()["secret"]["metadata"]["resourceVersion"], before)
        since = self.cluster.audit_position()
        self.mod("delete", "--keep-namespace=false")
        times = happened(since, "delete")
        assert_order(times, kinds[::-1] + [["namespaces"]])
        self.assertIsNone(self.cluster.get(f"/api/v1/namespaces/{self.namespace}"))

    def test_namespaces_come_before_what_is_in_them(self):
        self.new_namespace()
        other = config_map("far")
        other["metadata"]["namespace"] = self.namespace + "-b"
        self.given(config_map("near"), other, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace + "-b"}})
        since = self.cluster.audit_position()
        self.assertIn("3 created", self.mod("apply").stdout)
        applied = [(event["objectRef"]["resource"], event["objectRef"]["name"]) for event in self.cluster.audit(since, user="admin")
                   if event["verb"] == "patch" and "dryRun" not in event["requestURI"]]
        self.assertEqual(applied[0], ("namespaces", self.namespace + "-b"))
        self.assertIn("3 unchanged", self.mod("apply").stdout)
        self.assertEqual(self.mod("diff").stdout, "")

    def test_replicas_that_an_autoscaler_owns(self):
        """With scaling of the catalog, which leaves replicas out: no warning, no difference, no drift."""
        self.new_namespace()
        self.write("scaled/cue.mod/module.cue", module_file("scaled"))
        self.write("scaled/module.cue", SCALED % self.namespace)
        self.write("scaled/values.cue", 'package main\n\nvalues: image: "nginx:1"\n')
        self.mod("apply", module="scaled")
        self.assertIsNotNone(self.cluster.get(f"/apis/autoscaling/v2/namespaces/{self.namespace}/horizontalpodautoscalers/web"))
        status, _ = self.cluster.request(
            "PATCH", f"/apis/apps/v1/namespaces/{self.namespace}/deployments/web/scale?fieldManager=kube-controller-manager",
            {"spec": {"replicas": 4}}, "application/merge-patch+json")
        self.assertEqual(status, 200)
        self.assertEqual(self.mod("diff", module="scaled").stdout, "")
        done = self.mod("apply", module="scaled")
        self.assertEqual((done.stderr, "configured" in done.stdout), ("", False), done.stdout)
        self.write("scaled/values.cue", 'package main\n\nvalues: image: "nginx:2"\n')
        done = self.mod("apply", module="scaled")
        self.assertEqual(done.stderr, "")
        self.assertIn("configured", done.stdout)
        self.assertEqual(self.live("Deployment", "web")["spec"]["replicas"], 4)
        with self.cluster.kubelet(self.namespace):
            self.mod("status", "--wait-for", "ready", "--timeout", "60s", module="scaled", code=None)
        objects = json.loads(self.mod("status", "-o", "json", module="scaled", code=None).stdout)["objects"]
        self.assertEqual({item["kind"]: item["drift"] for item in objects}["Deployment"], False)

    def test_definition_and_its_objects_in_one_module(self):
        self.new_namespace()
        group = f"g{self.namespace[-4:]}.example.com"
        widget = {"apiVersion": f"{group}/v1", "kind": "Widget", "metadata": {"name": "first"}, "spec": {"size": 3}}
        self.given(definition(group=group), widget)
        self.assertIn("2 created", self.mod("apply").stdout)
        path = f"/apis/{group}/v1/namespaces/{self.namespace}/widgets/first"
        self.assertEqual(self.cluster.get(path)["spec"], {"size": 3})
        self.assertIn("2 unchanged", self.mod("apply").stdout)
        self.mod("diff")
        self.mod("delete")
        self.assertIsNone(self.cluster.get(f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.{group}"))

    def test_what_is_no_longer_rendered_is_pruned(self):
        self.new_namespace()
        self.given(config_map("stays"), config_map("goes"), deployment("web"))
        self.mod("apply")
        self.given(config_map("stays"))
        kept = self.mod("apply", "--no-prune")
        self.assertIn("2 kept", kept.stdout)
        self.assertEqual(self.names("ConfigMap"), ["goes", "stays"])
        done = self.mod("apply")
        self.assertIn("2 pruned", done.stdout)
        self.assertEqual(self.names("ConfigMap"), ["stays"])
        self.assertEqual([entry["name"] for entry in self.inventory()["changes"][0]["inventory"]["entries"]], ["stays"])

    def test_a_renamed_component_loses_nothing(self):
        self.new_namespace()
        self.given(before=[config_map("same", x="1")])
        self.mod("apply")
        uid = self.live("ConfigMap", "same")["metadata"]["uid"]
        self.given(after=[config_map("same", x="1")])
        self.assertNotIn("pruned", self.mod("apply").stdout)
        self.assertEqual(self.live("ConfigMap", "same")["metadata"]["uid"], uid)
        self.assertEqual(self.inventory()["changes"][0]["inventory"]["entries"][0]["component"], "after")

    def test_namespaces_are_pruned_only_when_asked_for(self):
        self.new_namespace()
        other = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace + "-b"}}
        self.given(config_map("one"), other)
        self.mod("apply")
        self.given(config_map("one"))
        self.assertIn("1 kept", self.mod("apply").stdout)
        path = f"/api/v1/namespaces/{self.namespace}-b"
        self.assertIsNotNone(self.cluster.get(path))
        self.assertIn("1 pruned", self.mod("apply", "--prune-dangerous").stdout)
        gone = self.cluster.wait_until(lambda: (self.cluster.get(path) or {"metadata": {"deletionTimestamp": 1}})["metadata"].get(
            "deletionTimestamp"))
        self.assertTrue(gone)

    def test_an_empty_render_removes_everything_only_by_force(self):
        self.new_namespace()
        self.given(config_map("one"))
        self.mod("apply")
        self.given()
        self.assertIn("--force", self.mod("apply", code=NOT_DONE).stderr)
        self.assertEqual(self.names("ConfigMap"), ["one"])
        self.mod("apply", "--force")
        self.assertEqual(self.names("ConfigMap"), [])

    def test_what_others_made_is_left_alone_unless_adopted(self):
        self.new_namespace()
        self.cluster.create(f"/api/v1/namespaces/{self.namespace}/configmaps", config_map("theirs", a="theirs"))
        self.given(config_map("theirs", a="ours"), config_map("new"))
        refused = self.mod("apply", code=NOT_DONE)
        self.assertIn(f"ConfigMap {self.namespace}/theirs is there already", refused.stderr)
        self.assertEqual(self.live("ConfigMap", "theirs")["data"], {"a": "theirs"})
        self.assertIsNone(self.live("ConfigMap", "new"))
        self.assertIsNone(self.inventory())
        self.mod("apply", "--adopt")
        self.assertEqual(self.live("ConfigMap", "theirs")["data"], {"a": "ours"})

    def test_objects_of_another_release_are_left_alone(self):
        self.new_namespace()
        self.given(config_map("shared"))
        self.mod("apply", "--name", "first")
        refused = self.mod("apply", "--name", "second", code=NOT_DONE)
        self.assertIn('belongs to another release, "first"', refused.stderr)
        self.mod("apply", "--name", "second", "--adopt")
        # The first no longer renders it, and it is not its any more.
        self.given(config_map("own"))
        self.assertIn("another release has it", self.mod("apply", "--name", "first").stdout)
        self.assertIsNotNone(self.live("ConfigMap", "shared"))

    def test_fr_037_fields_of_others_are_taken_with_a_warning(self):
        self.new_namespace()
        self.given(deployment("web", replicas=2))
        self.mod("apply")
        status, _ = self.cluster.request(
            "PATCH", f"/apis/apps/v1/namespaces/{self.namespace}/deployments/web/scale?fieldManager=autoscaler",
            {"spec": {"replicas": 5}}, "application/merge-patch+json")
        self.assertEqual(status, 200)
        self.assertEqual(self.live("Deployment", "web")["spec"]["replicas"], 5)
        refused = self.mod("apply", "--no-force-conflicts", code=NOT_DONE)
        self.assertIn('"autoscaler" owns .spec.replicas', refused.stderr)
        self.assertEqual(self.live("Deployment", "web")["spec"]["replicas"], 5)
        done = self.mod("apply")
        self.assertIn(f'warning: Deployment {self.namespace}/web: taking over .spec.replicas from "autoscaler"', done.stderr)
        self.assertEqual(self.live("Deployment", "web")["spec"]["replicas"], 2)

    def test_a_mistake_shows_before_anything_is_written(self):
        self.new_namespace()
        broken = deployment("web")
        broken["spec"]["template"]["metadata"]["labels"] = {"app": "another"}
        self.given(config_map("first"), broken)
        refused = self.mod("apply", code=INVALID)
        self.assertIn("selector", refused.stderr)
        self.assertIsNone(self.live("ConfigMap", "first"))
        self.assertIsNone(self.inventory())

    def test_dry_run_says_what_would_happen_and_writes_nothing(self):
        self.new_namespace()
        self.given(config_map("one"), deployment("web"))
        done = self.mod("apply", "--dry-run")
        self.assertIn("2 would be created", done.stdout)
        self.assertEqual(self.versions(), {})
        self.given(config_map("same"), config_map("other", a="1"), config_map("old"))
        self.mod("apply")
        before = self.versions()
        self.given(config_map("same"), config_map("other", a="2"), config_map("new"))
        self.assertEqual(self.mod("apply", "--dry-run").stdout, "".join(
            f"ConfigMap {self.namespace}/{line}\n" for line in (
                "new would be created", "other would be configured", "same unchanged", "old would be pruned")) +
            f'release "thing" in namespace "{self.namespace}" (dry run): 1 would be created, 1 would be configured, '
            "1 unchanged, 1 would be pruned\n")
        self.assertEqual(self.versions(), before)
        # And so it does.
        self.assertIn("1 created, 1 configured, 1 unchanged, 1 pruned", self.mod("apply").stdout)

    def test_outcomes_for_programs(self):
        self.new_namespace()
        self.given(config_map("one", a="1"), config_map("old"))
        first = json.loads(self.mod("apply", "-o", "json").stdout)
        self.assertEqual((first["release"], first["namespace"], first["dryRun"], first["summary"]),
                         ("thing", self.namespace, False, {"created": 2}))
        self.assertEqual(first["change"], self.inventory()["index"][0])
        self.given(config_map("one", a="2"), secret("keys", password="hunter2"))
        done = self.mod("apply", "--diff", "--wait", "-o", "json")
        second = json.loads(done.stdout)
        self.assertEqual({(item["kind"], item["name"]): item["outcome"] for item in second["objects"]},
                         {("ConfigMap", "one"): "configured", ("Secret", "keys"): "created", ("ConfigMap", "old"): "pruned"})
        self.assertEqual(second["diff"]["summary"], {"added": 1, "changed": 1, "orphaned": 1, "unchanged": 0})
        self.assertIs(second["ready"], True)
        self.assertNotIn("hunter2", done.stdout)
        self.given(config_map("one", a="3"), deployment("web"))
        late = self.mod("apply", "--wait", "--timeout", "1s", "-o", "json", code=NOT_DONE)
        self.assertIs(json.loads(late.stdout)["ready"], False)

    def test_diff_before_apply(self):
        self.new_namespace()
        self.given(config_map("one", a="1"))
        self.mod("apply")
        self.given(config_map("one", a="2"))
        done = self.mod("apply", "--diff")
        self.assertIn('data.a: "1" → "2"', done.stdout)
        self.assertEqual(self.live("ConfigMap", "one")["data"], {"a": "2"})

    def test_something_that_is_being_deleted_stops_a_first_apply(self):
        self.new_namespace()
        going = config_map("going")
        going["metadata"]["finalizers"] = ["example.com/hold"]
        path = f"/api/v1/namespaces/{self.namespace}/configmaps"
        self.cluster.create(path, going)
        self.cluster.delete(path + "/going")
        self.given(config_map("going"), config_map("other"))
        for more in ([], ["--adopt"], ["--adopt", "--dry-run"]):
            refused = self.mod("apply", *more, code=NOT_DONE)
            self.assertIn(f"ConfigMap {self.namespace}/going is being deleted", refused.stderr)
        self.assertEqual((self.live("ConfigMap", "other"), self.inventory()), (None, None))
        self.cluster.merge(path + "/going", {"metadata": {"finalizers": None}})
        self.mod("apply")

    def test_values_of_all_forms(self):
        """FR-035, up to the cluster: files of CUE, YAML and JSON together, or an error before anything is asked."""
        self.new_namespace()
        self.given(config_map("one"))
        self.write("thing/module.cue", (self.work / "thing/module.cue").read_text().replace(
            "#config: note: string", "#config: {note: string, a?: int, b?: int, c?: int}"))
        self.write("a.cue", "values: a: 1\n")
        self.write("b.yaml", "b: 2\n")
        self.write("c.json", '{"values": {"c": 3}}\n')
        files = [word for name in ("a.cue", "b.yaml", "c.json") for word in ("-f", str(self.work / name))]
        self.mod("apply", *files)
        values = self.inventory()["changes"][0]["values"]
        for text in ("a: ", "b: ", "c: ", 'note: "x"'):
            self.assertIn(text, values)
        self.assertEqual(self.mod("diff", *files).stdout, "")
        since = self.cluster.audit_position()
        self.write("c.json", '{"c": "three"}\n')
        for command in ("apply", "diff"):
            self.assertIn("conflicting values", self.mod(command, *files, code=INVALID).stderr)
        self.assertEqual(self.cluster.audit(since, user="admin"), [])
        self.write("c.json", '{"c": 3}\n')
        self.mod("delete", *files)

    def test_no_namespace_at_all(self):
        self.given(config_map("one"))
        self.write("thing/module.cue", (self.work / "thing/module.cue").read_text().replace("defaultNamespace", "//"))
        for command in ("apply", "diff", "status", "delete"):
            self.assertIn("namespace required", self.mod(command, code=None).stderr)

    def test_namespace_that_is_not_there(self):
        self.given(config_map("one"))
        refused = self.mod("apply", code=NOT_FOUND)
        self.assertIn(f'namespace "{self.namespace}" is not there', refused.stderr)
        self.assertIn("--create-namespace", refused.stderr)
        tried = self.mod("apply", "--create-namespace", "--dry-run").stdout
        self.assertIn(f"Namespace {self.namespace} would be created\n", tried)
        self.assertIsNone(self.cluster.get(f"/api/v1/namespaces/{self.namespace}"))
        self.assertIn(f"Namespace {self.namespace} created\n", self.mod("apply", "--create-namespace").stdout)
        self.assertNotIn("Namespace", self.mod("apply", "--create-namespace").stdout)
        self.assertIsNotNone(self.live("ConfigMap", "one"))
        self.assertIsNotNone(self.inventory())

    def test_a_kind_that_is_not_there(self):
        self.new_namespace()
        self.given({"apiVersion": "nobody.example.com/v1", "kind": "Nothing", "metadata": {"name": "x"}})
        self.assertIn("has no kind Nothing in nobody.example.com/v1", self.mod("apply", code=NOT_FOUND).stderr)

    def test_who_may_not_is_told_so(self):
        self.new_namespace()
        kubeconfig = self.cluster.write_kubeconfig("limited", folder=self.work)
        self.given(config_map("one"))
        refused = self.mod("apply", code=DENIED, kubeconfig=kubeconfig)
        self.assertIn("limited", refused.stderr)
        self.assertIn("forbidden", refused.stderr)
        self.cluster.allow("limited", self.namespace, [{"apiGroups": [""], "resources": ["configmaps", "secrets"],
                                                        "verbs": ["get", "list", "watch", "create", "update", "patch", "delete"]}])
        self.mod("apply", kubeconfig=kubeconfig)
        self.given(config_map("one"), deployment("web"))
        self.mod("apply", code=DENIED, kubeconfig=kubeconfig)
        self.mod("delete", kubeconfig=kubeconfig)
        self.assertEqual(self.versions(), {})

    def test_no_cluster(self):
        self.given(config_map("one"))
        nowhere = self.cluster.write_kubeconfig("admin", cluster={"server": f"https://127.0.0.1:{free_port()}"}, folder=self.work)
        for command in ("apply", "status", "delete", "diff"):
            self.assertIn("cannot reach the cluster", self.mod(command, kubeconfig=nowhere, code=UNREACHABLE).stderr)
        unknown = self.cluster.write_kubeconfig("unknown", folder=self.work)
        self.mod("apply", kubeconfig=unknown, code=DENIED)

    def test_wait(self):
        self.new_namespace()
        self.given(deployment("web", replicas=2))
        late = self.mod("apply", "--wait", "--timeout", "2s", code=NOT_DONE)
        self.assertIn("Deployment", late.stderr)
        self.assertIn("is not ready after 2s: 0 of 2 replicas available", late.stderr)
        with self.cluster.kubelet(self.namespace):
            self.mod("apply", "--wait", "--timeout", "60s")
        self.assertEqual(self.live("Deployment", "web")["status"]["availableReplicas"], 2)


if __name__ == "__main__":
    unittest.main()
