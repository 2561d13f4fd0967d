"""opm apply, diff, status and delete of a release in its environments: each goes to the context of its platform."""

import json
import unittest

from cluster import Cluster
from fixture import INVALID, NOT_DONE, NOT_FOUND
from releases import ReleaseTest, app_release
from workbench import module_file

MODULE = """package app

import (
	"opmodel.dev/core@v0"
	"opmodel.dev/resources/workload@v0"
)

core.#Module

metadata: {apiVersion: "example.com/modules@v0", name: "app", version: "0.1.0"}

#config: {image!: string, level: *"info" | string}

#components: web: {
	workload.#Container
	metadata: labels: "core.opmodel.dev/workload-type": "stateless"
	spec: container: {name: "web", image: #config.image, env: LEVEL: value: #config.level}
}
"""

PLATFORMS = """package opm

import "opmodel.dev/core@v0"

platforms: [string]: core.#Platform
platforms: {
	near: {kubeContext: "near"}
	far: {kubeContext: "far", kubeConfig: "far.kubeconfig"}
	nowhere: {kubeContext: "nobody-knows-it"}
}
"""

ENVIRONMENTS = """
		staging: {metadata: name: "staging", platform: platforms["near"], namespace: "%(namespace)s-a", values: level: "debug"}
		prod: {metadata: name: "prod", platform: platforms["far"], namespace: "%(namespace)s-b"}
		lost: {metadata: name: "lost", platform: platforms["nowhere"], namespace: "%(namespace)s-a"}
"""


class Environments(ReleaseTest):
    def setUp(self):
        super().setUp()
        self.write("apps/cue.mod/module.cue", module_file("apps"))
        self.write("apps/app/module.cue", MODULE)
        self.write("apps/.opm/platform.cue", PLATFORMS)
        self.write("apps/releases.cue", app_release(ENVIRONMENTS % {"namespace": self.namespace}))
        self.near = self.cluster.write_kubeconfig("admin", folder=self.work)
        for path, name in ((self.near, "near"), (self.work / "apps/.opm/far.kubeconfig", "far")):
            config = json.loads(self.cluster.kubeconfig.read_text())
            config["contexts"][0]["name"] = name
            config["current-context"] = "" if name == "near" else name
            path.write_text(json.dumps(config))

    def opm(self, command, environment, *arguments, **settings):
        return self.run_opm(command, "app", "-C", self.work / "apps", "-e", environment, *arguments, kubeconfig=self.near, **settings)

    def level(self, namespace):
        found = self.live("Deployment", "web", namespace)
        return found and found["spec"]["template"]["spec"]["containers"][0]["env"][0]["value"]

    def test_each_goes_where_its_platform_is(self):
        done = self.opm("apply", "staging", "--create-namespace")
        self.assertIn("context: near", done.stderr)
        self.opm("apply", "prod", "--create-namespace", "--confirm-context", "far")
        self.assertEqual(self.level(self.namespace + "-a"), "debug")
        self.assertEqual(self.level(self.namespace + "-b"), "info")
        self.assertEqual(self.opm("diff", "staging").stdout, "")
        self.assertIn('level: "debug"', self.inventory(self.namespace + "-a")["changes"][0]["values"])
        with self.cluster.kubelet(self.namespace + "-b"):
            self.opm("status", "prod", "--wait-for", "ready", "--timeout", "60s")
        self.opm("delete", "staging")
        self.assertIsNone(self.level(self.namespace + "-a"))
        self.assertIsNotNone(self.level(self.namespace + "-b"))
        self.opm("status", "staging", code=NOT_FOUND)
        self.opm("delete", "prod")

    def test_each_environment_in_a_cluster_of_its_own(self):
        with Cluster(controllers=False) as other:
            config = json.loads(other.kubeconfig.read_text())
            config["contexts"][0]["name"] = config["current-context"] = "far"
            (self.work / "apps/.opm/far.kubeconfig").write_text(json.dumps(config))
            self.opm("apply", "staging", "--create-namespace")
            self.opm("apply", "prod", "--create-namespace")
            near, far = (f"/apis/apps/v1/namespaces/{self.namespace}-{part}/deployments/web" for part in "ab")
            self.assertEqual([(cluster.get(near) is not None, cluster.get(far) is not None) for cluster in (self.cluster, other)],
                             [(True, False), (False, True)])
            self.assertEqual(self.opm("diff", "prod").stdout, "")

    def test_a_plugin_of_the_repository_runs_only_when_allowed(self):
        script = self.work / "apps/.opm/login"
        script.write_text(f"#!/bin/sh\ntouch {self.work}/ran\nprintf '%s' '" + json.dumps({
            "kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1",
            "status": {"token": self.cluster.user("admin")["token"]}}) + "'\n")
        script.chmod(0o755)
        path = self.work / "apps/.opm/far.kubeconfig"
        config = json.loads(path.read_text())
        config["users"][0]["user"] = {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "./login",
                                               "interactiveMode": "Never"}}
        path.write_text(json.dumps(config))
        refused = self.opm("apply", "prod", "--create-namespace", code=None)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("--allow-exec", refused.stderr)
        self.assertFalse((self.work / "ran").exists())
        self.opm("apply", "prod", "--create-namespace", "--allow-exec")
        self.assertTrue((self.work / "ran").exists())

    def test_what_is_refused(self):
        self.assertNotEqual(self.opm("apply", "lost", code=None).returncode, 0)
        self.opm("apply", "prod", "--confirm-context", "near", code=INVALID)
        without = self.run_opm("apply", "app", "-C", self.work / "apps", kubeconfig=self.near, code=None)
        self.assertNotEqual(without.returncode, 0)
        self.assertIn("staging", without.stderr)
        self.assertEqual(self.opm("diff", "staging", "--against", "prod", code=NOT_DONE).returncode, NOT_DONE)


if __name__ == "__main__":
    unittest.main()
