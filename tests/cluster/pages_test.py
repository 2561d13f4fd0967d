"""The commands for clusters that pages show, run one after the other on a real one, behind everything that the page does before."""

import contextlib
import json
import pathlib
import re
import subprocess
import sys

from fixture import OPM, ROOT, ClusterTest

sys.path.append(str(ROOT / "tests" / "docs"))
from docs_test import Page  # noqa: E402  (it stands in another folder)

SHELL = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Pages(ClusterTest):
    def follow(self, name, *expected):
        """`expected`: what each command has to say something of."""
        text = (ROOT / name).read_text(encoding="utf-8")
        [commands] = [block.splitlines() for block in SHELL.findall(text) if " apply " in block]
        self.assertEqual(len(commands), len(expected), commands)
        page = Page(ROOT / name, pathlib.Path(OPM), self.work / "page")
        page.run()
        self.assertEqual(page.failures, [])
        variables = {**page.environment, "KUBECONFIG": str(self.kubeconfig_with(re.findall(r'kubeContext: +"([^"]+)"', text)))}
        namespaces = {"default", *re.findall(r"-n (\S+)", "\n".join(commands)), *re.findall(r'namespace: +"([^"]+)"', text)}
        with contextlib.ExitStack() as stack:
            for namespace in namespaces:
                stack.enter_context(self.cluster.kubelet(namespace))
            for command, said in zip(commands, expected):
                done = subprocess.run(["sh", "-c", command], cwd=page.folder, env=variables, capture_output=True, text=True, timeout=180, check=False)
                differs = " diff " in command and said != "" and done.returncode == 1
                self.assertTrue(done.returncode == 0 or differs, f"{command}\n{done.stdout}{done.stderr}")
                self.assertIn(said, done.stdout + done.stderr, command)

    def kubeconfig_with(self, names):
        """That of the cluster, by other names too."""
        config = json.loads(self.cluster.kubeconfig.read_text())
        known = config["contexts"][0]
        config["contexts"] += [{**known, "name": name} for name in dict.fromkeys(names)]
        path = self.work / "kubeconfig"
        path.write_text(json.dumps(config))
        return path

    def test_the_tour(self):
        self.follow("README.md", "created", "Deployment", "debug", "1", "deleted")

    def test_the_tutorial(self):
        self.follow("docs/tutorial.md", "Deployment", "created", "Deployment", "deleted")

    def test_the_page_about_clusters(self):
        self.follow("docs/cluster.md", "wrote", "created", "Deployment", "", "deleted")
