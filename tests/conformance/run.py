#!/usr/bin/env python3
"""Runs the conformance corpora against a binary and compares with the committed lists of known failures.

Exit code: 0 as expected, 1 surprises, 2 wrong use, 77 not run because something is missing.
"""

import argparse
import functools
import multiprocessing
import os
import re
import subprocess
import sys
import time

import differential
import known_failures
import report
import testscript
from oracle import Oracle
from outcome import Outcome
from process import Program, limit_memory_of_children

CORPORA = ("inline", "values", "scripts", "registry", "packages")
REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--binary", default=os.path.join(REPOSITORY, "build/release/opm"), help="the program under test"
    )
    parser.add_argument("--oracle", required=True, help="the real `cue`, as `scripts/tools cue` provides it")
    parser.add_argument(
        "--corpus-folder", required=True, help="CUE's own sources, as `scripts/tools corpus` provides them"
    )
    parser.add_argument(
        "--cache",
        default=os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "opm-tools"),
        help="where the oracle's answers are kept",
    )
    parser.add_argument(
        "--plain", action="store_true", help="the binary is a `cue`, not an `opm` with a `cue` command"
    )
    parser.add_argument(
        "--inline-runner", help="the program that checks corpus 1 (default: inline_conformance beside the binary)"
    )
    parser.add_argument(
        "--corpus", action="append", choices=CORPORA, help="run only these; may be given more than once"
    )
    parser.add_argument(
        "--filter",
        help="run only the cases whose name has a match for this regular expression; lists are left alone",
    )
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument(
        "--update",
        action="store_true",
        help="rewrite the lists of known failures; read the difference before you commit it",
    )
    parser.add_argument("--write", metavar="FILE", help="write the report as Markdown")
    parser.add_argument("--verbose", action="store_true", help="say why each failing case fails")
    parser.add_argument(
        "--memory-limit", type=int, default=4096, metavar="MB", help="0 for none, as sanitizers need"
    )
    parser.add_argument(
        "--dispute",
        metavar="CUE",
        help="rewrite left_out/: the cases in which the oracle does not answer, or this later `cue` answers otherwise, and "
        "later_positions/: where it gives an error other positions",
    )
    return parser.parse_args()


def missing(message):
    print(f"NOT RUN: the conformance suite needs {message}", file=sys.stderr)
    sys.exit(1 if os.environ.get("CI") == "true" else 77)


def run_parallel(jobs, memory_limit, work, items, label):
    """Archives differ much in cost; handing them out one by one keeps both cores busy to the end."""
    outcomes = []
    shown = time.monotonic()
    with multiprocessing.Pool(jobs, initializer=limit_memory_of_children, initargs=(memory_limit,)) as pool:
        for done, part in enumerate(pool.imap_unordered(work, items), 1):
            outcomes.extend(part)
            if time.monotonic() - shown > 15:
                shown = time.monotonic()
                print(f"  {label}: {done} of {len(items)} files", file=sys.stderr)
    return sorted(outcomes, key=lambda outcome: outcome.case)


def run_inline(program, corpus, jobs, wanted):
    """Corpus 1 is checked by a program linked with the engine; README.md says what it prints."""
    done = subprocess.run(
        [program, "--cases", "--jobs", str(jobs), os.path.join(corpus, "cue/testdata")],
        capture_output=True,
        text=True,
        check=False,
        errors="replace",
    )
    outcomes = []
    for line in done.stdout.splitlines():
        verdict, case, reason = (line.split("\t") + ["", ""])[:3]
        if verdict in ("pass", "fail", "crash", "skip") and (not wanted or wanted(case)):
            outcomes.append(
                Outcome(
                    case,
                    os.path.dirname(case.split(" ")[0]),
                    "assertion",
                    passed=verdict == "pass",
                    reason=reason,
                    left_out=(reason or "skipped") if verdict == "skip" else "",
                    survived=verdict != "crash",
                )
            )
    if done.returncode != 0:
        print(f"the runner of corpus 1 ended with {done.returncode}\n{done.stderr[-2000:]}", file=sys.stderr)
        sys.exit(1)
    return sorted(outcomes, key=lambda outcome: outcome.case)


def main():
    options = parse_arguments()
    chosen = options.corpus or CORPORA
    corpus = os.path.realpath(options.corpus_folder)
    reference = Oracle(options.oracle, options.cache)
    if not reference.version:
        missing(f"a `cue` as oracle, which {options.oracle} is not")
    binary = os.path.abspath(options.dispute or options.binary)
    if not os.path.exists(binary):
        missing(f"the binary {binary}; build it first")
    subject = Program((binary,) if options.plain or options.dispute else (binary, "cue"))
    by_command = any(name != "inline" for name in chosen)
    if by_command and not options.plain and not options.dispute and not understands_cue(subject):
        missing(f"an `opm` with the command `cue export`, which {options.binary} lacks")
    memory_limit = options.memory_limit << 20
    wanted = (
        (lambda pattern: lambda name: bool(pattern.search(name)))(re.compile(options.filter))
        if options.filter
        else None
    )

    results, surprises = {}, 0
    for name in chosen:
        start = time.monotonic()
        left_out = {} if options.dispute else known_failures.read_left_out(name)
        if name == "inline":
            runner = options.inline_runner or os.path.join(os.path.dirname(binary), "inline_conformance")
            if not os.path.exists(runner):
                print("inline: no runner built; not scored", file=sys.stderr)
                continue
            outcomes = run_inline(runner, corpus, options.jobs, wanted)
        elif name in ("scripts", "registry"):
            paths = [
                path
                for path in testscript.find_scripts(corpus, name == "registry")
                if not wanted or wanted(os.path.basename(path))
            ]
            outcomes = run_parallel(
                options.jobs,
                memory_limit,
                functools.partial(testscript.run_script, subject=subject, left_out=left_out),
                paths,
                name,
            )
        else:
            root = os.path.join(corpus, "cue/testdata" if name == "values" else "pkg")
            patterns = ["**/*.txtar"] if name == "values" else ["**/testdata/*.txtar", "**/testdata/**/*.txtar"]
            work = functools.partial(
                differential.run_archive,
                corpus=root,
                subject=subject,
                oracle=reference,
                left_out=left_out,
                later={} if options.dispute else known_failures.read_later_positions(name),
                use_golden=name == "packages",
                pattern=options.filter,
                is_later=bool(options.dispute),
            )
            outcomes = run_parallel(
                options.jobs, memory_limit, work, differential.find_archives(root, patterns), name
            )
        results[name] = outcomes
        if options.dispute:
            differs = (
                "the real `cue` fails it outside its own test program"
                if name in ("scripts", "registry")
                else "later versions of the oracle answer differently"
            )
            known_failures.write_left_out(
                name, {outcome.case: outcome.left_out or differs for outcome in outcomes if not outcome.passed}
            )
            if name in ("values", "packages"):
                known_failures.write_later_positions(
                    name,
                    {
                        outcome.case: outcome.positions
                        for outcome in outcomes
                        if outcome.passed and outcome.marks.get("positions") is False
                    },
                )
        elif options.update and not options.filter:
            known_failures.write_list(
                known_failures.FOLDER,
                name,
                {
                    outcome.case
                    for outcome in outcomes
                    if not outcome.survived or not (outcome.left_out or outcome.passed)
                },
            )
        else:
            surprises += check(name, outcomes, options)
        print(f"{name}: {len(outcomes)} cases in {time.monotonic() - start:.0f} s", file=sys.stderr)

    print(report.terminal(results))
    print_tally(results, surprises)
    if options.write:
        with open(options.write, "w", encoding="utf-8") as out:
            out.write(report.markdown(results, reference.version, corpus.rpartition("@")[2]))
    sys.exit(1 if surprises else 0)


def print_tally(results, surprises):
    """The last line, in the words that scripts/test counts by. A known failure is not a pass: it counts as skipped."""
    outcomes = [outcome for part in results.values() for outcome in part]
    passed = sum(outcome.passed and not outcome.left_out for outcome in outcomes)
    print(f"\n{passed} passed, {surprises} failed, {max(0, len(outcomes) - passed - surprises)} skipped")


def understands_cue(subject):
    result = subject.run(["export", "-"], REPOSITORY, stdin=b"a: 1\n")
    return result.ok and b'"a"' in result.out


def check(name, outcomes, options):
    if options.verbose:
        for outcome in outcomes:
            if not outcome.passed and not outcome.left_out:
                print(f"  {outcome.case}\n      {outcome.reason}")
    if options.plain or options.filter:
        return 0
    unexpected, healed, strangers = known_failures.surprises(
        outcomes, known_failures.read_list(known_failures.FOLDER, name)
    )
    for outcome in unexpected[:50]:
        print(f"{name}: fails and is not a known failure: {outcome.case}\n      {outcome.reason}")
    for case in healed[:50]:
        print(f"{name}: passes but is listed as a known failure: {case}")
    for case in strangers[:50]:
        print(f"{name}: listed as a known failure but is no case of the corpus: {case}")
    for what, many in (("unexpected failures", unexpected), ("healed cases", healed), ("unknown names", strangers)):
        if many:
            print(f"{name}: {len(many)} {what}; `scripts/conformance --update` rewrites the list")
    return len(unexpected) + len(healed) + len(strangers) + check_explanations(name)


def check_explanations(name):
    """Every known failure is explained, and nothing else is."""
    explanations = known_failures.read_explanations(name)
    if explanations is None:
        return 0
    known = known_failures.read_list(known_failures.FOLDER, name)
    missing, idle = known_failures.unexplained(known, explanations)
    for case in missing:
        print(f"{name}: a known failure without a reason in explanations/{name}.txt: {case}")
    for case in idle:
        print(f"{name}: explanations/{name}.txt explains what is no known failure: {case}")
    return len(missing) + len(idle)


if __name__ == "__main__":
    main()
