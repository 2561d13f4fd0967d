"""src/kube and a real server: who may get in, what is found there, and what is written."""

import base64
import json
import pathlib
import subprocess
import textwrap
import threading
import time

from cluster import UNKNOWN_TOKEN
from fixture import ClusterTest
from proxies import ConnectProxy, TcpProxy


def config_map(namespace: str, name: str, data=None, **metadata) -> dict:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace, **metadata},
            "data": data or {"key": "value"}}


def deployment(namespace: str, name: str, replicas: int | None = 2) -> dict:
    labels = {"app": name}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name, "namespace": namespace},
            "spec": {**({"replicas": replicas} if replicas is not None else {}), "selector": {"matchLabels": labels},
                     "template": {"metadata": {"labels": labels},
                                  "spec": {"containers": [{"name": "main", "image": "example.com/app:1"}]}}}}


class ProbeTest(ClusterTest):
    def write(self, *objects: dict, name: str = "objects.yaml"):
        path = self.work / name
        path.write_text("\n---\n".join(json.dumps(each) for each in objects))
        return path

    def apply(self, *objects: dict, words=(), **more) -> list[dict]:
        return self.probe("apply", self.write(*objects), *words, **more)


class WhoMayGetIn(ProbeTest):
    def ask(self, user: dict | None = None, cluster: dict | None = None, name: str = "admin", **more) -> dict:
        path = self.cluster.write_kubeconfig(name, user, cluster, folder=self.work)
        return self.probe("list", "v1", "Namespace", "", kubeconfig=path, **more)[0]

    def test_token(self):
        self.assertIn("object", self.ask())

    def test_unknown_token(self):
        answer = self.ask(name="unknown")
        self.assertEqual((answer["failure"], answer["status"]), ("unauthorized", 401))
        self.assertNotIn(UNKNOWN_TOKEN, json.dumps(answer))

    def test_no_credentials_and_too_few_rights(self):
        for name in ("nobody", "limited"):
            answer = self.ask(name=name)
            self.assertEqual((answer["failure"], answer["status"]), ("forbidden", 403), answer)
        self.assertIn('User "limited" cannot list resource "namespaces"', answer["message"])

    def test_token_that_ran_out(self):
        self.cluster.wait_until(lambda: self.cluster.get("/api/v1/namespaces/default/serviceaccounts/default"))
        good, expired = self.cluster.account_token(), self.cluster.account_token(lifetime=-60)
        self.assertEqual(self.ask(user={"token": good})["failure"], "forbidden")  # known, but may do nothing
        answer = self.ask(user={"token": expired})
        self.assertEqual((answer["failure"], answer["status"]), ("unauthorized", 401))
        self.assertIn("log in again", answer["advice"])
        self.assertNotIn(expired, json.dumps(answer))

    def test_certificate_by_file_and_inline(self):
        self.assertIn("object", self.ask(name="certificate"))
        files = self.cluster.user("certificate")
        inline = {key + "-data": base64.b64encode(pathlib.Path(path).read_bytes()).decode() for key, path in files.items()}
        authority = base64.b64encode(self.cluster.certificate.read_bytes()).decode()
        self.assertIn("object", self.ask(user=inline, cluster={"certificate-authority": None,
                                                                "certificate-authority-data": authority}))

    def test_token_file(self):
        (self.work / "token").write_text(self.cluster.user("admin")["token"] + "\n")
        self.assertIn("object", self.ask(user={"tokenFile": "token"}))

    def plugin(self, token: str, more: str = "") -> dict:
        script = self.work / "login"
        script.write_text(textwrap.dedent(f"""\
            #!/bin/sh
            echo run >> {self.work}/runs
            {more}
            printf '{{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{{"token":"{token}"}}}}'
            """))
        script.chmod(0o755)
        return {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "./login", "interactiveMode": "Never"}}

    def test_plugin_runs_once(self):
        user = self.plugin(self.cluster.user("admin")["token"])
        path = self.cluster.write_kubeconfig("admin", user, folder=self.work)
        self.assertEqual(self.probe("repeat", "30", "v1", "Namespace", "", "default", kubeconfig=path)[0], {"good": 30})
        self.assertEqual((self.work / "runs").read_text(), "run\n")

    def test_plugin_is_asked_again_when_its_answer_is_refused(self):
        answer = self.ask(user=self.plugin(UNKNOWN_TOKEN))
        self.assertEqual(answer["failure"], "unauthorized")
        # Two questions are asked at the same time, and the later may begin with what the earlier had renewed.
        self.assertIn((self.work / "runs").read_text().count("run"), (2, 3))

    def test_plugin_that_fails(self):
        answer = self.ask(user=self.plugin("x", "echo 'session expired' >&2; exit 4"))
        self.assertEqual(answer["failure"], "configuration")
        self.assertIn("it ended with exit code 4: session expired", answer["message"])

    def test_plugin_of_a_repository(self):
        path = self.cluster.write_kubeconfig("admin", self.plugin(self.cluster.user("admin")["token"]), folder=self.work)
        answer = self.probe("--untrusted", "version", kubeconfig=path)[0]
        self.assertIn("wants to run", answer["message"])
        self.assertRegex(answer["place"], r"admin\.kubeconfig:\d+:\d+$")
        self.assertFalse((self.work / "runs").exists())
        self.assertIn("version", self.probe("--untrusted", "--allow-exec", "version", kubeconfig=path)[0])

    def test_acting_as_somebody_else(self):
        answer = self.probe("--as=bob", "list", "v1", "Namespace", "")[0]
        self.assertIn('User "bob" cannot list', answer["message"])

    def test_certificate_of_another_server(self):
        other = self.work / "other.crt"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-subj", "/CN=other", "-keyout", self.work / "other.key", "-out", other], check=True,
                       capture_output=True)
        answer = self.ask(cluster={"certificate-authority": str(other)})
        self.assertEqual(answer["failure"], "unreachable")
        self.assertIn("is not trusted", answer["message"])
        answer = self.ask(cluster={"certificate-authority": None})
        self.assertIn("is not trusted", answer["message"])
        self.assertIn("object", self.ask(cluster={"certificate-authority": None, "insecure-skip-tls-verify": True}))

    def test_name_in_the_certificate(self):
        self.assertIn("object", self.ask(cluster={"tls-server-name": "kubernetes.default"}))
        answer = self.ask(cluster={"tls-server-name": "elsewhere.example"})
        self.assertIn("is not trusted", answer["message"])

    def test_proxy(self):
        with ConnectProxy() as proxy:
            self.assertIn("object", self.ask(cluster={"proxy-url": proxy.url}))
            self.assertEqual(set(proxy.targets), {f"127.0.0.1:{self.cluster.port}"})

    def test_nobody_there(self):
        with TcpProxy(1) as proxy:
            gone = proxy.server
        started = time.monotonic()
        answer = self.ask(cluster={"server": gone})
        self.assertEqual(answer["failure"], "unreachable")
        self.assertIn(f"cannot reach the cluster at {gone}", answer["message"])
        self.assertLess(time.monotonic() - started, 5)


class WhatIsThere(ProbeTest):
    def test_names_come_from_the_server_and_are_kept(self):
        cache = f"--cache={self.work}/kept"
        first = self.probe(cache, "resource", "networking.k8s.io/v1", "NetworkPolicy")
        self.assertEqual(first[0], {"plural": "networkpolicies", "namespaced": True, "status": False, "patch": True})
        self.assertEqual(first[-1], {"requests": 2})
        second = self.probe(cache, "resource", "v1", "Namespace")
        self.assertEqual(second[0], {"plural": "namespaces", "namespaced": False, "status": True, "patch": True})
        self.assertEqual(second[-1], {"requests": 0})

    def test_nothing_can_be_kept(self):
        lines = self.probe("--cache=/proc/no/such/folder", "resource", "v1", "Namespace")
        self.assertEqual(lines[0]["plural"], "namespaces")

    def test_kinds_that_are_new(self):
        cache = f"--cache={self.work}/kept"
        group = f"{self.namespace[-4:]}.example.com"
        answer = self.probe(cache, "resource", f"{group}/v1", "Gadget")[0]
        self.assertEqual(answer["failure"], "unknown_kind")
        self.assertIn("CustomResourceDefinition", answer["advice"])
        self.apply({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                    "metadata": {"name": f"gadgetz.{group}"},
                    "spec": {"group": group, "scope": "Cluster", "names": {"plural": "gadgetz", "kind": "Gadget"},
                             "versions": [{"name": "v1", "served": True, "storage": True,
                                           "schema": {"openAPIV3Schema": {"type": "object"}}}]}})
        found = self.cluster.wait_until(
            lambda: [line for line in self.probe(cache, "resource", f"{group}/v1", "Gadget") if "plural" in line], 10)
        self.assertEqual((found[0]["plural"], found[0]["namespaced"]), ("gadgetz", False))

    def test_pages(self):
        self.new_namespace()
        self.apply(*(config_map(self.namespace, f"m{i}") for i in range(7)))
        lines = self.probe("list", "v1", "ConfigMap", self.namespace, "2")
        names = {line["object"]["metadata"]["name"] for line in lines if "object" in line}
        self.assertLessEqual({f"m{i}" for i in range(7)}, names)
        self.assertTrue(all(line["object"]["kind"] == "ConfigMap" for line in lines if "object" in line))
        self.assertGreaterEqual(lines[-1]["requests"], 2 + 4)

    def test_not_there(self):
        answer = self.probe("get", "v1", "ConfigMap", "default", "no-such-thing")[0]
        self.assertEqual((answer["failure"], answer["status"]), ("not_found", 404))
        self.assertIn('cannot get configmaps "default/no-such-thing"', answer["message"])

    def test_many_at_once_over_one_connection(self):
        with TcpProxy(self.cluster.port) as proxy:
            path = self.cluster.write_kubeconfig("admin", cluster={"server": proxy.server}, folder=self.work)
            lines = self.probe("repeat", "200", "v1", "Namespace", "", "default", kubeconfig=path)
            self.assertEqual(lines[0], {"good": 200})
            self.assertEqual(proxy.connections, 1)

    def test_warnings_once(self):
        lines = self.probe("list", "v1", "ComponentStatus", "")
        warnings = [line["warning"] for line in lines if "warning" in line]
        self.assertEqual(warnings, ["v1 ComponentStatus is deprecated in v1.19+"])


class WhatIsWritten(ProbeTest):
    def setUp(self):
        super().setUp()
        self.new_namespace()

    def stored(self, name: str) -> dict | None:
        return self.cluster.get(f"/api/v1/namespaces/{self.namespace}/configmaps/{name}")

    def test_applying_twice_changes_nothing(self):
        first = self.apply(config_map(self.namespace, "a"), deployment(self.namespace, "web", 0))
        versions = [line["object"]["metadata"]["resourceVersion"] for line in first if "object" in line]
        self.assertEqual(len(versions), 2)
        second = self.apply(config_map(self.namespace, "a"))
        self.assertEqual(second[0]["object"]["metadata"]["resourceVersion"], versions[0])
        self.assertEqual([entry["manager"] for entry in self.stored("a")["metadata"]["managedFields"]], ["opm"])

    def test_dry_run_stores_nothing(self):
        answer = self.apply(config_map(self.namespace, "a"), words=["dry-run"])[0]
        self.assertEqual(answer["object"]["data"], {"key": "value"})
        self.assertIsNone(self.stored("a"))

    def test_fields_of_others(self):
        self.apply(deployment(self.namespace, "web", 1))
        self.apply(deployment(self.namespace, "web", 2), words=["force", "manager=alice"])
        answer = self.apply(deployment(self.namespace, "web", 3))[0]
        self.assertEqual((answer["failure"], answer["status"]), ("conflict", 409))
        self.assertEqual(answer["conflicts"], [{"manager": "alice", "field": ".spec.replicas"}])
        answer = self.apply(deployment(self.namespace, "web", 3), words=["force"])[0]
        self.assertEqual(answer["object"]["spec"]["replicas"], 3)

    def test_objects_that_are_not_right(self):
        broken = deployment(self.namespace, "web")
        broken["spec"]["template"]["spec"]["containers"][0]["name"] = "Not A Name"
        answer = self.apply(broken)[0]
        self.assertEqual((answer["failure"], answer["status"]), ("invalid", 422))
        self.assertEqual([cause["field"] for cause in answer["causes"]], ["spec.template.spec.containers[0].name"])

    def test_what_a_secret_holds_is_in_no_message(self):
        def secret(**fields):
            return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": self.namespace}, **fields}
        for broken in (secret(data={"key": "not-base64-hunter22"}), secret(stringData={"key": 12345678}),
                       secret(data={"key": 12345678}), secret(data={"Bad Key": "aHVudGVyMjI="}),
                       secret(stringData={"hunter": ["hunter22"]}), secret(type="kubernetes.io/tls", data={"x": "aHVudGVyMjI="})):
            with self.subTest(broken=broken):
                answer = self.apply(broken)[0]
                self.assertEqual(answer["failure"], "invalid", answer)
                for value in ("hunter22", "12345678", "aHVudGVyMjI="):
                    self.assertNotIn(value, json.dumps(answer))

    def test_missing_namespace(self):
        answer = self.apply(config_map("not-there", "a"))[0]
        self.assertEqual(answer["failure"], "not_found")
        self.assertIn('namespaces "not-there" not found', answer["message"])

    def test_creating_what_is_there(self):
        path = self.write(config_map(self.namespace, "a"))
        self.assertIn("object", self.probe("create", path)[0])
        self.assertEqual(self.probe("create", path)[0]["failure"], "already_exists")

    def test_deleting_that_very_object(self):
        self.apply(config_map(self.namespace, "a"))
        uid = self.stored("a")["metadata"]["uid"]
        words = ["delete", "v1", "ConfigMap", self.namespace, "a"]
        answer = self.probe(*words, "uid=00000000-0000-0000-0000-000000000000")[0]
        self.assertEqual(answer["failure"], "conflict")
        self.assertIsNotNone(self.stored("a"))
        self.assertNotIn("failure", self.probe(*words, f"uid={uid}")[0])
        self.assertIsNone(self.stored("a"))
        self.assertEqual(self.probe(*words)[0]["failure"], "not_found")

    def test_rights_for_one_kind(self):
        self.cluster.allow("limited", self.namespace, [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["*"]}])
        path = self.cluster.write_kubeconfig("limited", folder=self.work)
        lines = self.apply(config_map(self.namespace, "a"), deployment(self.namespace, "web"), kubeconfig=path)
        self.assertIn("object", lines[0])
        self.assertEqual(lines[1]["failure"], "forbidden")

    def test_health_of_a_deployment(self):
        self.apply(deployment(self.namespace, "web", 2))
        words = ["health", "apps/v1", "Deployment", self.namespace, "web"]
        pods = f"/api/v1/namespaces/{self.namespace}/pods"
        self.cluster.wait_until(lambda: len(self.cluster.list(pods)) == 2, what="two pods")
        self.assertEqual(self.probe(*words)[0]["health"], "Progressing")
        self.assertEqual(self.cluster.mark_pods_ready(self.namespace), 2)
        health = self.cluster.wait_until(
            lambda: next((line for line in self.probe(*words) if line.get("health") == "Healthy"), None), what="health")
        self.assertEqual(health["message"], "2 of 2 replicas available")


class WhatHappens(ProbeTest):
    def watch(self, kubeconfig, milliseconds: int, during) -> list[tuple[str, str]]:
        """What a watch tells while `during` does things."""
        lines: list = []
        thread = threading.Thread(target=lambda: lines.extend(
            self.probe("watch", "v1", "ConfigMap", self.namespace, milliseconds, kubeconfig=kubeconfig)))
        thread.start()
        try:
            time.sleep(0.7)
            during()
        finally:
            thread.join()
        self.assertFalse([line for line in lines if "failure" in line], lines)
        return [(line["event"], line["name"]) for line in lines if line.get("name", "kube-root-ca.crt") != "kube-root-ca.crt"
                or line.get("event") == "synced"]

    def test_watch(self):
        self.new_namespace()
        self.apply(config_map(self.namespace, "before"))

        def during():
            self.apply(config_map(self.namespace, "new"))
            self.apply(config_map(self.namespace, "new", {"key": "other"}))
            self.cluster.delete(f"/api/v1/namespaces/{self.namespace}/configmaps/before")

        events = self.watch(None, 3000, during)
        self.assertEqual(events, [("present", "before"), ("synced", ""), ("present", "new"), ("present", "new"),
                                  ("deleted", "before")])

    def test_watch_goes_on_after_its_connection_broke(self):
        self.new_namespace()
        with TcpProxy(self.cluster.port) as proxy:
            path = self.cluster.write_kubeconfig("admin", cluster={"server": proxy.server}, folder=self.work)

            def during():
                for i in range(3):
                    self.assertGreaterEqual(proxy.reset_all(), 1)
                    self.apply(config_map(self.namespace, f"m{i}"))
                    time.sleep(0.5)

            events = self.watch(path, 4000, during)
        self.assertEqual([event for event in events if event[0] == "present"], [("present", f"m{i}") for i in range(3)])
