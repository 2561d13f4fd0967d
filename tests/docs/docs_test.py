#!/usr/bin/env python3
"""What the documentation shows is what opm does: runs the commands in a page's ```console blocks, in one fresh folder with
an empty HOME, and compares what they print with what stands below them.

  tests/docs/docs_test.py --opm OPM [--update] [PAGES...]

A line `...` stands for any lines. A block ```cue FILE (or yaml) is written to that file before what follows. --update rewrites
what commands print, except where it has a `...`."""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["README.md", "docs/getting-started.md", "docs/configuration.md", "docs/secrets.md", "docs/values.md", "docs/environments.md",
         "docs/explain.md", "docs/shell.md", "docs/ci.md", "docs/errors.md"]
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def matches(shown, actual):
    """Whether the lines are the same, where `...` stands for any number of them."""
    if not shown:
        return not actual
    if shown[0] == "...":
        return any(matches(shown[1:], actual[at:]) for at in range(len(actual) + 1))
    return bool(actual) and shown[0] == actual[0] and matches(shown[1:], actual[1:])


class Page:
    def __init__(self, path, opm, folder):
        self.text = path.read_text(encoding="utf-8")
        self.folder = folder / "work"
        self.home = folder / "home"
        self.folder.mkdir(parents=True)
        self.home.mkdir()
        kept = {name: value for name, value in os.environ.items() if not re.match("OPM_|CUE_|KUBECONFIG|XDG_", name)}
        self.environment = {**kept, "HOME": str(self.home), "PATH": f"{opm.resolve().parent}:{os.environ['PATH']}"}
        self.commands = 0
        self.failures = []

    def run(self):
        """The text as it should be."""
        return BLOCK.sub(self.block, self.text)

    def block(self, match):
        language, name, body = match.groups()
        if language == "console":
            return "```console\n" + self.console(body) + "```"
        if name:
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(body, encoding="utf-8")
        return match.group(0)

    def console(self, body):
        result = ""
        for part in re.split(r"^(?=\$ )", body, flags=re.MULTILINE):
            if not part:
                continue
            command, *shown = part.splitlines()
            done = subprocess.run(["sh", "-c", command[2:]], cwd=self.folder, env=self.environment, text=True, timeout=120,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            self.commands += 1
            actual = [line.rstrip() for line in done.stdout.splitlines()]
            blank = [""] if shown and not shown[-1] else []  # between commands
            if blank:
                shown.pop()
            if not matches(shown, actual):
                self.failures.append(f"{command}\n  shown:\n    " + "\n    ".join(shown) + "\n  printed:\n    " + "\n    ".join(actual))
                if "..." not in shown:
                    shown = actual
            result += "\n".join([command, *shown, *blank]) + "\n"
        return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opm", type=pathlib.Path, default=ROOT / "build/release/opm")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("pages", nargs="*", default=PAGES)
    arguments = parser.parse_args()
    passed = failed = 0
    for name in arguments.pages:
        with tempfile.TemporaryDirectory() as scratch:
            page = Page(ROOT / name, arguments.opm, pathlib.Path(scratch))
            text = page.run()
        passed += page.commands - len(page.failures)
        failed += len(page.failures)
        for failure in page.failures:
            print(f"{name}: {failure}\n")
        if arguments.update:
            (ROOT / name).write_text(text, encoding="utf-8")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed and not arguments.update else 0


if __name__ == "__main__":
    sys.exit(main())
