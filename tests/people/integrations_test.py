#!/usr/bin/env python3
"""The action for GitHub and the template for GitLab, run step by step as those two run them: with the inputs and variables that
they say, their scripts by the shell that they say, until one fails.

  tests/people/integrations_test.py --opm OPM"""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
from xml.etree import ElementTree

from runner import main

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPM = ROOT / "build/release/opm"


def load(path):
    """YAML as plain data, by way of opm, which has a reader of its own."""
    return json.loads(subprocess.run([OPM, "cue", "export", path, "--out", "json"], capture_output=True, text=True, check=True).stdout)


class Integration(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "home").mkdir()
        (self.folder / "bin").mkdir()
        (self.folder / "bin/opm").symlink_to(OPM.resolve())
        kept = {name: value for name, value in os.environ.items() if not re.match("OPM_|CUE_|KUBECONFIG|XDG_", name)}
        self.environment = {**kept, "HOME": str(self.folder / "home"), "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        self.work = self.folder / "work"
        self.work.mkdir()
        self.shell("opm mod init shop --template webapp >/dev/null")

    def shell(self, script, variables=(), options="-eo pipefail"):
        return subprocess.run(["bash", "--noprofile", "--norc", *options.split(), "-c", script], cwd=self.work, text=True, timeout=120,
                              env={**self.environment, **dict(variables)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)

    def spoil(self):
        values = self.work / "shop/values.cue"
        values.write_text(values.read_text(encoding="utf-8").replace('"nginx:1.29"', "7"), encoding="utf-8")


class GitHub(Integration):
    """As a runner does with a composite action: expressions in the steps' variables and conditions are replaced by the inputs."""

    def run_action(self, **given):
        action = load(ROOT / "integrations/github/action.yml")
        self.assertEqual(action["runs"]["using"], "composite")
        self.assertLessEqual(set(given), set(action["inputs"]))
        inputs = {name: given.get(name, facts.get("default", "")) for name, facts in action["inputs"].items()}

        def filled(text):
            result = re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda match: inputs[match.group(1)], text)
            self.assertNotIn("${{", result)
            return result

        said = ""
        for step in action["runs"]["steps"]:
            self.assertEqual(step["shell"], "bash")
            # What a workflow gives goes to scripts as variables, never as text of the script: that could hold commands.
            self.assertNotIn("${{", step["run"])
            condition = re.fullmatch(r"inputs\.(\w+) != ''", step.get("if", "inputs.module != ''"))
            if not inputs[condition.group(1)]:
                continue
            done = self.shell(step["run"], {name: filled(value) for name, value in step["env"].items()})
            said += done.stdout
            if done.returncode != 0:
                return done.returncode, said
        return 0, said

    def test_a_module_that_is_right(self):
        code, said = self.run_action(module="shop", manifests="out", junit="junit.xml", strict="true")
        self.assertEqual((code, said), (0, ""))
        self.assertIn("deployment-web.yaml", [path.name for path in (self.work / "out").iterdir()])
        self.assertEqual(ElementTree.parse(self.work / "junit.xml").getroot().find("testsuite").get("failures"), "0")

    def test_a_mistake_is_told_beside_its_line_and_nothing_is_rendered(self):
        self.spoil()
        code, said = self.run_action(module="shop", manifests="out", junit="junit.xml")
        self.assertEqual(code, 2)
        self.assertRegex(said, r"(?m)^::error file=shop/\w+\.cue,line=\d+,col=\d+,title=\w+::values\.image: ")
        self.assertFalse((self.work / "out").exists())
        self.assertEqual(ElementTree.parse(self.work / "junit.xml").getroot().find("testsuite").get("failures"), "1")

    def test_values_of_several_files_with_names_that_shells_take_apart(self):
        (self.work / "my values.yaml").write_text("{}\n", encoding="utf-8")
        (self.work / "$(touch harm).yaml").write_text("{}\n", encoding="utf-8")
        code, said = self.run_action(module="shop", values="my values.yaml\n$(touch harm).yaml\n", manifests="out")
        self.assertEqual((code, said), (0, ""))
        self.assertFalse((self.work / "harm").exists())

    def test_without_manifests_only_the_check_runs(self):
        self.assertEqual(self.run_action(module="shop"), (0, ""))


class GitLab(Integration):
    """As a runner does: the lines of `script` one after the other, with the variables of the template under those of the job."""

    def run_job(self, **variables):
        job = load(ROOT / "integrations/gitlab/opm.yml")[".opm"]
        given = {**job["variables"], **variables}
        self.assertEqual(job["image"], "${OPM_IMAGE}")
        done = self.shell("\n".join(job["script"]), given)
        return done.returncode, done.stdout, job

    def test_a_module_that_is_right(self):
        code, said, job = self.run_job(OPM_MODULE="shop")
        self.assertEqual((code, said), (0, ""))
        # What it keeps is what the scripts have written.
        self.assertTrue(any((self.work / job["artifacts"]["paths"][0]).iterdir()))
        self.assertTrue((self.work / job["artifacts"]["reports"]["junit"]).is_file())

    def test_a_mistake_fails_the_job_and_is_in_the_report(self):
        self.spoil()
        code, said, job = self.run_job(OPM_MODULE="shop")
        self.assertEqual(code, 2)
        self.assertIn("values.image", said)
        report = ElementTree.parse(self.work / job["artifacts"]["reports"]["junit"]).getroot()
        self.assertIn("values.image", report.find(".//failure").text)
        self.assertEqual(job["artifacts"]["when"], "always")
        self.assertFalse((self.work / "manifests").exists())

    def test_flags(self):
        (self.work / "user.yaml").write_text("hostname: other.example.com\n", encoding="utf-8")
        self.assertEqual(self.run_job(OPM_MODULE="shop", OPM_FLAGS="--strict --user user.yaml")[0], 0)
        self.assertIn("other.example.com", (self.work / "manifests/ingress-web.yaml").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main(globals())
