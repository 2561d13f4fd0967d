"""What the examples and the templates render to is accepted by a real API server, as kubectl sends it (SC-003)."""

import json
import pathlib

from fixture import ROOT, ClusterTest

# Kinds that come from operators. Their real definitions are theirs; what matters here is that everything else is checked.
OPERATORS = [("external-secrets.io", "v1", "ExternalSecret", "externalsecrets")]


class Examples(ClusterTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for group, version, kind, plural in OPERATORS:
            path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
            if cls.cluster.get(f"{path}/{plural}.{group}"):
                continue
            schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
            cls.cluster.create(path, {
                "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                "metadata": {"name": f"{plural}.{group}"},
                "spec": {"group": group, "scope": "Namespaced", "names": {"plural": plural, "kind": kind},
                         "versions": [{"name": version, "served": True, "storage": True,
                                       "schema": {"openAPIV3Schema": schema}}]}})
            cls.cluster.wait_until(lambda: cls.cluster.request("GET", f"/apis/{group}/{version}/{plural}")[0] == 200)

    def accepted(self, folder: pathlib.Path) -> None:
        namespace = self.new_namespace()
        rendered = self.run_opm("mod", "build", str(folder), "-n", namespace, "-o", "json").stdout
        objects = json.loads(rendered)
        self.assertTrue(objects)
        # Namespaces of the module itself would have to exist for a dry run of what is in them.
        for name in {each["metadata"].get("namespace", namespace) for each in objects} - {namespace}:
            if not self.cluster.get(f"/api/v1/namespaces/{name}"):
                self.cluster.create_namespace(name)
        stream = self.run_opm("mod", "build", str(folder), "-n", namespace).stdout
        for how in ("client", "server"):
            done = self.cluster.kubectl("apply", f"--dry-run={how}", "--validate=strict", "-o", "name", "-f", "-",
                                        input=stream, check=False)
            self.assertEqual(done.returncode, 0, f"{folder.name} ({how}):\n{done.stderr}")
            self.assertEqual(len(done.stdout.splitlines()), len(objects))
            self.assertNotIn("Warning", done.stderr)

    def test_templates(self):
        for template in ("minimal", "webapp", "stateful", "full"):
            with self.subTest(template=template):
                self.namespace = f"template-{template}"
                self.run_opm("mod", "init", str(self.work / template), "--template", template)
                self.accepted(self.work / template)


def _add(folder: pathlib.Path) -> None:
    def test(self):
        self.accepted(folder)
    setattr(Examples, "test_" + folder.name.replace("-", "_"), test)


for _folder in sorted((ROOT / "examples").iterdir()):
    if (_folder / "cue.mod").is_dir():
        _add(_folder)
