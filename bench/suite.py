"""Part s: every file of CUE's own suite as plain input, as tests/conformance gives it to both programs: geometric means of the
ratios of time and of peak memory. What a start takes is measured with an empty file, beside each file; without it is left
what reading, evaluating and printing take."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass

import inputs  # first: it knows where the others are
import differential
import measure
import txtar

COMMANDS = ("eval", "export")
LIMIT_SECONDS = 10  # the oracle does not end on some files of its own suite
NOT_TIMED = 0.00005  # seconds without the start: less is counted as this much, of either program


@dataclass
class Figures:
    """One file with one command: what opm took, and cue."""

    name: str
    measured: list


def make_inputs(folder, corpus):
    """A folder for each archive: (name, folder, files to name on the command line)."""
    shutil.rmtree(folder, ignore_errors=True)
    found = []
    for path in differential.find_archives(corpus, ["cue/testdata/**/*.txtar"]):
        files = differential.inputs_of(txtar.read(path))
        roots = [name for name in files if name.endswith(".cue") and "/" not in name]
        if not roots:
            continue
        name = os.path.relpath(path, os.path.join(corpus, "cue/testdata")).removesuffix(".txtar")
        target = os.path.join(folder, name)
        os.makedirs(target)
        txtar.Archive(files=files).write_to(target)
        found.append((name, target, roots))
    return found


def _answer(command, folder):
    """Exit code and output, or None: it did not end by itself."""
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, timeout=LIMIT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    crashed = done.returncode < 0 or b"\ngoroutine " in done.stderr
    return None if crashed else (done.returncode, done.stdout)


def comparable(bench, arguments, folder, same_value):
    """Both come to the same verdict, and to the same value if it is a good one."""
    ours, theirs = (_answer(command, folder) for command in bench.commands(arguments))
    if ours is None or theirs is None or (ours[0] == 0) != (theirs[0] == 0):
        return False
    return ours[0] != 0 or ours[1] == theirs[1] or same_value(ours[1], theirs[1])


def means(figures, starts):
    """Geometric means over files: with the start, and without. The ratio of two such means is the mean of the ratios."""
    whole, without = [], []
    for index in (0, 1):
        all_of_one = [each.measured[index] for each in figures]
        measured = measure.Measured(measure.geometric_mean(one.seconds for one in all_of_one), 0)
        measured.cpu_seconds = measure.geometric_mean(max(one.cpu_seconds, NOT_TIMED) for one in all_of_one)
        measured.peak_megabytes = measure.geometric_mean(one.peak_megabytes for one in all_of_one)
        whole.append(measured)
        left = (max(one.least_seconds - starts[index].least_seconds, NOT_TIMED) for one in all_of_one)
        without.append(measure.Measured(measure.geometric_mean(left), 0))
    return whole, without


def _write_figures(path, command, figures, starts):
    def ratio(one):
        return one.measured[1].seconds / one.measured[0].seconds

    with open(path, "w", encoding="utf-8") as out:
        out.write("file\tratio\topm ms\tcue ms\twithout start: opm ms\tcue ms\topm MB\tcue MB\n")
        for each in sorted(figures, key=ratio):
            numbers = [ratio(each), *(one.seconds * 1000 for one in each.measured)]
            numbers += [(one.least_seconds - start.least_seconds) * 1000 for one, start in zip(each.measured, starts)]
            numbers += [one.peak_megabytes for one in each.measured]
            out.write("\t".join([each.name, *(f"{number:.2f}" for number in numbers)]) + "\n")
    print(f"  (s) {command}: each file in {path}", file=sys.stderr)


def run(bench, folder, corpus, same_value):
    work = os.path.join(folder, "suite")
    found = make_inputs(work, corpus)
    empty = os.path.join(work, "empty")
    os.makedirs(empty)
    open(os.path.join(empty, "empty.cue"), "w", encoding="utf-8").close()
    turns = 2 if bench.least < 7 else 4
    for command in COMMANDS:
        print(f"  (s) {command}, {len(found)} files", file=sys.stderr)
        starts = measure.in_turns(bench.commands([command, "empty.cue"]), empty, least=20, most=20)
        chosen = [one for one in found if comparable(bench, [command, *one[2]], one[1], same_value)]
        all_figures = [Figures(name, measure.in_turns(bench.commands([command, *roots]), target, least=turns, most=turns))
                       for name, target, roots in chosen]
        if not all_figures:
            bench.rows.append((f"(s) `{command}` of the files of CUE's suite", None, None, "n/a", "s"))
            continue
        _write_figures(os.path.join(folder, f"suite-{command}.tsv"), command, all_figures, starts)
        whole, without = means(all_figures, starts)
        note = f"{len(found) - len(chosen)} of {len(found)} have no answer that both agree on" if len(chosen) < len(found) else ""
        title = f"(s) `{command}` of {len(chosen)} files of CUE's suite, geometric mean"
        bench.rows.append((title, *whole, note, "s"))
        bench.rows.append((f"{title}, without the start", *without, "", "s without start"))
