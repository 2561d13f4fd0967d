#!/usr/bin/env python3
"""What the documentation shows is what opm does: runs the commands in a page's ```console blocks, in one fresh folder with
an empty HOME, and compares what they print with what stands below them.

  tests/docs/docs_test.py --opm OPM [--update] [PAGES...]

A line `...` stands for any lines. A block ```cue FILE (or yaml) is written to that file before what follows. A block ```sh to paste is
run when a block ```text right behind it says what it prints. --update rewrites what commands print, except where it has a `...`."""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALL_PAGES = sorted(str(path.relative_to(ROOT)) for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$(?:\n\n```text\n(?P<printed>.*?)^```$)?", re.MULTILINE | re.DOTALL)


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
        language, name, body, printed = match.groups()
        if language == "console":
            return "```console\n" + self.console(body) + "```"
        if language == "sh" and printed is not None:
            return f"```sh\n{body}```\n\n```text\n" + "".join(line + "\n" for line in self.compare(body.rstrip("\n"), printed.splitlines())) + "```"
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
            blank = [""] if shown and not shown[-1] else []  # between commands
            if blank:
                shown.pop()
            result += "\n".join([command, *self.compare(command[2:], shown), *blank]) + "\n"
        return result

    def compare(self, command, shown):
        """What should be shown of what the command prints."""
        done = subprocess.run(["sh", "-c", command], cwd=self.folder, env=self.environment, text=True, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.commands += 1
        actual = [line.rstrip() for line in done.stdout.splitlines()]
        if matches(shown, actual):
            return shown
        self.failures.append(f"{command}\n  shown:\n    " + "\n    ".join(shown) + "\n  printed:\n    " + "\n    ".join(actual))
        return shown if "..." in shown else actual


LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def anchors(text):
    """As GitHub makes them of headings."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def broken_links():
    """Links between pages, to files of the repository and to headings; what is elsewhere is not asked for."""
    for name in ALL_PAGES:
        text = re.sub(r"^```.*?^```$", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for link in LINK.findall(re.sub(r"`[^`\n]*`", "", text)):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (ROOT / name).parent / path if path else ROOT / name
            if not target.exists():
                yield f"{name}: there is no {link}"
            elif anchor and target.suffix == ".md" and anchor not in anchors(target.read_text(encoding="utf-8")):
                yield f"{name}: {path} has no heading for #{anchor}"


def stale_references(opm):
    """Pages that are made by the program, or from what is inside it."""
    made = {"docs/commands.md": ([opm, "__reference"], "build/release/opm __reference > docs/commands.md"),
            "docs/reference/catalog.md": ([ROOT / "scripts/generate-catalog-reference", "--opm", opm],
                                          "scripts/generate-catalog-reference > docs/reference/catalog.md")}
    for page, (command, how) in made.items():
        text = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout
        if text != (ROOT / page).read_text(encoding="utf-8"):
            yield f"{page} is not what it is made from: {how}"
    yield from stale_settings(opm)


def stale_settings(opm):
    """The table of settings has those that the program has, with flags and variables that set them."""
    def settings(*flags, **variables):
        with tempfile.TemporaryDirectory() as home:
            return json.loads(subprocess.run([str(opm), "config", "show", "-o", "json", *flags], capture_output=True, text=True, check=True,
                                             env={"HOME": home, **variables}).stdout)

    page = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w.]+)` \|([^|]*)\|([^|]*)\|", page, re.MULTILINE)
    known = {"providers" if name.startswith("providers") else name for name in settings()} - {"config"}
    if known != {name for name, _, _ in rows}:
        yield f"docs/configuration.md and opm config show differ in {', '.join(sorted(known ^ {name for name, _, _ in rows}))}"
    for name, flags, variables in rows:
        if name == "providers":  # the flag chooses one, and is no setting
            continue
        for flag in re.findall(r"`(--\w+)`", flags):
            if settings(flag, "example")[name] != {"value": "example", "origin": {"kind": "flag", "name": flag}}:
                yield f"docs/configuration.md: {flag} does not set {name}"
        for variable in set(re.findall(r"`([A-Z_]+)`", variables)):
            if settings(**{variable: "example"})[name] != {"value": "example", "origin": {"kind": "environment", "name": variable}}:
                yield f"docs/configuration.md: {variable} does not set {name}"


def thin_gallery():
    """The page of mistakes has thirty of them at least, each with what opm says of it."""
    sections = re.split(r"^### ", (ROOT / "docs/errors.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    if len(sections) < 30:
        yield f"docs/errors.md: only {len(sections)} mistakes"
    for section in sections:
        if not re.search(r"^(error: |Error: |unknown )", section, re.MULTILINE):
            yield f"docs/errors.md: nothing is said of {section.splitlines()[0]!r}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opm", type=pathlib.Path, default=ROOT / "build/release/opm")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("pages", nargs="*", help="all, unless told otherwise")
    arguments = parser.parse_args()
    passed = failed = 0
    for name in arguments.pages or ALL_PAGES:
        with tempfile.TemporaryDirectory() as scratch:
            page = Page(ROOT / name, arguments.opm, pathlib.Path(scratch))
            text = page.run()
        passed += page.commands - len(page.failures)
        failed += len(page.failures)
        for failure in page.failures:
            print(f"{name}: {failure}\n")
        if arguments.update:
            (ROOT / name).write_text(text, encoding="utf-8")
    if not arguments.pages:
        for problem in [*broken_links(), *thin_gallery(), *stale_references(arguments.opm)]:
            print(problem)
            failed += 1
        passed += 3
    print(f"{passed} passed, {failed} failed")
    return 1 if failed and not arguments.update else 0


if __name__ == "__main__":
    sys.exit(main())
