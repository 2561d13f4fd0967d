"""opm platform query: what platforms ask of their clusters, answered by a real one, and by one that lies."""

import http.server
import json
import threading
import unittest

from fixture import DENIED, INVALID, NOT_DONE, NOT_FOUND, UNREACHABLE
from releases import ReleaseTest, app_release
from workbench import module_file

MODULE = """package app

import (
	"opmodel.dev/core@v0"
	"opmodel.dev/resources/workload@v0"
	"opmodel.dev/resources/storage@v0"
)

core.#Module

metadata: {apiVersion: "example.com/modules@v0", name: "app", version: "0.1.0"}

#config: image!: string

#components: web: {
	workload.#Container
	storage.#Volumes
	metadata: labels: "core.opmodel.dev/workload-type": "stateful"
	spec: {
		container: {name: "web", image: #config.image}
		volumes: data: {name: "data", persistentClaim: size: "1Gi"}
	}
}
"""

PLATFORMS = """package opm

import "opmodel.dev/core@v0"

platforms: [string]: core.#Platform
platforms: near: {
	kubeContext: "near"
	queries: [
%s
	]
}
"""

ENVIRONMENTS = 'staging: {platform: platforms.near, namespace: "shop"}'

DEFAULT = "metadata.annotations['storageclass.kubernetes.io/is-default-class'] == 'true'"


class PlatformQuery(ReleaseTest):
    def setUp(self):
        super().setUp()
        self.write("apps/cue.mod/module.cue", module_file("apps"))
        self.write("apps/app/module.cue", MODULE)
        self.write("apps/releases.cue", app_release(ENVIRONMENTS))
        self.near = self.context_of("admin", "near")
        self.snapshot = self.work / "apps/.opm/queried.cue"
        # The cluster is shared with other tests: each has its own mark.
        self.mark = "m" + self.namespace[-4:]

    def context_of(self, user, name):
        path = self.cluster.write_kubeconfig(user, folder=self.work)
        config = json.loads(path.read_text())
        config["contexts"][0]["name"] = config["current-context"] = name
        path.write_text(json.dumps(config))
        return path

    def queries(self, *queries):
        lines = ["\t\t{" + ", ".join(f"{key}: {json.dumps(value)}" for key, value in query.items()) + "},\n" for query in queries]
        self.write("apps/.opm/platform.cue", PLATFORMS % "".join(lines))

    def storage_class(self, name, default=None, **more):
        annotations = {} if default is None else {"storageclass.kubernetes.io/is-default-class": default}
        self.cluster.create("/apis/storage.k8s.io/v1/storageclasses", {
            "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "provisioner": "example.com/" + self.mark,
            "metadata": {"name": f"{name}-{self.mark}", "annotations": annotations, "labels": {"mark": self.mark}}, **more})

    def default_class(self, **more):
        return {"field": "context.defaultStorageClass", "query": "k8s:storage.k8s.io/v1:StorageClass",
                "filter": f"{DEFAULT} && metadata.labels.mark == '{self.mark}'", "extract": "metadata.name", **more}

    def query(self, *arguments, code=0, kubeconfig=None):
        return self.run_opm("platform", "query", "-C", self.work / "apps", *arguments, code=code, kubeconfig=kubeconfig or self.near)

    def build(self, code=0):
        # No kubeconfig: rendering asks nobody.
        return self.run_opm("build", "app", "-C", self.work / "apps", "-e", "staging", "-o", "json", code=code, kubeconfig="/nonexistent")

    def claimed_class(self):
        claim = next(item for item in json.loads(self.build().stdout) if item["kind"] == "PersistentVolumeClaim")
        return claim["spec"].get("storageClassName")

    def test_what_the_cluster_says_is_kept_and_rendered(self):
        self.storage_class("fast", "true")
        self.storage_class("slow", "false")
        self.storage_class("plain")
        self.queries(self.default_class())
        never = self.build(code=INVALID)
        for text in ('platform "near": the cluster was never asked for context.defaultStorageClass', "run opm platform query near",
                     ".opm/platform.cue:9:"):
            self.assertIn(text, never.stderr)
        done = self.query()
        self.assertIn("context: near", done.stderr)
        self.assertEqual(done.stdout, f'near: context.defaultStorageClass: unset → "fast-{self.mark}"\n')
        self.assertEqual(self.claimed_class(), f"fast-{self.mark}")
        kept = self.snapshot.read_text()
        self.assertTrue(kept.startswith("// Written by `opm platform query`"))
        self.assertIn(f'defaultStorageClass: "fast-{self.mark}"', kept)
        # Laid out as CUE is, and the same again.
        self.run_opm("cue", "fmt", "--check", self.snapshot)
        again = self.query("near")
        self.assertEqual(again.stdout, f'near: context.defaultStorageClass: "fast-{self.mark}"\n')
        self.assertNotIn("wrote", again.stderr)
        self.assertEqual(self.snapshot.read_text(), kept)
        self.query("--check")
        listed = self.run_opm("platform", "list", "-C", self.work / "apps", kubeconfig="/nonexistent").stdout
        self.assertRegex(listed, r"near +near .*answered")

    def test_what_changed_is_told(self):
        self.storage_class("one", "true")
        self.queries(self.default_class())
        self.query()
        self.cluster.delete(f"/apis/storage.k8s.io/v1/storageclasses/one-{self.mark}")
        self.storage_class("two", "true")
        kept = self.snapshot.read_text()
        self.assertIn("is not what the clusters say", self.query("--check", code=NOT_DONE).stderr)
        self.assertEqual(self.snapshot.read_text(), kept)
        found = json.loads(self.query("-o", "json").stdout)
        self.assertEqual(found, [{"platform": "near", "field": "context.defaultStorageClass", "before": f"one-{self.mark}",
                                  "value": f"two-{self.mark}", "changed": True}])
        self.assertEqual(self.claimed_class(), f"two-{self.mark}")
        # Another query than was asked.
        self.queries(self.default_class(extract="provisioner"))
        self.assertIn("with another query", self.build(code=INVALID).stderr)
        self.query()
        self.assertEqual(self.claimed_class(), f"example.com/{self.mark}")
        # None any more.
        self.queries()
        self.query()
        self.assertFalse(self.snapshot.exists())
        self.assertIsNone(self.claimed_class())

    def test_nothing_to_find(self):
        self.queries(self.default_class())
        missing = self.query(code=NOT_FOUND)
        self.assertIn('platform "near": context.defaultStorageClass: the cluster has nothing for k8s:storage.k8s.io/v1:StorageClass', missing.stderr)
        self.assertFalse(self.snapshot.exists())
        self.queries(self.default_class(optional=True),
                     {"field": "context.gatewayRef.name", "query": "k8s:gateway.example.com/v1:Gateway", "optional": True})
        self.assertIn("context.defaultStorageClass: unset", self.query().stdout)
        self.assertIsNone(self.claimed_class())
        self.queries({"field": "context.gatewayRef.name", "query": "k8s:gateway.example.com/v1:Gateway"})
        self.assertIn("Gateway", self.query(code=NOT_FOUND).stderr)

    def test_several_are_found(self):
        self.storage_class("a", "true")
        self.storage_class("b", "true")
        self.queries(self.default_class())
        self.assertIn(f"2 objects have something to say: a-{self.mark}, b-{self.mark}", self.query(code=INVALID).stderr)
        # What they all say is one answer.
        self.queries(self.default_class(extract="provisioner"))
        self.query()
        self.queries({"field": "context.capabilities", "query": "k8s:storage.k8s.io/v1:StorageClass", "all": True,
                      "filter": f"metadata.labels['mark'] == '{self.mark}'"},
                     {"field": "context.capabilities", "query": "k8s:v1:Namespace::kube-system", "value": "system", "all": True})
        self.query()
        listed = json.loads(self.run_opm("platform", "list", "-C", self.work / "apps", "-o", "json").stdout)
        self.assertEqual(listed[0]["context"]["capabilities"], [f"a-{self.mark}", f"b-{self.mark}", "system"])
        self.assertEqual(listed[0]["unanswered"], [])

    def test_of_secrets_nothing_but_metadata(self):
        self.new_namespace()
        self.cluster.create(f"/api/v1/namespaces/{self.namespace}/secrets", {
            "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "wildcard"}, "stringData": {"key": "hunter2hunter2"}})
        self.queries({"field": "context.certificateRef.name", "query": f"k8s:v1:Secret:{self.namespace}", "filter": "metadata.name == 'wildcard'"},
                     {"field": "context.certificateRef.namespace", "query": f"k8s:v1:Secret:{self.namespace}:wildcard", "extract": "metadata.namespace"})
        self.query()
        kept = self.snapshot.read_text()
        self.assertIn('name: ', kept)
        self.assertNotIn("hunter2", kept)
        self.queries({"field": "context.defaultDomain", "query": f"k8s:v1:Secret:{self.namespace}:wildcard", "extract": "data.key"})
        for run in (self.query(code=INVALID), self.build(code=INVALID)):
            self.assertIn("of a Secret only the metadata can be asked for", run.stderr)
            self.assertIn(".opm/platform.cue:9:", run.stderr)

    def test_answers_that_do_not_fit(self):
        self.storage_class("fast", "true")
        self.queries(self.default_class(field="context.defaultRunAsUser"))
        wrong = self.query(code=INVALID)
        self.assertIn("defaultRunAsUser", wrong.stderr)
        self.assertIn(f"fast-{self.mark}", wrong.stderr)
        self.queries(self.default_class(field="context.noSuchField"))
        self.assertIn("field not allowed", self.query(code=INVALID).stderr)
        self.assertFalse(self.snapshot.exists())
        # Against what somebody wrote by hand.
        self.queries(self.default_class())
        self.write("apps/.opm/more.cue", 'package opm\n\nplatforms: near: context: defaultStorageClass: "gp3"\n')
        self.assertIn("more.cue:3:", self.query(code=INVALID).stderr)
        self.write("apps/.opm/more.cue", 'package opm\n\nplatforms: near: context: defaultStorageClass: *"gp3" | string\n')
        self.query()
        self.assertEqual(self.claimed_class(), f"fast-{self.mark}")

    def test_mistakes(self):
        for query, says in ((self.default_class(filter="metadata.name = 'x'"), "== or != is needed"),
                            (self.default_class(filter="metadata.name == x"), "a text in quotes"),
                            (self.default_class(extract="metadata..name"), "a path such as metadata.name"),
                            (self.default_class(query="k8s:StorageClass"), "queries.0.query"),
                            (self.default_class(field="kubeContext"), "queries.0.field")):
            self.queries(query)
            for run in (self.query(code=INVALID), self.build(code=INVALID)):
                self.assertIn(says, run.stderr)
                self.assertIn(".opm/platform.cue:9:", run.stderr)
        self.queries(self.default_class())
        self.assertIn('did you mean "near"?', self.query("nera", code=INVALID).stderr)
        self.write("apps/.opm/platform.cue", PLATFORMS.replace('"near"', '"nobody"') % "")
        self.query()

    def test_who_may_not_and_who_is_not_there(self):
        self.storage_class("fast", "true")
        self.queries(self.default_class())
        self.query()
        kept = self.snapshot.read_text()
        self.assertIn("forbidden", self.query(code=DENIED, kubeconfig=self.context_of("limited", "near")).stderr)
        config = json.loads(self.near.read_text())
        config["clusters"][0]["cluster"]["server"] = "https://127.0.0.1:1"
        self.near.write_text(json.dumps(config))
        self.query(code=UNREACHABLE)
        config["contexts"][0]["name"] = "other"
        self.near.write_text(json.dumps(config))
        self.assertIn('no context "near"', self.query(code=NOT_DONE).stderr)
        self.assertEqual(self.snapshot.read_text(), kept)

    def test_a_file_that_somebody_broke(self):
        self.storage_class("fast", "true")
        self.queries(self.default_class())
        self.query()
        for text in ("<<<<<<< HEAD\n", 'package opm\n\nplatforms: near: context: defaultStorageClass: 3\n', "package opm\n\nplatforms: 3\n"):
            self.snapshot.write_text(text)
            self.assertRegex(self.build(code=INVALID).stderr, "queried.cue|never asked")
            self.query(code=None)
        self.snapshot.unlink()
        self.query()
        self.assertEqual(self.claimed_class(), f"fast-{self.mark}")


class Liar(http.server.BaseHTTPRequestHandler):
    """A server that has one kind, and says of it what a test wants."""

    protocol_version = "HTTP/1.1"
    answer = b""

    def do_GET(self):
        if self.path in ("/api", "/apis"):
            group = {"metadata": {"name": "storage.k8s.io"}, "versions": [{"version": "v1", "resources": [
                {"resource": "storageclasses", "responseKind": {"kind": "StorageClass"}, "scope": "Cluster", "verbs": ["list"]}]}]}
            body = json.dumps({"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2",
                               "items": [group] if self.path == "/apis" else []}).encode()
        else:
            body = type(self).answer
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class HostileAnswers(PlatformQuery):
    def setUp(self):
        super().setUp()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Liar)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.near.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "near",
            "clusters": [{"name": "liar", "cluster": {"server": f"http://127.0.0.1:{self.server.server_port}"}}],
            "users": [{"name": "me", "user": {}}], "contexts": [{"name": "near", "context": {"cluster": "liar", "user": "me"}}]}))
        self.queries({"field": "context.defaultStorageClass", "query": "k8s:storage.k8s.io/v1:StorageClass"})

    def says(self, *names):
        Liar.answer = json.dumps({"kind": "StorageClassList", "apiVersion": "storage.k8s.io/v1", "metadata": {},
                                  "items": [{"metadata": {"name": name}} for name in names]}).encode()

    def test_text_that_would_be_code(self):
        for name in ('x"\n}\nimport "list"\n', "\\(kubeContext)", '"""', "a\u2028b", "\x1b[2J", "#", "_|_", "é☃"):
            self.says(name)
            self.query()
            self.assertEqual(self.claimed_class(), name)
            self.assertNotIn("\x1b", self.query().stdout)

    def test_what_is_no_text(self):
        for name in (3, True, ["a"], {"a": "b"}, {"_|_": 1}):
            self.says(name)
            self.assertIn("defaultStorageClass", self.query(code=INVALID).stderr)
            self.assertFalse(self.snapshot.exists())
        self.says(None)
        self.query(code=NOT_FOUND)

    def test_too_much(self):
        self.says("x" * 100_000)
        self.assertIn("larger than 65536 bytes", self.query(code=INVALID).stderr)
        self.says(*(f"n{number}" for number in range(50_000)))
        self.assertIn("50000 objects have something to say: n0, n1, n10, n100, n1000 and 49995 more", self.query(code=INVALID).stderr)

    def test_what_is_no_list(self):
        for answer in (b"", b"{", b"<html>", b"null", b'{"items": 3}', b'{"items": [3, null, "x", {"metadata": 4}]}', b"[" * 100_000,
                       b'{"kind": "Status", "status": "Failure"}'):
            Liar.answer = answer
            done = self.query(code=None)
            self.assertIn(done.returncode, (1, 2, 3, 5), answer[:40])
            self.assertIn("error: ", done.stderr)
            self.assertFalse(self.snapshot.exists())


# The tests of the base class are for a real server.
for name in [name for name in dir(PlatformQuery) if name.startswith("test_")]:
    if name not in HostileAnswers.__dict__:
        setattr(HostileAnswers, name, None)


if __name__ == "__main__":
    unittest.main()
