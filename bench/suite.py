"""Part s: every file of CUE's own suite as plain input, as tests/conformance gives it to both programs: geometric means of the
ratios of time and of peak memory, of whole processes; and of the time that is spent within a process that is running already, which
bench/evaluation_times.cpp and tests/tools/cue/times tell."""

import contextlib
import os
import select
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
NOT_TIMED = 0.000001  # seconds: less is counted as this much, of either program
ROUNDS = 9
PARTS = ("read and parse", "compile, evaluate and check", "write")


@dataclass
class Figures:
    """One file with one command: what opm took, and cue. Within: seconds of each part of the work, see PARTS."""

    name: str
    measured: list
    within: list | None = None


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


class Timer:
    """A program that times evaluations within its process. One that ends too early, or does not come to an end with a file, is
    started anew for the next one."""

    def __init__(self, command):
        self.command = command
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        with contextlib.suppress(OSError):  # where it does not live any more
            self.process.stdin.close()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def ask(self, command, folder, files):
        """The verdict and the seconds of each part; nothing: there is no answer."""
        if self.process.poll() is not None:
            self.stop()
            self.start()
        try:
            self.process.stdin.write("\t".join([command, folder, *files]) + "\n")
            self.process.stdin.flush()
        except OSError:
            return None
        if not select.select([self.process.stdout], [], [], ROUNDS * LIMIT_SECONDS)[0]:
            self.process.kill()
            self.process.wait()
            return None
        words = self.process.stdout.readline().split()
        return (words[0], *(float(word) / 1e6 for word in words[1:])) if len(words) == 1 + len(PARTS) else None


def within(timers, command, folder, files):
    """What each of them says, one after the other; nothing if they do not come to the same verdict."""
    answers = [timer.ask(command, folder, files) for timer in timers]
    if None in answers or len({answer[0] for answer in answers}) > 1:
        return None
    return [answer[1:] for answer in answers]


def means(figures):
    """Geometric means over files. The ratio of two such means is the mean of the ratios."""
    whole = []
    for index in (0, 1):
        all_of_one = [each.measured[index] for each in figures]
        measured = measure.Measured(measure.geometric_mean(one.seconds for one in all_of_one), 0)
        measured.cpu_seconds = measure.geometric_mean(max(one.cpu_seconds, NOT_TIMED) for one in all_of_one)
        measured.peak_megabytes = measure.geometric_mean(one.peak_megabytes for one in all_of_one)
        whole.append(measured)
    return whole


def means_within(figures, parts):
    """The same within the process, of some parts of the work and of files for which there are such times."""
    def seconds(one):
        return max(sum(one[PARTS.index(part)] for part in parts), NOT_TIMED)

    timed = [each for each in figures if each.within]
    if not timed:
        return [None, None]
    return [measure.Measured(measure.geometric_mean(seconds(each.within[index]) for each in timed), 0) for index in (0, 1)]


def _write_figures(path, command, figures):
    def ratio(one):
        return one.measured[1].seconds / one.measured[0].seconds

    with open(path, "w", encoding="utf-8") as out:
        titles = "".join(f"\t{part}: opm ms\tcue ms" for part in PARTS)
        out.write(f"file\tratio\topm ms\tcue ms\topm MB\tcue MB{titles}\n")
        for each in sorted(figures, key=ratio):
            numbers = [ratio(each), *(one.seconds * 1000 for one in each.measured), *(one.peak_megabytes for one in each.measured)]
            if each.within:
                numbers += [one[part] * 1000 for part in range(len(PARTS)) for one in each.within]
            out.write("\t".join([each.name, *(f"{number:.3f}" for number in numbers)]) + "\n")
    print(f"  (s) {command}: each file in {path}", file=sys.stderr)


def run(bench, folder, corpus, same_value):
    found = make_inputs(os.path.join(folder, "suite"), corpus)
    turns, rounds = (2, 3) if bench.least < 7 else (4, ROUNDS)
    for command in COMMANDS:
        print(f"  (s) {command}, {len(found)} files", file=sys.stderr)
        chosen = [one for one in found if comparable(bench, [command, *one[2]], one[1], same_value)]
        all_figures = [Figures(name, measure.in_turns(bench.commands([command, *roots]), target, least=turns, most=turns))
                       for name, target, roots in chosen]
        title = f"(s) `{command}` of the files of CUE's suite, geometric mean"
        if not all_figures:
            bench.rows.append((title, None, None, "n/a", "s"))
            continue
        with Timer([bench.evaluation_times, str(rounds)]) as ours, Timer([bench.cue_times, str(rounds)]) as theirs:
            for figures, (_, target, roots) in zip(all_figures, chosen):
                figures.within = within([ours, theirs], command, target, roots)
        _write_figures(os.path.join(folder, f"suite-{command}.tsv"), command, all_figures)
        note = f"{len(found) - len(chosen)} of {len(found)} have no answer that both agree on" if len(chosen) < len(found) else ""
        bench.rows.append((title, *means(all_figures), note, "s"))
        timed = sum(figures.within is not None for figures in all_figures)
        for suffix, parts, row in (("", PARTS, ""), (", reading and parsing not counted", PARTS[1:], "s within"),
                                   (", evaluation alone", PARTS[1:2], "s within")):
            bench.rows.append((f"{title}, within a running process{suffix}", *means_within(all_figures, parts), f"{timed} files", row))
