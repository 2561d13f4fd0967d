#!/usr/bin/env python3
"""The scripts: that scripts/test counts and fails as it says, and that scripts/tools says what it lacks."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Dependencies(unittest.TestCase):
    def test_every_package_is_explained(self):
        called = {"g++": "gcc", "libgtest-dev": "GoogleTest", "libgmock-dev": "GoogleTest", "pkg-config": "pkg-config",
                  "zlib1g-dev": "zlib"}
        explained = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8").lower()
        for package in re.findall(r"^[a-z][^\s]*$", (ROOT / "scripts/packages").read_text(encoding="utf-8"), re.MULTILINE):
            # libcurl4-openssl-dev is curl, clang-19 is clang
            name = called.get(package) or re.match(r"(?:lib)?([a-z]+[0-9]*[a-z]+)", package)[1]
            self.assertTrue(name.lower() in explained, f"docs/dependencies.md does not say what {package} is for")


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        scripts = self.root / "scripts"
        (scripts / "suites").mkdir(parents=True)
        for name in ("lib.sh", "test", "tools"):
            shutil.copy(ROOT / "scripts" / name, scripts / name)
        shutil.copytree(ROOT / "tests/tools", self.root / "tests/tools")
        self.write("setup", "#!/bin/sh\n")

    def write(self, name: str, text: str):
        path = self.root / "scripts" / name
        path.write_text(text)
        path.chmod(0o755)

    def suite(self, name: str, body: str):
        self.write(f"suites/{name}", f"#!/usr/bin/env bash\n# what {name} is\n"
                                     f'. "$(dirname "$0")/../lib.sh"\n{body}\n')

    def run_script(self, *words: str, ci: bool = False, path: str = "/usr/bin:/bin") -> tuple[int, str]:
        environment = {"PATH": path, "HOME": str(self.root)} | ({"CI": "true"} if ci else {})
        done = subprocess.run([str(self.root / "scripts" / words[0]), *words[1:]], env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return done.returncode, done.stdout

    def test_counts_what_suites_count(self):
        self.suite("10-a", "tally 3 0 1; tally 2 0")
        self.suite("20-b", "true")
        code, text = self.run_script("test")
        self.assertEqual((code, text.splitlines()[-1]), (0, "6 passed, 0 failed, 1 skipped"), text)
        self.assertIn("=== 10-a: what 10-a is\n", text)

    def test_a_failed_test_fails(self):
        self.suite("10-a", "tally 3 2")
        self.suite("20-b", "tally 1 0")
        code, text = self.run_script("test")
        self.assertEqual((code, text.splitlines()[-1]), (1, "4 passed, 2 failed"), text)
        self.assertIn("failed: 10-a;", text)

    def test_a_suite_that_dies_fails(self):
        self.suite("10-a", "tally 3 0; exit 4")
        code, text = self.run_script("test")
        self.assertEqual((code, text.splitlines()[-1]), (1, "3 passed, 1 failed"), text)

    def test_a_suite_that_cannot_run_is_named_and_fails_only_in_ci(self):
        self.suite("10-a", 'echo "no moon tonight"; exit 77')
        self.suite("20-b", "tally 1 0")
        code, text = self.run_script("test")
        self.assertEqual((code, text.splitlines()[-1]), (0, "1 passed, 0 failed"), text)
        self.assertIn("!!!   10-a: no moon tonight\n", text)
        code, text = self.run_script("test", ci=True)
        self.assertEqual((code, text.splitlines()[-1]), (1, "1 passed, 1 failed"), text)

    def test_runs_only_what_is_asked_for(self):
        self.suite("10-a", "false")
        self.suite("20-b", "true")
        self.assertEqual(self.run_script("test", "b")[0], 0)
        self.assertEqual(self.run_script("test", "nothing")[0], 1)

    def test_counts_the_output_of_programs(self):
        self.suite("10-a", "run_counted printf '3 passed, 1 failed, 2 skipped\\n'")
        self.suite("20-b", "run_counted printf 'Ran 5 tests in 1 s\\n'")
        self.assertEqual(self.run_script("test")[1].splitlines()[-1], "8 passed, 1 failed, 2 skipped")

    def tools_with_go(self, name: str, script: str, ci: bool = False) -> tuple[int, str]:
        programs = self.root / "bin"
        programs.mkdir(exist_ok=True)
        (programs / "go").write_text(script)
        (programs / "go").chmod(0o755)
        return self.run_script("tools", name, path=f"{programs}{os.pathsep}/usr/bin:/bin", ci=ci)

    def test_says_that_go_is_missing(self):
        code, text = self.tools_with_go("cue", "#!/bin/sh\nexit 127\n")
        self.assertEqual(code, 77)
        self.assertIn("NOT RUN: Go 1.25 or newer is not on PATH (found: none)", text)
        self.assertEqual(self.tools_with_go("cue", "#!/bin/sh\nexit 127\n", ci=True)[0], 1)

    def test_says_that_go_is_old(self):
        code, text = self.tools_with_go("corpus", "#!/bin/sh\necho go1.24.9\n")
        self.assertEqual(code, 77)
        self.assertIn("found: go1.24.9", text)


if __name__ == "__main__":
    sys.exit(unittest.main())
