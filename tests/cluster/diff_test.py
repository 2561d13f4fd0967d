"""opm mod diff on a real server: it is true, and silent when there is nothing to say."""

import json
import shutil
import unittest

from fixture import INVALID, NOT_DONE
from releases import EXAMPLES, ReleaseTest, config_map, deployment, secret, service


class Diff(ReleaseTest):
    def test_sc_007_nothing_differs_after_an_apply(self):
        self.new_namespace()
        for example in sorted(path.name for path in EXAMPLES.iterdir() if (path / "cue.mod").exists()):
            kinds = json.loads(self.run_opm("mod", "build", EXAMPLES / example, "-n", self.namespace, "-o", "json").stdout)
            if any(item["apiVersion"].split("/")[0] in ("gateway.networking.k8s.io", "external-secrets.io") for item in kinds):
                continue  # this cluster does not have them
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

    def test_errors_are_told_from_differences(self):
        self.new_namespace()
        broken = deployment("web")
        broken["spec"]["template"]["metadata"]["labels"] = {"app": "another"}
        self.given(broken)
        self.mod("diff", code=INVALID)


if __name__ == "__main__":
    unittest.main()
