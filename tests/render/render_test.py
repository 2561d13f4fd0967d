#!/usr/bin/env python3
"""Renders with opm what stands in examples/, as a person would, and compares it with what the real cue made of the same
modules (tests/catalog/rendered).

  tests/render/render_test.py --opm OPM [unittest's arguments]"""

import json
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
RENDERED = ROOT / "tests" / "catalog" / "rendered"
OPM = "opm"


def opm(*arguments, **settings):
    return subprocess.run([OPM, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False, **settings)


def objects(text):
    return {f"{item['kind']}/{item['metadata']['name']}": item for item in json.loads(text)}


def folder_of(golden):
    """Modules in examples/ go by the name of their folder, others by their path."""
    return EXAMPLES / golden if (EXAMPLES / golden).is_dir() else ROOT / golden.replace("-", "/", 2)


class Examples(unittest.TestCase):
    def test_objects_are_those_that_cue_makes(self):
        for golden in sorted(RENDERED.glob("*.json")):
            with self.subTest(golden.stem):
                run = opm("mod", "build", folder_of(golden.stem), "-o", "json")
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertEqual(objects(run.stdout), json.loads(golden.read_text(encoding="utf-8")))

    def test_examples_are_without_warnings(self):
        for folder in sorted(EXAMPLES.glob("*/module.cue")):
            with self.subTest(folder.parent.name):
                run = opm("mod", "vet", "--strict", folder.parent)
                self.assertEqual((run.returncode, run.stderr), (0, ""))


if __name__ == "__main__":
    if "--opm" in sys.argv:
        at = sys.argv.index("--opm")
        OPM = sys.argv[at + 1]
        del sys.argv[at : at + 2]
    unittest.main()
