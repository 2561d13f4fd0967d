"""opm mod status and opm release on a real server: what is healthy, what is not and why, and what was changed since."""

import json
import shutil
import subprocess
import sys
import time
import unittest

from fixture import NOT_DONE, NOT_FOUND, OPM, ROOT
from releases import ReleaseTest, config_map, definition, deployment, module_file, secret, service

sys.path.append(str(ROOT / "tests" / "registry"))
from servers import Registry  # noqa: E402  (it stands in another folder)


class Status(ReleaseTest):
    def test_sc_009_ready_and_not(self):
        self.new_namespace()
        self.given(web=[deployment("web", replicas=2), service("web")], other=[config_map("one")])
        self.mod("apply")
        self.cluster.wait_until(lambda: len(self.live("Pod")) == 2, what="pods")
        done = self.mod("status", code=NOT_DONE)
        self.assertIn("NotReady: 2 of 3 healthy", done.stdout)
        self.assertIn("0 of 2 replicas available", done.stdout)
        self.assertLess(done.stdout.index("ConfigMap"), done.stdout.index("Service"))  # component other, then web
        self.cluster.mark_pods_ready(self.namespace)
        done = self.mod("status", "--wait-for", "ready", "--timeout", "60s")
        self.assertIn("Ready: 3 of 3 healthy", done.stdout)
        self.mod("status")

    def test_reasons_name_pods_and_events(self):
        self.new_namespace()
        self.given(deployment("web"))
        self.mod("apply")
        pod = self.cluster.wait_until(lambda: self.live("Pod"), what="a pod")[0]
        name = pod["metadata"]["name"]
        self.cluster.merge(f"/api/v1/namespaces/{self.namespace}/pods/{name}/status", {"status": {
            "containerStatuses": [{"name": "main", "image": "nginx:1", "imageID": "", "ready": False, "restartCount": 0, "state": {
                "waiting": {"reason": "ImagePullBackOff", "message": "no such image"}}}]}})
        self.cluster.create(f"/api/v1/namespaces/{self.namespace}/events", {
            "apiVersion": "v1", "kind": "Event", "metadata": {"name": "e1"}, "type": "Warning", "reason": "FailedPull",
            "message": "the registry is on fire", "involvedObject": {"kind": "Pod", "name": name, "namespace": self.namespace,
                                                                     "uid": pod["metadata"]["uid"], "apiVersion": "v1"}})
        done = self.mod("status", code=NOT_DONE)
        self.assertIn(f'pod {name}: ImagePullBackOff: container "main": no such image', done.stdout)
        self.assertIn("event FailedPull: the registry is on fire", done.stdout)

    def test_drift_is_a_column(self):
        self.new_namespace()
        self.given(config_map("one", a="1"), config_map("two", a="1"))
        self.mod("apply")
        objects = json.loads(self.mod("status", "-o", "json").stdout)["objects"]
        self.assertEqual([item["drift"] for item in objects], [False, False])
        status, _ = self.cluster.request("PATCH", f"/api/v1/namespaces/{self.namespace}/configmaps/two?fieldManager=somebody",
                                         {"data": {"a": "2"}}, "application/merge-patch+json")
        self.assertEqual(status, 200)
        objects = json.loads(self.mod("status", "-o", "json").stdout)["objects"]
        self.assertEqual([(item["name"], item["drift"], item["changedBy"]) for item in objects],
                         [("one", False, ""), ("two", True, "somebody")])
        self.assertIn("by somebody", self.mod("status").stdout)
        self.mod("apply")
        objects = json.loads(self.mod("status", "-o", "json").stdout)["objects"]
        self.assertEqual([item["drift"] for item in objects], [False, False])

    def test_forms(self):
        self.new_namespace()
        self.given(config_map("one"))
        self.mod("apply")
        self.assertIn("NAMESPACE", self.mod("status", "-o", "wide").stdout)
        self.assertIn("ready: true", self.mod("status", "-o", "yaml").stdout)
        parsed = json.loads(self.mod("status", "-o", "json").stdout)
        self.assertEqual((parsed["release"], parsed["ready"], parsed["pending"]), ("thing", True, False))

    def test_what_is_missing_is_not_healthy(self):
        self.new_namespace()
        self.given(config_map("one"), config_map("two"))
        self.mod("apply")
        self.cluster.delete(f"/api/v1/namespaces/{self.namespace}/configmaps/two")
        self.assertIn("Missing", self.mod("status", code=NOT_DONE).stdout)
        self.mod("apply")
        self.mod("status")

    def test_requests_grow_with_kinds_not_with_objects(self):
        self.new_namespace()
        counts = []
        for number in (2, 30):
            self.given(*[config_map(f"c{i}") for i in range(number)], *[service(f"s{i}") for i in range(number)])
            self.mod("apply")
            self.mod("status")  # so that what the server says of itself is known
            since = self.cluster.audit_position()
            self.mod("status")
            counts.append(len(self.cluster.audit(since, user="admin")))
        self.assertEqual(counts[0], counts[1])
        self.assertLessEqual(counts[1], 4)

    def test_wait_until_it_is_deleted(self):
        self.new_namespace()
        held = config_map("held")
        held["metadata"]["finalizers"] = ["example.com/hold"]
        self.given(held, config_map("one"))
        self.mod("apply")
        late = self.mod("status", "--wait-for", "deleted", "--timeout", "1s", code=NOT_DONE)
        self.assertIn('release "thing" is not deleted after 1s', late.stderr)
        waiting = subprocess.Popen([OPM, "mod", "status", "--name", "thing", "-n", self.namespace, "--wait-for", "deleted",
                                    "--timeout", "60s"], cwd=self.work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, env=self.environment(KUBECONFIG=str(self.cluster.kubeconfig)))
        self.mod("delete", "--timeout", "1s", code=NOT_DONE)
        self.assertIsNone(waiting.poll())
        self.cluster.merge(f"/api/v1/namespaces/{self.namespace}/configmaps/held", {"metadata": {"finalizers": None}})
        out, _ = waiting.communicate(timeout=30)
        self.assertEqual((waiting.returncode, out), (0, ""))
        self.mod("delete")
        self.mod("status", "--wait-for", "deleted")  # it is already

    def test_kinds_by_their_own_rules(self):
        self.new_namespace()
        group = f"s{self.namespace[-4:]}.example.com"
        crd = definition(group=group)
        crd["spec"]["versions"][0]["subresources"] = {"status": {}}
        pod = {"metadata": {"labels": {"app": "x"}}, "spec": {"restartPolicy": "Never", "containers": [{"name": "a", "image": "b"}]}}
        template = {"metadata": {"labels": {"app": "d"}}, "spec": {"containers": [{"name": "a", "image": "b"}]}}
        selector = {"matchLabels": {"app": "d"}}

        def thing(api, kind, name, **more):
            return {"apiVersion": api, "kind": kind, "metadata": {"name": name}, **more}

        self.given(crd, thing(f"{group}/v1", "Widget", "silent"), thing(f"{group}/v1", "Widget", "speaking"),
                   thing("batch/v1", "Job", "task", spec={"template": pod, "backoffLimit": 0}),
                   thing("batch/v1", "CronJob", "tick", spec={"schedule": "0 0 1 1 *", "jobTemplate": {"spec": {"template": pod}}}),
                   thing("apps/v1", "DaemonSet", "agent", spec={"selector": selector, "template": template}),
                   thing("apps/v1", "StatefulSet", "db", spec={"selector": selector, "template": template, "serviceName": "db"}),
                   thing("v1", "PersistentVolumeClaim", "data", spec={
                       "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}))
        self.mod("apply")

        def states():
            parsed = json.loads(self.mod("status", "-o", "json", code=None).stdout)
            return {f"{item['kind']}/{item['name']}": item["status"] for item in parsed["objects"]}

        widget = f"/apis/{group}/v1/namespaces/{self.namespace}/widgets/speaking"
        self.cluster.merge(widget + "/status", {"status": {"conditions": [{"type": "Ready", "status": "False", "reason": "Busy"}]}})
        self.cluster.wait_until(lambda: self.live("Job", "task").get("status", {}).get("active"), what="the job")
        # No nodes: a DaemonSet wants no pods; it is healthy when its controller has said so.
        self.cluster.wait_until(lambda: self.live("DaemonSet", "agent").get("status", {}).get("observedGeneration"), what="status")
        first = states()
        self.assertEqual(first["Widget/silent"], "Healthy")  # as it says nothing
        self.assertEqual(first["CronJob/tick"], "Healthy")
        self.assertEqual(first["DaemonSet/agent"], "Healthy")
        for name in ("Widget/speaking", "Job/task", "StatefulSet/db", "PersistentVolumeClaim/data"):
            self.assertEqual(first[name], "Progressing", name)
        self.cluster.merge(widget + "/status", {"status": {"conditions": [{"type": "Ready", "status": "True"}]}})
        self.cluster.merge(f"/api/v1/namespaces/{self.namespace}/persistentvolumeclaims/data/status", {"status": {"phase": "Bound"}})
        with self.cluster.kubelet(self.namespace):
            self.mod("status", "--wait-for", "ready", "--timeout", "60s")
        self.assertEqual(set(states().values()), {"Healthy"})

    def test_a_task_that_failed(self):
        self.new_namespace()
        self.given({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "task"}, "spec": {
            "backoffLimit": 0, "template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "a", "image": "b"}]}}}})
        self.mod("apply")
        pod = self.cluster.wait_until(lambda: self.live("Pod"), what="a pod")[0]
        self.cluster.set_pod_status(pod, phase="Failed")
        # It is not waited for: it will not become ready.
        begun = time.monotonic()
        done = self.mod("apply", "--wait", "--timeout", "60s", code=NOT_DONE)
        self.assertLess(time.monotonic() - begun, 30)
        self.assertIn(f"Job {self.namespace}/task is not ready: ", done.stderr)
        self.assertIn("Failed", self.mod("status", code=NOT_DONE).stdout)

    def test_without_the_module(self):
        self.new_namespace()
        self.given(config_map("one"))
        self.mod("apply", "--name", "live")
        self.run_opm("mod", "status", "--name", "live", "-n", self.namespace)
        identity = self.inventory()["metadata"]["releaseId"]
        self.run_opm("mod", "status", "--release-id", identity, "-n", self.namespace)
        self.run_opm("mod", "status", "--name", "other", "-n", self.namespace, code=NOT_FOUND)
        # Without the inventory, by labels.
        secret_name = self.inventory()["secret"]["metadata"]["name"]
        self.cluster.delete(f"/api/v1/namespaces/{self.namespace}/secrets/{secret_name}")
        self.assertIn("found by their labels", self.run_opm("mod", "status", "--name", "live", "-n", self.namespace).stdout)
        self.run_opm("mod", "delete", "--name", "live", "-n", self.namespace)
        self.assertEqual(self.versions(), {})

    def test_watch_shows_changes(self):
        self.new_namespace()
        self.given(deployment("web"))
        self.mod("apply")
        process = subprocess.Popen([OPM, "mod", "status", "--name", "thing", "-n", self.namespace, "--watch"], text=True,
                                   stdout=subprocess.PIPE, cwd=self.work,
                                   env=self.environment(KUBECONFIG=str(self.cluster.kubeconfig)))
        try:
            with self.cluster.kubelet(self.namespace):
                deadline = time.monotonic() + 60
                for line in process.stdout:
                    if line.startswith("Ready: 1 of 1"):
                        break
                    self.assertLess(time.monotonic(), deadline)
        finally:
            process.kill()
            process.stdout.close()
            process.wait()


class Releases(ReleaseTest):
    def test_list_and_history(self):
        self.new_namespace()
        self.assertIn("no releases", self.run_opm("release", "list", "-n", self.namespace).stderr)
        self.given(config_map("one", a="1"), version="1.0.0")
        self.mod("apply", "--name", "first")
        self.given(config_map("one", a="2"), version="1.1.0")
        self.mod("apply", "--name", "first")
        listed = json.loads(self.run_opm("release", "list", "-n", self.namespace, "-o", "json").stdout)
        self.assertEqual([(item["name"], item["version"], item["objects"], item["pending"]) for item in listed],
                         [("first", "1.1.0", 1, False)])
        everywhere = self.run_opm("release", "list", "-A").stdout
        self.assertIn(self.namespace, everywhere)
        history = json.loads(self.run_opm("release", "history", "first", "-n", self.namespace, "-o", "json").stdout)
        self.assertEqual([item["version"] for item in history], ["1.1.0", "1.0.0"])
        self.run_opm("release", "history", "nobody", "-n", self.namespace, code=NOT_FOUND)

    def test_rollback(self):
        self.new_namespace()
        for version, note in (("1.0.0", "one"), ("1.0.0", "two"), ("2.0.0", "three")):
            self.given(config_map("one"), config_map(f"of-{note}"), version=version, note=note)
            self.mod("apply")
        config = ["--config", str(self.work / "config/config.cue"), "--module", str(self.work / "thing"), "-n", self.namespace]
        first = self.inventory()["index"][2]
        # Another version than the one in the folder, and no registry has it.
        refused = self.run_opm("release", "rollback", "thing", *config, code=NOT_FOUND)
        self.assertIn("was made with example.com/thing@v0 version 1.0.0", refused.stderr)
        self.assertIn("version 2.0.0", refused.stderr)
        self.run_opm("release", "rollback", "thing", "beef", *config, code=NOT_FOUND)
        self.given(config_map("one"), config_map("of-one"), version="1.0.0", note="whatever is here now")
        done = self.run_opm("release", "rollback", "thing", first, *config)
        self.assertNotIn("warning", done.stderr)
        self.assertEqual(self.names("ConfigMap"), ["of-one", "one"])
        self.assertEqual(self.inventory()["index"][0], first)
        self.assertIn('note: "one"', self.inventory()["changes"][0]["values"])
        # With the values only.
        self.given(config_map("one"), config_map("of-four"), version="4.0.0", note="whatever")
        done = self.run_opm("release", "rollback", "thing", self.inventory()["index"][1], *config, "--use-local", "--dry-run")
        self.assertIn("the module in", done.stderr)
        self.assertIn("is example.com/thing@v0 version 4.0.0", done.stderr)
        self.assertIn("renders something else", done.stderr)

    @unittest.skipUnless(shutil.which("docker-registry"), "docker-registry is not installed")
    def test_rollback_with_the_module_from_a_registry(self):
        self.new_namespace()
        with Registry(self.work / "registry") as registry:
            settings = {"CUE_REGISTRY": f"{registry.host}/modules+insecure"}
            for version, note in (("0.1.0", "one"), ("0.2.0", "two")):
                self.given(config_map("one"), config_map("of-" + note), version=version, note=note)
                self.write("thing/cue.mod/module.cue", module_file("thing") + 'source: kind: "self"\n')
                self.mod("apply")
                for words in (["tidy"], ["publish", "v" + version]):
                    done = subprocess.run([OPM, "mod", *words], cwd=self.work / "thing", capture_output=True, text=True,
                                          env=self.environment(**settings))
                    self.assertEqual(done.returncode, 0, done.stderr)
            first = self.inventory()["index"][1]
            (self.work / "empty").mkdir()
            # What a provider of the configuration renders is not the module's, and is as it was then.
            self.given(config_map("one"), config_map("of-one"), version="0.2.0", note="two")
            words = ["release", "rollback", "thing", "-n", self.namespace, "--config", str(self.work / "config/config.cue")]
            done = self.run_opm(*words, "--module", self.work / "thing", **settings)
            self.assertIn(f"change {first} was made with example.com/thing@v0 version 0.1.0", done.stderr)
            self.assertIn("is example.com/thing@v0 version 0.2.0, so the module is taken from the registry", done.stderr)
            self.assertEqual(self.names("ConfigMap"), ["of-one", "one"])
            change = self.inventory()["changes"][0]
            self.assertEqual((change["module"]["version"], self.inventory()["index"][0]), ("0.1.0", first))
            self.assertIn('note: "one"', change["values"])
            done = self.run_opm(*words, "--module", self.work / "empty", "--dry-run", **settings)
            self.assertIn("there is no module in", done.stderr)
            self.run_opm(*words, first, "--module", self.work / "empty", **settings)


if __name__ == "__main__":
    unittest.main()
