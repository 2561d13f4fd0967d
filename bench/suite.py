"""Part s: every file of CUE's own suite as plain input, as tests/conformance gives it to both programs: geometric means of the
ratios of time and of peak memory. What a start takes is measured with an empty file, beside each file; without it is left
what reading, evaluating and printing take."""

import os
import shutil
import statistics
import subprocess
import sys
from dataclasses import dataclass, field

import inputs  # first: it knows where the others are
import differential
import measure
import txtar

COMMANDS = ("eval", "export")
LIMIT_SECONDS = 10  # the oracle does not end on some files of its own suite
NOT_TIMED = 0.00005  # seconds without the start: less is counted as this much, of either program


@dataclass
class Figures:
    """One file with one command. Of each list the first is opm's, the second cue's."""

    name: str
    seconds: list = field(default_factory=lambda: [[], []])
    cpu_seconds: list = field(default_factory=lambda: [[], []])
    megabytes: list = field(default_factory=lambda: [0.0, 0.0])

    def add(self, index, command, folder):
        seconds, _, cpu_seconds = measure.run_once(command, folder)
        self.seconds[index].append(seconds)
        self.cpu_seconds[index].append(cpu_seconds)

    def median(self, index):
        return statistics.median(self.seconds[index])

    def least(self, index):
        return min(self.seconds[index])


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
        measured = measure.Measured(measure.geometric_mean(each.median(index) for each in figures), 0)
        # A run can fall between the steps of a coarse clock of the kernel.
        measured.cpu_seconds = measure.geometric_mean(
            max(statistics.median(each.cpu_seconds[index] or [0]), NOT_TIMED) for each in figures
        )
        peaks = [each.megabytes[index] for each in figures]
        measured.peak_megabytes = measure.geometric_mean(peaks) if all(peaks) else None
        whole.append(measured)
        left = (max(each.least(index) - starts.least(index), NOT_TIMED) for each in figures)
        without.append(measure.Measured(measure.geometric_mean(left), 0))
    return whole, without


def _write_figures(path, command, figures, starts):
    with open(path, "w", encoding="utf-8") as out:
        out.write("file\tratio\topm ms\tcue ms\twithout start: opm ms\tcue ms\topm MB\tcue MB\n")
        for each in sorted(figures, key=lambda figure: figure.median(1) / figure.median(0)):
            numbers = [each.median(1) / each.median(0), *(each.median(i) * 1000 for i in (0, 1))]
            numbers += [(each.least(i) - starts.least(i)) * 1000 for i in (0, 1)] + each.megabytes
            out.write("\t".join([each.name, *(f"{number:.2f}" for number in numbers)]) + "\n")
    print(f"  (s) {command}: each file in {path}", file=sys.stderr)


def run(bench, folder, corpus, same_value):
    work = os.path.join(folder, "suite")
    found = make_inputs(work, corpus)
    empty = os.path.join(work, "empty")
    os.makedirs(empty)
    open(os.path.join(empty, "empty.cue"), "w", encoding="utf-8").close()
    turns = max(bench.least, 3)
    for command in COMMANDS:
        print(f"  (s) {command}, {len(found)} files", file=sys.stderr)
        starts = Figures("empty")
        chosen = []
        for name, target, roots in found:
            if comparable(bench, [command, *roots], target, same_value):
                chosen.append((Figures(name), target, bench.commands([command, *roots])))
        nothing = bench.commands([command, "empty.cue"])
        # A turn is all of the files, so that a busy moment of the machine hits no file more than once.
        for turn in range(turns):
            for number, (figures, target, commands) in enumerate(chosen):
                for index in (0, 1):
                    figures.add(index, commands[index], target)
                    if number % 8 == 0:
                        starts.add(index, nothing[index], empty)
                    if turn == 0:
                        figures.megabytes[index] = measure.peak_megabytes(commands[index], target) or 0.0
        all_figures = [figures for figures, _, _ in chosen]
        if not all_figures:
            bench.rows.append((f"(s) `{command}` of the files of CUE's suite", None, None, "n/a", "s"))
            continue
        _write_figures(os.path.join(folder, f"suite-{command}.tsv"), command, all_figures, starts)
        whole, without = means(all_figures, starts)
        note = f"{len(found) - len(chosen)} of {len(found)} have no answer that both agree on" if len(chosen) < len(found) else ""
        title = f"(s) `{command}` of {len(chosen)} files of CUE's suite, geometric mean"
        bench.rows.append((title, *whole, note, "s"))
        bench.rows.append((f"{title}, without the start", *without, "", "s without start"))
