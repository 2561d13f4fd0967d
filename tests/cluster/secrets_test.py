"""What the file tests of secrets render to is accepted by a real API server, with the definition of ExternalSecret installed."""

import base64
import json
import pathlib
import sys

from fixture import ROOT, ClusterTest

sys.path.insert(0, str(ROOT / "tests" / "golden"))
# Behind our own folder: both have tests of the same name.
sys.path.append(str(ROOT / "tests" / "render"))
import golden  # noqa: E402
from leaks import MARKER, LeakBench  # noqa: E402

CASES = ROOT / "tests" / "golden" / "cases" / "secrets"
TEXT = {"type": "string"}

# What ExternalSecrets hold, as far as modules make use of it; nothing else is let through.
EXTERNAL_SECRET = {
    "type": "object",
    "required": ["spec"],
    "properties": {"spec": {"type": "object", "properties": {
        "refreshInterval": TEXT,
        "secretStoreRef": {"type": "object", "properties": {
            "name": TEXT, "kind": {"type": "string", "enum": ["SecretStore", "ClusterSecretStore"]}}},
        "target": {"type": "object", "properties": {
            "name": TEXT, "immutable": {"type": "boolean"},
            "creationPolicy": {"type": "string", "enum": ["Owner", "Orphan", "Merge", "None"]}}},
        "data": {"type": "array", "items": {"type": "object", "required": ["secretKey", "remoteRef"], "properties": {
            "secretKey": TEXT,
            "remoteRef": {"type": "object", "required": ["key"], "properties": {"key": TEXT, "property": TEXT}}}}}}}},
}


class Secrets(ClusterTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        versions = [{"name": name, "served": True, "storage": name == "v1", "schema": {"openAPIV3Schema": EXTERNAL_SECRET}}
                    for name in ("v1", "v1beta1")]
        known = f"{path}/externalsecrets.external-secrets.io"
        # Another test may have installed one that lets more through, at one version.
        if cls.cluster.get(known):
            cls.cluster.merge(known, {"spec": {"versions": versions}})
        else:
            cls.cluster.create(path, {
                "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                "metadata": {"name": "externalsecrets.external-secrets.io"},
                "spec": {"group": "external-secrets.io", "scope": "Namespaced", "versions": versions,
                         "names": {"plural": "externalsecrets", "kind": "ExternalSecret"}}})
        for version in ("v1", "v1beta1"):
            address = f"/apis/external-secrets.io/{version}/externalsecrets"
            cls.cluster.wait_until(lambda address=address: cls.cluster.request("GET", address)[0] == 200)

    def unpack(self, case: pathlib.Path) -> None:
        for name, content in golden.parse(case.read_text(encoding="utf-8")).files:
            target = self.work / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content, encoding="utf-8")

    def test_no_command_tells_a_secret(self):
        """Not even when the server refuses an object and quotes from it."""
        namespace = self.new_namespace()
        self.unpack(CASES / "scenario_b_literal_secret.golden")
        values, components = self.work / "shop/values.cue", self.work / "shop/components.cue"

        def told(*words: str, code: int | None = 0) -> str:
            done = self.run_opm("mod", *words, "-n", namespace, code=code)
            text = done.stdout + done.stderr
            for secret in (MARKER, base64.b64encode(MARKER.encode()).decode()):
                self.assertNotIn(secret, text, words)
            return text

        values.write_text(values.read_text().replace("my-secret", MARKER))
        plain = components.read_text()
        label = 'metadata: labels: odd: "\\(#config.db.password.value) !"'
        components.write_text(plain.replace("workload.#Container\n", f"workload.#Container\n\t{label}\n"))
        for words in (("apply", "shop"), ("apply", "shop", "--dry-run"), ("diff", "shop")):
            self.assertIn("<redacted sha256:", told(*words, code=None))
        # Neither when it only warns of one.
        port = 'ports: web: {targetPort: 80, hostIP: #config.db.password.value}'
        components.write_text(plain.replace('"nginx:1.29"', f'"nginx:1.29"\n\t\t{port}'))
        self.assertIn("<redacted sha256:", told("apply", "shop"))
        components.write_text(plain.replace('"nginx:1.29"', '"nginx:1.29"\n\t\targs: ["--url=\\(#config.db.password.value)"]'))
        self.assertIn("<redacted sha256:", told("diff", "shop", code=1))
        told("apply", "shop", "--verbose", "--timings")
        values.write_text(values.read_text().replace(MARKER, MARKER + "2"))
        self.assertIn("<redacted sha256:", told("diff", "shop", code=1))
        self.assertIn("<redacted sha256:", told("diff", "shop", "-o", "json", code=1))
        told("apply", "shop", "--diff")
        for output in ("table", "wide", "json", "yaml"):
            told("status", "shop", "-o", output, code=None)
        told("delete", "shop")

    def release(self, namespace: str, container: str, secret: str) -> pathlib.Path:
        """A package with a release in an environment on this cluster, and the kubeconfig that has its context."""
        bench = LeakBench()
        bench.folder = self.work
        bench.release(container=container, environment=f'values: db: password: value: "{secret}"')
        releases = self.work / "apps/releases.cue"
        releases.write_text(releases.read_text().replace('namespace: "prod"', f'namespace: "{namespace}"'))
        config = json.loads(self.cluster.kubeconfig.read_text())
        config["contexts"][0]["name"] = config["current-context"] = "nowhere"
        kubeconfig = self.work / "kubeconfig"
        kubeconfig.write_text(json.dumps(config))
        return kubeconfig

    def test_no_command_of_releases_tells_a_secret(self):
        namespace = self.new_namespace()
        plain = 'args: ["--url=postgres://x:\\(#config.db.password.value)@db"]'
        refused = 'ports: web: {targetPort: 80, hostIP: "\\(#config.db.password.value) !"}'

        def told(*words: str, container: str = plain, secret: str = MARKER, code: int | None = 0, **environment: str) -> str:
            kubeconfig = self.release(namespace, container, secret)
            done = self.run_opm(*words, kubeconfig=kubeconfig, code=code, **environment)
            text = done.stdout + done.stderr
            for form in (secret, base64.b64encode(secret.encode()).decode()):
                self.assertNotIn(form, text, words)
            return text

        here = ("-C", "apps", "-e", "prod")
        # The server warns of what is no address, and refuses what is no label; it quotes both.
        label = f'{plain}\n\t}}\n\tmetadata: labels: odd: "\\(#config.db.password.value) !"\n\tspec: container: {{'
        for words in (("apply", "shop", *here), ("apply", "shop", *here, "--dry-run"), ("diff", "shop", *here), ("apply", "shop", *here, "--diff")):
            self.assertIn("<redacted sha256:", told(*words, container=label, code=None))
        told("apply", "shop", *here, container=refused, code=None)
        self.assertIn("<redacted sha256:", told("diff", "shop", *here, code=1))
        told("apply", "shop", *here, "-v", "--timings")
        for output in ("text", "json"):
            self.assertIn("<redacted sha256:", told("diff", "shop", *here, "-o", output, secret=MARKER + "2", code=1))
        # Another program is shown what is compared in files.
        shown = told("diff", "shop", *here, secret=MARKER + "2", code=1, KUBECTL_EXTERNAL_DIFF="diff -r -u")
        self.assertIn("<redacted sha256:", shown)
        told("apply", "shop", *here, "--diff", secret=MARKER + "2")
        for output in ("table", "wide", "json", "yaml"):
            told("status", "shop", *here, "-o", output, code=None)
        for output in ("table", "json", "yaml"):
            told("release", "list", "-n", namespace, "-o", output)
            told("release", "history", "shop", "-n", namespace, "-o", output)
        told("release", "rollback", "shop", "-n", namespace, "--module", "apps/shop", "--use-local", "--dry-run", "--diff", code=None)
        told("delete", "shop", *here, "--dry-run")
        told("delete", "shop", *here)

    def test_going_back_tells_no_secret(self):
        """The values of earlier changes are kept in the cluster; they come back as secrets."""
        namespace = self.new_namespace()
        self.unpack(CASES / "scenario_b_literal_secret.golden")
        values, components = self.work / "shop/values.cue", self.work / "shop/components.cue"
        components.write_text(components.read_text().replace('"nginx:1.29"', '"nginx:1.29"\n\t\targs: ["--url=\\(#config.db.password.value)"]'))
        for secret in (MARKER, MARKER + "2"):
            values.write_text(values.read_text().replace(MARKER if secret != MARKER else "my-secret", secret))
            self.run_opm("mod", "apply", "shop", "-n", namespace)
        for more in (["--dry-run", "--diff"], ["--diff"]):
            done = self.run_opm("release", "rollback", "shop", "-n", namespace, "--module", "shop", *more)
            self.assertNotIn(MARKER, done.stdout + done.stderr)
            self.assertIn("<redacted sha256:", done.stdout)
        secret = self.cluster.get(f"/api/v1/namespaces/{namespace}/secrets/db-credentials")
        self.assertEqual(base64.b64decode(secret["data"]["password"]).decode(), MARKER)
        # A server that refuses what came back quotes from it.
        components.write_text(components.read_text().replace("workload.#Container\n", 'workload.#Container\n\tmetadata: labels: odd: "\\(#config.db.password.value) !"\n'))
        done = self.run_opm("release", "rollback", "shop", "-n", namespace, "--module", "shop", code=None)
        self.assertNotEqual(done.returncode, 0)
        self.assertNotIn(MARKER, done.stdout + done.stderr)
        self.assertIn("<redacted sha256:", done.stderr)

    def accepted(self, case: pathlib.Path) -> None:
        namespace = self.new_namespace()
        self.unpack(case)
        stream = self.run_opm("mod", "build", "shop", "-n", namespace).stdout
        done = self.cluster.kubectl("apply", "--dry-run=server", "--validate=strict", "-o", "name", "-f", "-", input=stream, check=False)
        self.assertEqual(done.returncode, 0, f"{case.name}:\n{done.stderr}")
        self.assertEqual(len(done.stdout.splitlines()), stream.count("\n---\n") + 1)
        self.assertNotIn("Warning", done.stderr)


def _add(case: pathlib.Path) -> None:
    def test(self):
        self.accepted(case)
    setattr(Secrets, "test_" + case.stem, test)


for _case in sorted(CASES.glob("*.golden")):
    if _case.stem not in ("bad_input", "releases", "template_mistakes"):
        _add(_case)
