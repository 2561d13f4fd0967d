#!/usr/bin/env python3
"""Renders with opm what stands in examples/, as a person would, and compares it with what the real cue made of the same
modules (tests/catalog/rendered); and what --dump-jobs writes, evaluated by the real cue and by opm.

  tests/render/render_test.py --opm OPM [--cue CUE] [unittest's arguments]"""

import json
import os
import subprocess
import unittest

from workbench import EXAMPLES, ROOT, TOOLS, Workbench, by_name, main

RENDERED = ROOT / "tests" / "catalog" / "rendered"


def folder_of(golden):
    """Modules in examples/ go by the name of their folder, others by their path."""
    return EXAMPLES / golden if (EXAMPLES / golden).is_dir() else ROOT / golden.replace("-", "/", 2)


class Examples(Workbench):
    def test_objects_are_those_that_cue_makes(self):
        for golden in sorted(RENDERED.glob("*.json")):
            with self.subTest(golden.stem):
                self.assertEqual(self.objects(folder_of(golden.stem)), json.loads(golden.read_text(encoding="utf-8")))

    def test_examples_are_without_warnings(self):
        for folder in sorted(EXAMPLES.glob("*/module.cue")):
            with self.subTest(folder.parent.name):
                self.assertEqual(self.opm("mod", "vet", "--strict", folder.parent).stderr, "")


class DumpedJobs(Workbench):
    def objects_of(self, tool, folder):
        run = subprocess.run([*tool, "export", "./jobs"], cwd=folder, capture_output=True, text=True, timeout=300,
                             check=False, env={**os.environ, "CUE_REGISTRY": "none"})
        self.assertEqual(run.returncode, 0, run.stderr)
        found = []
        for output in json.loads(run.stdout).values():
            if isinstance(output, list):
                found += output
            elif "apiVersion" in output:
                found.append(output)
            else:
                found += output.values()
        return by_name(found)

    def test_dumped_jobs_evaluate_to_the_same_resources(self):
        tools = {"opm": [TOOLS["opm"], "cue"]}
        if TOOLS["cue"]:
            tools["cue"] = [TOOLS["cue"]]
        for example in ("webapp", "shop", "config-heavy"):
            dump = self.folder / example
            objects = self.objects(EXAMPLES / example, "--dump-jobs", dump, "--show-secrets")
            self.assertTrue((dump / "jobs" / "1.cue").is_file())
            for name, tool in tools.items():
                with self.subTest(example=example, tool=name):
                    self.assertEqual(self.objects_of(tool, dump), objects)


if __name__ == "__main__":
    main()
