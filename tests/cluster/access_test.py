"""Who may do what with releases, through the commands that people use: what is refused, with which exit code, and that credentials
are had once and told to nobody."""

import json
import pathlib
import shutil
import subprocess
import unittest

from cluster import UNKNOWN_TOKEN, Cluster
from fixture import DENIED, OPM, UNREACHABLE
from releases import ReleaseTest, config_map, deployment, service

EVERYTHING = ["get", "list", "watch", "create", "update", "patch", "delete"]
COMMANDS = ("apply", "diff", "status", "delete")


def has_namespaces() -> bool:
    """Whether a process here may have mounts of its own."""
    return bool(shutil.which("unshare")) and subprocess.run(
        ["unshare", "--mount", "--map-root-user", "true"], capture_output=True).returncode == 0


class Access(ReleaseTest):
    def setUp(self):
        super().setUp()
        self.new_namespace()
        self.given(config_map("one"), service("web"))

    def refused(self, code, *words, **settings):
        """What each of the commands says to that."""
        for command in COMMANDS:
            with self.subTest(command):
                done = self.mod(command, code=code, **settings)
                self.assertEqual(done.stdout, "")
                for word in words:
                    self.assertIn(word, done.stderr)
        self.assertEqual(self.versions(), {})

    def test_the_certificate_of_another_server(self):
        other = self.work / "other.crt"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-subj", "/CN=other", "-keyout", self.work / "other.key", "-out", other], check=True, capture_output=True)
        kubeconfig = self.cluster.write_kubeconfig("admin", cluster={"certificate-authority": str(other)}, folder=self.work)
        since = self.cluster.audit_position()
        self.refused(UNREACHABLE, "is not trusted", "certificate-authority", kubeconfig=kubeconfig)
        self.assertEqual([event for event in self.cluster.audit(since) if event.get("userAgent", "").startswith("opm")], [])

    def test_a_name_that_the_certificate_does_not_have(self):
        kubeconfig = self.cluster.write_kubeconfig("admin", cluster={"tls-server-name": "elsewhere.example"}, folder=self.work)
        self.refused(UNREACHABLE, "is not trusted", "tls-server-name", kubeconfig=kubeconfig)

    def test_a_token_that_ran_out(self):
        self.cluster.wait_until(lambda: self.cluster.get("/api/v1/namespaces/default/serviceaccounts/default"))
        expired = self.cluster.account_token(lifetime=-60)
        kubeconfig = self.cluster.write_kubeconfig("admin", user={"token": expired}, folder=self.work)
        self.refused(DENIED, "log in again", kubeconfig=kubeconfig)
        self.assertNotIn(expired, self.mod("apply", kubeconfig=kubeconfig, code=DENIED).stderr)

    def test_a_token_that_nobody_knows(self):
        self.refused(DENIED, kubeconfig=self.cluster.write_kubeconfig("unknown", folder=self.work))
        done = self.run_opm("release", "list", "-n", self.namespace, code=DENIED,
                            kubeconfig=self.cluster.write_kubeconfig("unknown", folder=self.work))
        self.assertNotIn(UNKNOWN_TOKEN, done.stderr)

    def test_too_few_rights(self):
        kubeconfig = self.cluster.write_kubeconfig("limited", folder=self.work)
        self.refused(DENIED, 'User "limited" cannot', kubeconfig=kubeconfig)
        for words in (["list"], ["list", "-A"], ["history", "thing"]):
            where = [] if "-A" in words else ["-n", self.namespace]
            self.assertIn('User "limited" cannot', self.run_opm("release", *words, *where, kubeconfig=kubeconfig, code=DENIED).stderr)
        # Rights for one kind of two: told for the other before anything is written.
        self.cluster.allow("limited", self.namespace, [{"apiGroups": [""], "resources": ["configmaps", "secrets"], "verbs": EVERYTHING}])
        done = self.mod("apply", kubeconfig=kubeconfig, code=DENIED)
        self.assertIn(f"Service {self.namespace}/web", done.stderr)
        self.assertEqual(self.versions(), {})

    def test_acting_as_somebody_else(self):
        refused = self.mod("apply", "--as", "bob", code=DENIED)
        self.assertIn('User "bob" cannot', refused.stderr)
        since = self.cluster.audit_position()
        self.mod("apply", "--as", "bob", "--as-group", "system:masters")
        writes = [event for event in self.cluster.audit(since) if event["verb"] == "patch"]
        self.assertEqual({(event["user"]["username"], event["impersonatedUser"]["username"]) for event in writes}, {("admin", "bob")})
        self.mod("status", "--as", "bob", "--as-group", "system:masters")

    def plugin(self, token):
        script = self.work / "login"
        script.write_text(f"#!/bin/sh\necho run >> {self.work}/runs\nprintf '%s' '" + json.dumps({
            "kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "status": {"token": token}}) + "'\n")
        script.chmod(0o755)
        return self.cluster.write_kubeconfig("admin", folder=self.work, user={"exec": {
            "apiVersion": "client.authentication.k8s.io/v1", "command": "./login", "interactiveMode": "Never"}})

    def test_a_plugin_runs_once_for_an_apply(self):
        self.given(*[config_map(f"c{i}") for i in range(40)])
        self.mod("apply", kubeconfig=self.plugin(self.cluster.user("admin")["token"]))
        self.assertEqual((self.work / "runs").read_text(), "run\n")

    def test_a_plugin_whose_token_is_refused(self):
        done = self.mod("apply", kubeconfig=self.plugin(UNKNOWN_TOKEN), code=DENIED)
        self.assertIn((self.work / "runs").read_text().count("run"), (2, 3))  # once more, then it is told
        self.assertNotIn(UNKNOWN_TOKEN, done.stdout + done.stderr)

    def test_warnings_of_the_server_are_told_once(self):
        objects = [deployment(f"d{i}", replicas=0) for i in range(3)]
        for item in objects:
            item["spec"]["template"]["spec"]["nodeSelector"] = {"beta.kubernetes.io/os": "linux"}
        self.given(*objects)
        done = self.mod("apply")
        self.assertEqual(done.stderr.count("beta.kubernetes.io/os"), 1, done.stderr)
        self.assertIn("3 created", done.stdout)

    @unittest.skipUnless(has_namespaces(), "no mounts of one's own here")
    def test_what_a_pod_finds_around_it(self):
        self.cluster.wait_until(lambda: self.cluster.get(f"/api/v1/namespaces/{self.namespace}/serviceaccounts/default"))
        self.cluster.allow(f"system:serviceaccount:{self.namespace}:default", self.namespace, [
            {"apiGroups": [""], "resources": ["configmaps", "secrets", "services"], "verbs": EVERYTHING}])
        account = self.work / "account"
        account.mkdir()
        (account / "token").write_text(self.cluster.account_token(f"system:serviceaccount:{self.namespace}:default"))
        (account / "ca.crt").write_bytes(self.cluster.certificate.read_bytes())
        (account / "namespace").write_text(self.namespace)
        inner = ("mount -t tmpfs tmpfs /run && mkdir -p /run/secrets/kubernetes.io && "
                 f"cp -r {account} /run/secrets/kubernetes.io/serviceaccount && exec \"$@\"")

        def in_a_pod(*words):
            return subprocess.run(["unshare", "--mount", "--map-root-user", "sh", "-c", inner, "sh", OPM, *map(str, words)],
                                  capture_output=True, text=True, cwd=self.work, timeout=60, env=self.environment(
                                      KUBERNETES_SERVICE_HOST="127.0.0.1", KUBERNETES_SERVICE_PORT=str(self.cluster.port)))

        self.assertEqual(pathlib.Path("/var/run").resolve(), pathlib.Path("/run"))
        since = self.cluster.audit_position()
        done = in_a_pod("mod", "apply", self.work / "thing", "--config", self.work / "config/config.cue")
        self.assertEqual(done.returncode, 0, done.stderr)
        who = {event["user"]["username"] for event in self.cluster.audit(since) if event["verb"] == "patch"}
        self.assertEqual(who, {f"system:serviceaccount:{self.namespace}:default"})
        listed = in_a_pod("release", "list", "-o", "json")  # in its own namespace
        self.assertEqual([item["name"] for item in json.loads(listed.stdout)], ["thing"], listed.stderr)

    @unittest.skipUnless(has_namespaces(), "no mounts of one's own here")
    def test_the_disk_is_full_while_caching(self):
        full = self.work / "full"
        full.mkdir()
        inner = (f"mount -t tmpfs -o size=16k tmpfs {full} && (cat /dev/zero > {full}/filler 2>/dev/null; "
                 f"! echo x > {full}/more) 2>/dev/null && exec \"$@\"")

        def with_full_disk(command, *words):
            return subprocess.run(["unshare", "--mount", "--map-root-user", "sh", "-c", inner, "sh", OPM, "mod", command,
                                   str(self.work / "thing"), "--config", str(self.work / "config/config.cue"), *words],
                                  capture_output=True, text=True, cwd=self.work, timeout=60, env={
                                      **self.environment(KUBECONFIG=str(self.cluster.kubeconfig)), "XDG_CACHE_HOME": str(full),
                                      "HOME": str(full), "CUE_CACHE_DIR": str(full / "cue")})

        for command in ("apply", "diff", "status", "delete"):
            done = with_full_disk(command)
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
        self.assertEqual(self.versions(), {})

    def test_a_cache_that_makes_no_sense(self):
        self.mod("apply")
        kept = list((self.work / "cache/opm/kube").glob("discovery-*.json"))
        self.assertEqual(len(kept), 1)
        for content in ("", "{", kept[0].read_text()[:500], '{"server": "https://elsewhere/"}'):
            kept[0].write_text(content)
            self.mod("status")
            self.assertGreater(kept[0].stat().st_size, 1000)


class TwoClusters(ReleaseTest):
    def test_contexts_lead_to_their_clusters(self):
        """The same release in both: what happens in one does not happen in the other."""
        with Cluster(controllers=False) as other:
            for cluster in (self.cluster, other):
                cluster.create_namespace(self.namespace)
            merged = json.loads(self.cluster.kubeconfig.read_text())
            for part, name in (("clusters", "test"), ("users", "admin")):
                second = json.loads(other.kubeconfig.read_text())[part][0]
                merged[part].append({**second, "name": "second"})
            merged["contexts"].append({"name": "second", "context": {"cluster": "second", "user": "second"}})
            kubeconfig = self.write("both.kubeconfig", json.dumps(merged))
            self.given(config_map("one", a="1"))
            self.mod("apply", kubeconfig=kubeconfig)
            self.given(config_map("one", a="2"))
            self.mod("apply", "--context", "second", kubeconfig=kubeconfig)
            path = f"/api/v1/namespaces/{self.namespace}/configmaps/one"
            self.assertEqual((self.cluster.get(path)["data"], other.get(path)["data"]), ({"a": "1"}, {"a": "2"}))
            self.mod("delete", "--context", "second", kubeconfig=kubeconfig)
            self.assertIsNotNone(self.cluster.get(path))
            self.assertIsNone(other.get(path))


if __name__ == "__main__":
    unittest.main()
