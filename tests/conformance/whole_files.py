#!/usr/bin/env python3
"""Two properties over all inputs of CUE's own suite:

- `fmt`: what `opm cue fmt` makes of a file is what the real `cue fmt` makes of it, byte for byte
- `def`: what `opm cue def` prints evaluates to the value that it was printed from

Cases that fail are in known_failures/whole_files.txt; as with the other corpora, the list may only shrink, and
explanations/whole_files.txt says why each of them is there.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import cue_text
import differential
import known_failures
import txtar
from process import plain_environment

HERE = pathlib.Path(__file__).resolve().parent
KNOWN = HERE / "known_failures" / "whole_files.txt"
PATTERNS = ["cue/testdata/**/*.txtar", "pkg/**/testdata/*.txtar", "internal/core/**/testdata/*.txtar", "cue/format/testdata/*.txtar"]
FILES_AT_ONCE = 200


def inputs_of(corpus):
    for path in differential.find_archives(corpus, PATTERNS):
        with open(path, "rb") as source:
            archive = txtar.parse(source.read())
        name = os.path.relpath(path, corpus).removesuffix(".txtar").replace("/testdata", "")
        yield name, differential.inputs_of(archive)


def run(command, folder):
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=False, env=plain_environment(str(folder)),
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None


def formatted(command, files, folder):
    """What each file becomes; nothing for those that are turned down."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    names = {}
    for index, (name, data) in enumerate(files):
        names[f"f{index}.cue"] = name
        (folder / f"f{index}.cue").write_bytes(data)
    result = {}

    def take(group):
        done = run([*command, "fmt", *group], folder)
        if done is not None and done.returncode == 0:
            result.update((names[file], (folder / file).read_bytes()) for file in group)
        elif len(group) > 1:
            half = len(group) // 2
            take(group[:half])
            take(group[half:])

    every = list(names)
    for first in range(0, len(every), FILES_AT_ONCE):
        take(every[first: first + FILES_AT_ONCE])
    return result


def check_formatting(opm, oracle, corpus, scratch):
    files = [(f"{name} {path}", data) for name, inputs in inputs_of(corpus) for path, data in inputs.items() if path.endswith(".cue")]
    theirs = formatted([oracle], files, scratch / "theirs")
    ours = formatted([opm, "cue"], [(name, data) for name, data in files if name in theirs], scratch / "ours")
    return [(f"fmt {name}", ours.get(name) == text) for name, text in theirs.items()]


def value_of(opm, files, folder):
    done = run([opm, "cue", "eval", "--all", *files], folder)
    if done is None or done.returncode != 0:
        return None
    text = cue_text.comparable_value(done.stdout.decode("utf-8", "replace"))
    try:
        return cue_text.normal_form(text)
    except cue_text.Unreadable:
        return text


def check_definitions(opm, corpus, scratch):
    results = []
    for name, inputs in inputs_of(corpus):
        roots = [path for path in inputs if path.endswith(".cue") and "/" not in path]
        if not roots or not name.startswith(("cue/", "pkg/", "internal/")):
            continue
        folder = scratch / "def"
        shutil.rmtree(folder, ignore_errors=True)
        for path, data in inputs.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        value = value_of(opm, roots, folder)
        printed = run([opm, "cue", "def", *roots], folder)
        if value is None or printed is None or printed.returncode != 0:
            continue  # what is in error has no definition
        (folder / "printed-by-def.cue").write_bytes(printed.stdout)
        results.append((f"def {name}", value_of(opm, ["printed-by-def.cue"], folder) == value))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--oracle", required=True)
    parser.add_argument("--corpus-folder", required=True)
    parser.add_argument("--update", action="store_true", help="rewrite the list of known failures")
    options = parser.parse_args()
    opm = os.path.abspath(options.binary)
    known = set(KNOWN.read_text(encoding="utf-8").splitlines()) if KNOWN.exists() else set()
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        results = check_formatting(opm, options.oracle, options.corpus_folder, scratch)
        results += check_definitions(opm, options.corpus_folder, scratch)
    for kind, title in (("fmt ", "files that fmt writes as cue does"), ("def ", "inputs whose def evaluates to the same value")):
        those = [passed for name, passed in results if name.startswith(kind)]
        print(f"{title}: {sum(those)} of {len(those)} ({100 * sum(those) / max(1, len(those)):.1f} %)")
    failing = {name for name, passed in results if not passed}
    if options.update:
        KNOWN.write_text("".join(f"{name}\n" for name in sorted(failing)), encoding="utf-8")
        known = failing
    wrong = sorted(failing - known) + sorted(f"{name}: passes, but is on the list" for name in known - failing)
    missing, idle = known_failures.unexplained(known, known_failures.read_explanations("whole_files"))
    wrong += [f"{name}: not explained" for name in missing] + [f"{name}: explained, but not on the list" for name in idle]
    for name in wrong:
        print(name)
    print(f"{len(results) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
