#!/usr/bin/env python3
"""Compares opm with the real cue and the real kubectl, whole processes, and prints tables of ratios. Benchmarks, never tests."""

import argparse
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
from shlex import quote

import inputs  # first: it knows where cue_text is
import clusters
import cue_text
import editing
import environments
import growth
import measure
import modules
import plots
import rendering
import suite
import tiers
import watching

PARTS = ["a", "b", "c", "s", "d", "r", "v", "e", "w", "l", "start", "g", "k"]
REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What is asked for at least, by the letter of the row; peak memory as a part of cue's.
TARGETS = {"a": 30, "b": 8, "c": 20, "d": 10, "e": 1, "r": 25, "s": 10, "s within": 15}


class Bench:
    def __init__(self, options):
        self.opm = os.path.abspath(options.opm)
        self.cue = options.cue
        # What times evaluations within a process, of opm's engine and of cue's packages.
        self.evaluation_times = os.path.join(REPOSITORY, "build/release/evaluation_times")
        self.cue_times = getattr(options, "cue_times", None)
        self.budget = 2.0 if options.quick else 10.0
        self.least = 3 if options.quick else 7
        self.rows = []
        self.cases = []
        self.cluster_rows = []
        self.growth_rows = []

    def commands(self, arguments):
        return [[self.opm, "cue", *arguments], [self.cue, *arguments]]

    def compare(self, title, arguments, folder, prepare="", letter="", fingerprint=None, ours=()):
        """Adds a row. What opm cannot do, or does with another result, is said instead of timed.

        `fingerprint` describes files that a command left, name -> digest; differences there are only noted. `ours` are
        arguments for opm alone.
        """
        print(f"  {title}", file=sys.stderr)
        mine, theirs = self.commands(arguments)
        mine += ours
        problem, note = self.difference(mine, theirs, folder, prepare, fingerprint)
        if problem:
            cue = measure.in_turns([theirs], folder, prepare, self.budget / 2, self.least)[0]
            self.rows.append((title, None, cue, problem, letter))
            return
        opm, cue = measure.in_turns([mine, theirs], folder, prepare, self.budget, self.least)
        self.rows.append((title, opm, cue, note, letter))

    def difference(self, ours, theirs, folder, prepare="", fingerprint=None):
        """(why the two cannot be compared, what else is worth a note); both empty when all is well."""
        results, prints = [], []
        for command in (ours, theirs):
            if prepare:
                subprocess.run(prepare, shell=True, check=True)
            try:
                results.append(
                    subprocess.run(
                        command, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, timeout=120, check=False
                    )
                )
            except (OSError, subprocess.TimeoutExpired):
                return "n/a: does not run", ""
            prints.append(fingerprint() if fingerprint else {})
        opm, cue = results
        if (opm.returncode == 0) != (cue.returncode == 0):
            line = next(iter(opm.stderr.decode("utf-8", "replace").splitlines()), "")[:60]
            return (
                f"n/a: exit code {opm.returncode}, cue's is {cue.returncode}" + (f" ({line})" if line else ""),
                "",
            )
        if cue.returncode == 0 and opm.stdout != cue.stdout and not _same_value(opm.stdout, cue.stdout):
            return "n/a: another output", ""
        differing = sum(prints[0].get(name) != digest for name, digest in prints[1].items())
        return "", f"{differing} of {len(prints[1])} files differ" if differing else ""


def _same_value(left, right):
    try:
        return json.loads(left) == json.loads(right)
    except ValueError:
        pass
    try:
        return cue_text.normal_form(left.decode()) == cue_text.normal_form(right.decode())
    except (cue_text.Unreadable, UnicodeDecodeError):
        return left == right


def run_deployments(bench, folder, kubernetes):
    module = inputs.make_deployments(os.path.join(folder, "deployments"), kubernetes)
    count = inputs.DEPLOYMENTS
    bench.compare(
        f"(a) `vet`, {count} Deployments in YAML",
        ["vet", "./schema", "data.yaml", "-d", "#Deployment"],
        module,
        letter="a",
    )
    bench.compare(f"(a) `vet -c`, {count} Deployments in CUE", ["vet", "-c", "./release"], module, letter="a")
    bench.compare(f"(a) `export`, {count} Deployments in CUE", ["export", "./release"], module, letter="a")


def run_benchmark_cases(bench, folder, corpus):
    for name, target, files in inputs.make_benchmark_cases(os.path.join(folder, "cases"), corpus):
        arguments = ["eval", *files]
        print(f"  (b) {name}", file=sys.stderr)
        ours, theirs = bench.commands(arguments)
        problem, _ = bench.difference(ours, theirs, target)
        if problem:
            bench.cases.append(
                (name, None, measure.in_turns([theirs], target, "", bench.budget / 20, 3, 11)[0], problem)
            )
        else:
            opm, cue = measure.in_turns([ours, theirs], target, "", bench.budget / 10, 3, 11)
            bench.cases.append((name, opm, cue, ""))


def run_formatting(bench, folder, corpus, kubernetes):
    types, suite = inputs.make_sources(os.path.join(folder, "sources"), corpus, kubernetes)
    # A file that the oracle does not parse would end its run early.
    for path in inputs.cue_files(suite):
        if subprocess.run([bench.cue, "fmt", path], capture_output=True, check=False).returncode != 0:
            os.remove(path)
    work = os.path.join(folder, "sources", "work")
    for title, source in (("the Kubernetes types", types), ("the files of CUE's suite", suite)):
        files = [os.path.relpath(path, source) for path in inputs.cue_files(source)]
        lines = sum(open(os.path.join(source, file), "rb").read().count(b"\n") for file in files)

        given = source + "-given"
        shutil.rmtree(given, ignore_errors=True)
        shutil.copytree(source, given)
        _disturb(given)
        prepare = f"rm -rf {quote(work)} && cp -r {quote(given)} {quote(work)}"

        def fingerprint(files=files):
            return {file: _digest(os.path.join(work, file)) for file in files}

        os.makedirs(work, exist_ok=True)
        title = f"(c) `fmt`, {title}, {lines:,} lines"
        bench.compare(title, ["fmt", *files], work, prepare, letter="c", fingerprint=fingerprint)


def _digest(path):
    with open(path, "rb") as source:
        return hashlib.sha256(source.read()).hexdigest()


def _disturb(folder):
    """Spaces instead of tabs, so that the formatter has something to write in every file."""
    for path in inputs.cue_files(folder):
        with open(path, "rb") as source:
            text = source.read()
        if b'"""' in text or b"'''" in text:
            continue
        with open(path, "wb") as out:
            out.write(b"\n".join(line.replace(b"\t", b"    ") for line in text.split(b"\n")))


def run_start(bench, folder):
    print("  start of the process", file=sys.stderr)
    opm, cue, nothing = measure.in_turns(
        [[bench.opm, "version"], [bench.cue, "version"], ["/bin/true"]], folder, "", bench.budget / 2, 15, 60
    )
    bench.rows.append(("start of the process (`version`)", opm if opm.code == 0 else None, cue, "", ""))
    bench.rows.append(("for comparison: `/bin/true`", nothing, None, "", ""))


# ---- printing ----


def milliseconds(measured):
    if measured is None:
        return "–"
    return f"{measured.seconds * 1000:.{3 if measured.seconds < 0.001 else 2 if measured.seconds < 0.01 else 1}f} ms"


def megabytes(measured):
    return "–" if measured is None or measured.peak_megabytes is None else f"{measured.peak_megabytes:.1f} MB"


def ratio(opm, cue):
    return "–" if opm is None or cue is None else f"{cue.seconds / opm.seconds:.1f}×"


def cpu_ratio(opm, cue):
    # The kernel counts in steps that a run of a few milliseconds can fall between.
    return (
        "–"
        if opm is None or cue is None or opm.cpu_seconds < 0.001
        else f"{cue.cpu_seconds / opm.cpu_seconds:.1f}×"
    )


def memory_part(opm, cue):
    if opm is None or cue is None or not opm.peak_megabytes or not cue.peak_megabytes:
        return "–"
    return f"{100 * opm.peak_megabytes / cue.peak_megabytes:.0f} %"


def table(header, rows):
    cells = [header] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[index]) for row in cells) for index in range(len(header))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in cells]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def case_rows(cases):
    """The summary of (b), in ways that process starts and a single slow case cannot flatter alone."""
    both = [(opm, cue) for _, opm, cue, _ in cases if opm]
    if not cases:
        return []
    missing = f"{len(cases) - len(both)} of {len(cases)} cases n/a" if len(both) < len(cases) else ""
    rows = []
    for title, chosen in (
        (f"(b) `eval`, sum of {len(both)} benchmark cases", both),
        ("(b) those that take cue 50 ms or more", [pair for pair in both if pair[1].seconds >= 0.05]),
    ):
        if chosen:
            opm, cue = (
                measure.Measured(
                    sum(pair[index].seconds for pair in chosen), 0, sum(pair[index].cpu_seconds for pair in chosen)
                )
                for index in (0, 1)
            )
            rows.append((f"{title} ({len(chosen)})" if chosen is not both else title, opm, cue, missing, "b"))
    mean = measure.geometric_mean(cue.seconds / opm.seconds for opm, cue in both)
    rows.append(("(b) geometric mean of the ratios", mean, None, missing if mean else "n/a", "b"))
    return rows


def render(bench):
    rows = []
    ordered = [row for row in bench.rows if row[4] == "a"] + case_rows(bench.cases)
    ordered += [row for row in bench.rows if row[4] not in ("a", "b")]
    for title, opm, cue, problem, letter in ordered:
        wanted = f"{TARGETS[letter]}×" if letter in TARGETS else ""
        if isinstance(opm, float):
            rows.append([title, "–", "–", f"{opm:.1f}×", wanted, "–", "–", "–", "–", problem])
        else:
            rows.append(
                [
                    title,
                    milliseconds(opm),
                    milliseconds(cue),
                    ratio(opm, cue),
                    wanted,
                    cpu_ratio(opm, cue),
                    megabytes(opm),
                    megabytes(cue),
                    memory_part(opm, cue),
                    problem,
                ]
            )
    parts = [
        table(["work", "opm", "cue", "ratio", "wanted", "CPU ratio", "opm peak", "cue peak", "part", "note"], rows)
    ]
    if bench.cases:
        detail = [
            [name, milliseconds(opm), milliseconds(cue), ratio(opm, cue), problem]
            for name, opm, cue, problem in bench.cases
        ]
        parts.append(
            "\nThe cases of (b), `eval` of the whole input:\n\n"
            + table(["case", "opm", "cue", "ratio", "note"], detail)
        )
    return "\n".join(parts)


CLUSTER_HEAD = "## On a cluster"


def render_clusters(bench):
    return f"""{CLUSTER_HEAD}

(k) Beside kubectl, on an API server with its controllers on the same machine, which takes most of the time; medians. Deployments
with their Pods, Services, ConfigMaps and Secrets.

{table(["work", "opm", "kubectl", "ratio", "wanted"], bench.cluster_rows)}
"""


GROWTH_HEAD = "## Growth"


def render_growth(bench):
    return f"""{GROWTH_HEAD}

(g) `export` of the patterns that are known to blow up evaluators, each at four sizes; processor time without what any start takes,
the least of several runs. The exponent is the slope of the logarithms: 1 is proportional, 2 quadratic; times below
{growth.NOT_TIMED * 1000:.0f} ms are too short to count. A dash in a row of times: an error, or more than {growth.LIMIT_SECONDS} s.

{table(growth.HEADER, list(growth.rows(bench)))}
"""


def table_rows(page):
    """The rows of the first table of a page, as lists of cells, by what was done."""
    lines = [line for line in page.split("\nThe cases of")[0].splitlines() if line.startswith("| ")]
    return {cells[0]: cells for cells in ([cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:])}


def with_old_rows(new, old):
    """The new page with the rows of the old one of parts that were not measured now, in the order of the old one."""
    measured = table_rows(new)
    parts = {name[:3] for name in measured if name.startswith("(")}
    kept = {name: cells for name, cells in table_rows(old).items() if name in measured or name[:3] not in parts}
    if not kept or set(kept) <= set(measured):
        return new
    lines = new.splitlines()
    first = next(index for index, line in enumerate(lines) if line.startswith("| "))
    last = first
    while last < len(lines) and lines[last].startswith("|"):
        last += 1
    header = [cell.strip() for cell in lines[first].strip("|").split("|")]
    # Those that are new stand behind the last one of their part.
    order = list(kept)
    for name in measured:
        if name not in kept:
            alike = [index for index, other in enumerate(order) if other[:3] == name[:3]]
            order.insert(alike[-1] + 1 if alike else len(order), name)
    merged = "\n".join([*lines[:first], table(header, [measured.get(name, kept.get(name)) for name in order]), *lines[last:]])
    _, mark, cases = old.partition("\nThe cases of")
    return merged if "\nThe cases of" in merged or not mark else merged.rstrip("\n") + "\n" + mark + cases


def joined(main_part, growth_part, cluster_part, old):
    """The page from its parts; what was not measured now stays as it is in the old one."""
    rest, cluster_mark, old_cluster = old.partition(CLUSTER_HEAD)
    old_main, growth_mark, old_growth = rest.partition(GROWTH_HEAD)
    parts = [with_old_rows(main_part, old_main) if main_part else old_main, growth_part or growth_mark + old_growth, cluster_part or cluster_mark + old_cluster]
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"


def installed(program, folder):
    """A copy, as an installation has it. What a linker has just written lies in memory in single pages, from which a program
    starts a tenth slower than it ever will again."""
    os.makedirs(folder, exist_ok=True)
    target = os.path.join(folder, os.path.basename(program))
    shutil.copyfile(program, target + ".new")
    os.chmod(target + ".new", 0o755)
    os.replace(target + ".new", target)
    return target


def machine():
    name = platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as source:
            name = next((line.split(":", 1)[1].strip() for line in source if line.startswith("model name")), name)
    except OSError:
        pass
    return f"{os.cpu_count()} cores, {name}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--opm", default=os.path.join(REPOSITORY, "build/release/opm"))
    parser.add_argument("--cue", required=True, help="the real cue, as `scripts/tools cue` provides it")
    parser.add_argument(
        "--corpus", required=True, help="CUE's own sources, as `scripts/tools corpus` provides them"
    )
    parser.add_argument(
        "--kubernetes",
        required=True,
        help="the CUE types of Kubernetes, as `scripts/tools kubernetes` provides them",
    )
    parser.add_argument("--cue-times", help="what times evaluations with cue's packages, as `scripts/tools cue-times` provides it")
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("--quick", action="store_true", help="fewer runs, for a first look")
    parser.add_argument("--prepare", action="store_true", help="only make the inputs, and say where they are")
    parser.add_argument("--write", metavar="FILE", help="write the table as Markdown")
    options = parser.parse_args()

    folder = os.path.join(REPOSITORY, "build", "bench")
    os.makedirs(folder, exist_ok=True)
    # Neither program may wait for a registry or fill the user's own cache.
    os.environ.update({"CUE_REGISTRY": "none", "CUE_CACHE_DIR": os.path.join(folder, "cue-cache")})
    corpus, kubernetes = os.path.realpath(options.corpus), os.path.realpath(options.kubernetes)
    if options.prepare:
        print(inputs.make_deployments(os.path.join(folder, "deployments"), kubernetes))
        inputs.make_benchmark_cases(os.path.join(folder, "cases"), corpus)
        print(os.path.join(folder, "cases"))
        print(*inputs.make_sources(os.path.join(folder, "sources"), corpus, kubernetes), sep="\n")
        return
    if os.getloadavg()[0] > (os.cpu_count() or 1):
        print(f"the machine is busy (load {os.getloadavg()[0]:.1f}): times are rough", file=sys.stderr)
    options.opm, options.cue = (installed(program, os.path.join(folder, "bin")) for program in (options.opm, options.cue))
    bench = Bench(options)
    chosen = options.only or PARTS
    if "a" in chosen:
        run_deployments(bench, folder, kubernetes)
    if "b" in chosen:
        run_benchmark_cases(bench, folder, corpus)
    if "c" in chosen:
        run_formatting(bench, folder, corpus, kubernetes)
    if "s" in chosen:
        suite.run(bench, folder, corpus, _same_value)
    if "d" in chosen:
        modules.run(bench, folder)
    if "r" in chosen:
        rendering.run(bench, folder)
    if "v" in chosen:
        tiers.run(bench, folder)
    if "e" in chosen:
        environments.run(bench, folder)
    if "w" in chosen:
        watching.run(bench, folder)
    if "l" in chosen:
        editing.run(bench, folder)
    if "start" in chosen:
        run_start(bench, folder)
    if "g" in chosen:
        growth.run(bench, folder)
    if "k" in chosen:
        clusters.run(bench)
    text = render(bench) if set(chosen) - {"g", "k"} else ""
    growth_text = render_growth(bench) if "g" in chosen else ""
    cluster_text = render_clusters(bench) if "k" in chosen else ""
    print("\n\n".join(part for part in (text, growth_text, cluster_text) if part))
    if options.write:
        version = subprocess.run(
            [bench.cue, "version"], capture_output=True, text=True, check=False
        ).stdout.split()[2]
        pictures = plots.references()
        head = f"""# Performance

Written by `scripts/bench --write`; do not edit. Whole processes, opm beside `cue` {version}, run in turns; medians.
Measured on {machine()}. Ratios are cue's time by opm's; the part is opm's peak memory of cue's.
A row is only timed when both give the same result.

To repeat it: `scripts/bench --write`, on a machine that does nothing else; it builds what it compares with (a quarter of an hour,
once) and takes another half hour. `scripts/bench --only r --quick` is a first look at a part; [bench/README.md](../bench/README.md) says
what each part does.

{pictures}{text}
"""
        old = ""
        if os.path.exists(options.write):
            with open(options.write, encoding="utf-8") as source:
                old = source.read()
        with open(options.write, "w", encoding="utf-8") as out:
            out.write(joined(head if text else "", growth_text, cluster_text, old))
        plots.draw_page(options.write)


if __name__ == "__main__":
    main()
