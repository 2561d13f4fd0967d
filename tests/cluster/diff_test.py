"""opm mod diff on a real server: it is true, and silent when there is nothing to say."""

import json
import shutil
import unittest

from cluster import Cluster
from fixture import INVALID, NOT_DONE
from releases import EXAMPLES, ReleaseTest, config_map, deployment, secret, service


class Diff(ReleaseTest):
    def test_sc_007_nothing_differs_after_an_apply(self):
        self.new_namespace()
        for example in sorted(path.name for path in EXAMPLES.iterdir() if (path / "cue.mod").exists()):
            kinds = json.loads(self.run_opm("mod", "build", EXAMPLES / example, "-n", self.namespace, "-o", "json").stdout)
            if any(item["apiVersion"].split("/")[0] in ("gateway.networking.k8s.io", "external-secrets.io") for item in kinds):
                continue  # operators bring these; to the server they are custom resources like any other
            with self.subTest(example):
                release = ["--name", example, "-n", self.namespace]
                self.run_opm("mod", "diff", EXAMPLES / example, *release, code=NOT_DONE)
                self.run_opm("mod", "apply", EXAMPLES / example, *release)
                self.assertEqual(self.run_opm("mod", "diff", EXAMPLES / example, *release).stdout, "")
                self.assertIn("unchanged", self.run_opm("mod", "apply", EXAMPLES / example, *release).stdout)
                self.run_opm("mod", "delete", EXAMPLES / example, *release)

    def test_changes_are_named_field_by_field(self):
        self.new_namespace()
        self.given(deployment("web", replicas=1), service("web"), config_map("file", text="one\ntwo\nthree\n"), config_map("old"))
        self.mod("apply")
        self.assertEqual(self.mod("diff").stdout, "")
        self.given(deployment("web", replicas=3, image="nginx:2"), service("web"), config_map("file", text="one\n2\nthree\n"),
                   config_map("new"))
        text = self.mod("diff", code=NOT_DONE).stdout
        self.assertIn(f"~ Deployment {self.namespace}/web (component main)", text)
        self.assertIn("    spec.replicas: 1 → 3\n", text)
        self.assertIn('    spec.template.spec.containers[name=main].image: "nginx:1" → "nginx:2"\n', text)
        self.assertIn("      -two\n      +2\n", text)
        self.assertIn(f"+ ConfigMap {self.namespace}/new (component main)", text)
        self.assertIn(f"- ConfigMap {self.namespace}/old (component main): no longer rendered, would be pruned", text)
        self.assertIn("1 added, 2 changed, 1 orphaned, 1 unchanged", text)
        parsed = json.loads(self.mod("diff", "-o", "json", code=NOT_DONE).stdout)
        self.assertEqual(parsed["summary"], {"added": 1, "changed": 2, "orphaned": 1, "unchanged": 1})
        changes = {change["path"]: change for item in parsed["objects"] for change in item.get("changes", [])}
        self.assertEqual((changes["spec.replicas"]["before"], changes["spec.replicas"]["after"]), (1, 3))
        # What was shown is what happens.
        self.mod("apply")
        self.assertEqual(self.mod("diff").stdout, "")
        self.assertEqual(self.live("Deployment", "web")["spec"]["replicas"], 3)

    def test_drift_shows(self):
        self.new_namespace()
        self.given(config_map("one", a="1"))
        self.mod("apply")
        self.cluster.merge(f"/api/v1/namespaces/{self.namespace}/configmaps/one", {"data": {"a": "changed"}})
        self.assertIn('data.a: "changed" → "1"', self.mod("diff", code=NOT_DONE).stdout)

    def test_secrets_stay_secret(self):
        self.new_namespace()
        self.given(secret("keys", password="hunter2", same="unchanging"))
        self.mod("apply")
        self.given(secret("keys", password="swordfish", same="unchanging"))
        for arguments in (["diff"], ["diff", "-o", "json"], ["apply", "--diff", "--dry-run"]):
            done = self.mod(*arguments, code=None)
            for word in ("hunter2", "swordfish", "aHVudGVyMg", "c3dvcmRmaXNo", "unchanging"):
                self.assertNotIn(word, done.stdout + done.stderr)
            self.assertRegex(done.stdout, r"<redacted sha256:f52fbd32>.*(\n.*)?<redacted sha256:[0-9a-f]{8}>")

    def test_colour_and_other_programs(self):
        self.new_namespace()
        self.given(config_map("one", a="1"))
        self.assertIn("\x1b[32m+ ConfigMap", self.mod("diff", "--color", "always", code=NOT_DONE).stdout)
        self.assertNotIn("\x1b", self.mod("diff", code=NOT_DONE).stdout)
        if shutil.which("diff"):
            done = self.mod("diff", code=NOT_DONE, KUBECTL_EXTERNAL_DIFF="diff -r -N")
            self.assertIn(">   a:", done.stdout)

    def test_programs_that_show_differences(self):
        self.new_namespace()
        self.given(config_map("one", a="1"), secret("keys", password="hunter2"))
        self.mod("apply")
        show = self.write("show", '#!/bin/sh\necho "words: $1"; shift; for d; do ls "$d"; cat "$d"/*; done; exit 1\n')
        show.chmod(0o755)
        # Nothing differs: it is not run.
        self.assertEqual(self.mod("diff", KUBECTL_EXTERNAL_DIFF=f"{show} --flag").stdout, "")
        self.given(config_map("one", a="2"), secret("keys", password="swordfish"))
        done = self.mod("diff", code=NOT_DONE, KUBECTL_EXTERNAL_DIFF=f"{show} --flag")
        self.assertIn("words: --flag", done.stdout)
        self.assertEqual(done.stdout.count(f"v1.ConfigMap.{self.namespace}.one\n"), 2)
        self.assertIn('a: "1"', done.stdout)
        self.assertIn('a: "2"', done.stdout)
        for word in ("hunter2", "swordfish", "aHVudGVyMg"):
            self.assertNotIn(word, done.stdout)
        # For programs it is never asked.
        json.loads(self.mod("diff", "-o", "json", code=NOT_DONE, KUBECTL_EXTERNAL_DIFF=str(show)).stdout)
        for program in ("/no/such/program", "sh -c false;exit\t3"):
            self.assertNotIn(self.mod("diff", code=None, KUBECTL_EXTERNAL_DIFF=program).returncode, (0,))
        self.assertIn("KUBECTL_EXTERNAL_DIFF", self.mod("diff", code=INVALID, KUBECTL_EXTERNAL_DIFF="/no/such/program").stderr)

    def test_errors_are_told_from_differences(self):
        self.new_namespace()
        broken = deployment("web")
        broken["spec"]["template"]["metadata"]["labels"] = {"app": "another"}
        self.given(broken)
        self.mod("diff", code=INVALID)


class MutatingAdmission(ReleaseTest):
    """A server that changes what it is given: nothing differs after an apply all the same."""

    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster(controllers=False, server_flags=[
            "--feature-gates=MutatingAdmissionPolicy=true", "--runtime-config=admissionregistration.k8s.io/v1beta1=true"])
        cls.addClassCleanup(cls.cluster.__exit__, None, None, None)

    def test_sc_007_what_the_server_changes_is_no_difference(self):
        self.new_namespace()
        base = "/apis/admissionregistration.k8s.io/v1beta1"
        rules = [{"apiGroups": ["", "apps"], "apiVersions": ["v1"], "resources": ["configmaps", "deployments"],
                  "operations": ["CREATE", "UPDATE"]}]
        self.cluster.create(base + "/mutatingadmissionpolicies", {
            "apiVersion": "admissionregistration.k8s.io/v1beta1", "kind": "MutatingAdmissionPolicy", "metadata": {"name": "mark"},
            "spec": {"matchConstraints": {"resourceRules": rules}, "failurePolicy": "Fail", "reinvocationPolicy": "Never",
                     "mutations": [{"patchType": "ApplyConfiguration", "applyConfiguration": {"expression":
                                    'Object{metadata: Object.metadata{annotations: {"example.com/mark": "by the server"}}}'}}]}})
        self.cluster.create(base + "/mutatingadmissionpolicybindings", {
            "apiVersion": "admissionregistration.k8s.io/v1beta1", "kind": "MutatingAdmissionPolicyBinding",
            "metadata": {"name": "mark"}, "spec": {"policyName": "mark"}})

        def marked():
            path = f"/api/v1/namespaces/{self.namespace}/configmaps"
            self.cluster.delete(path + "/probe")
            made = self.cluster.create(path, config_map("probe"))
            return "annotations" in made["metadata"]

        self.cluster.wait_until(marked, what="the policy")
        self.given(config_map("one", a="1"), deployment("web"))
        self.mod("apply")
        self.assertEqual(self.live("ConfigMap", "one")["metadata"]["annotations"], {"example.com/mark": "by the server"})
        self.assertEqual(self.mod("diff").stdout, "")
        versions = self.versions()
        self.assertIn("2 unchanged", self.mod("apply").stdout)
        self.assertEqual(self.versions(), versions)
        self.given(config_map("one", a="2"), deployment("web"))
        self.assertIn('    data.a: "1" → "2"\n0 added, 1 changed', self.mod("diff", code=NOT_DONE).stdout)


if __name__ == "__main__":
    unittest.main()
