"""Turns outcomes into tables: a summary for the terminal, the whole for docs/conformance.md."""

from collections import defaultdict

import known_failures

TITLES = {
    "inline": "1. Inline assertions of CUE's own suite",
    "values": "2. The same inputs beside the oracle",
    "scripts": "3. Scripts of the command line that need no registry",
    "registry": "4. Scripts of the command line with a registry",
    "packages": "5. Standard packages beside the oracle",
}
_MARKS = ("verdict", "value", "order", "text", "wording", "every message", "positions", "undisputed", "either version", "error text")
_BY_ERROR = "positions, by error"


def percent(part, whole):
    if not whole:
        return "–"
    # Rounded down, so that 100 % means all.
    return f"{int(1000 * part / whole) / 10:.1f} %"


def counted(outcomes):
    return [outcome for outcome in outcomes if not outcome.left_out]


def _table(header, rows):
    """Markdown whose columns line up when read as text."""
    cells = [header] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[index]) for row in cells) for index in range(len(header))]
    lines = []
    for number, row in enumerate(cells):
        lines.append(
            "| "
            + " | ".join(
                cell.ljust(width) if index == 0 else cell.rjust(width)
                for index, (cell, width) in enumerate(zip(row, widths))
            )
            + " |"
        )
        if number == 0:
            lines.append(
                "|"
                + "|".join(
                    ("-" * (width + 2)) if index == 0 else ("-" * (width + 1) + ":")
                    for index, width in enumerate(widths)
                )
                + "|"
            )
    return "\n".join(lines)


def summary(results):
    rows = []
    for name, title in TITLES.items():
        if name not in results:
            rows.append([title, "–", "–", "not run", "–", "–"])
            continue
        outcomes = results[name]
        cases = counted(outcomes)
        passed = sum(outcome.passed for outcome in cases)
        rows.append(
            [
                title,
                len(cases),
                passed,
                percent(passed, len(cases)),
                sum(not outcome.survived for outcome in outcomes),
                len(outcomes) - len(cases),
            ]
        )
    return _table(["corpus", "cases", "passed", "score", "crash or hang", "left out"], rows)


def _by_kind(outcomes):
    groups = defaultdict(list)
    for outcome in counted(outcomes):
        groups[outcome.kind].append(outcome)
    rows = []
    for kind in sorted(groups, key=lambda kind: (kind.split(" ")[-1] == "field", kind)):
        rows.append(
            _mark_row(
                f"`{kind.split(' ')[0]}`, {'each top-level field' if kind.endswith('field') else 'whole input'}",
                groups[kind],
            )
        )
    scored = [outcome for outcome in counted(outcomes) if outcome.kind.split(" ")[0] in ("export", "eval")]
    rows.append(_mark_row("`export` and `eval` together", scored))
    return _table(["command", "cases", "passed", *_MARKS, _BY_ERROR], rows)


def _mark_row(title, outcomes):
    row = [title, len(outcomes), percent(sum(outcome.passed for outcome in outcomes), len(outcomes))]
    for mark in _MARKS:
        having = [outcome for outcome in outcomes if mark in outcome.marks]
        row.append(percent(sum(outcome.marks[mark] for outcome in having), len(having)))
    same, told = (sum(numbers) for numbers in zip((0, 0), *((each.errors_at_same_places, each.errors) for each in outcomes)))
    return [*row, percent(same, told)]


def _by_folder(outcomes):
    groups = defaultdict(list)
    for outcome in counted(outcomes):
        groups[outcome.group].append(outcome)
    rows = []
    for group in sorted(groups):
        passed = sum(outcome.passed for outcome in groups[group])
        rows.append([group, len(groups[group]), passed, percent(passed, len(groups[group]))])
    return _table(["folder", "cases", "passed", "score"], rows)


def _files(outcomes):
    groups = defaultdict(list)
    for outcome in counted(outcomes):
        groups[outcome.case.split(" ")[0]].append(outcome.passed)
    return sum(all(passed) for passed in groups.values()), len(groups)


def _left_out(outcomes):
    reasons = defaultdict(lambda: defaultdict(list))
    for outcome in outcomes:
        if outcome.left_out:
            archive, _, rest = outcome.case.partition(" ")
            reasons[outcome.left_out][archive].append(rest)
    lines = []
    for reason in sorted(reasons):
        total = sum(len(cases) for cases in reasons[reason].values())
        lines.append(f"\n{total} because {reason}:\n" if " " in reason else f"\n{total}: {reason}\n")
        for archive in sorted(reasons[reason]):
            cases = [case for case in reasons[reason][archive] if case]
            lines.append(f"- {archive}" + (": " + ", ".join(f"`{case}`" for case in cases) if cases else ""))
    return "\n".join(lines)


def _explained(name, outcomes):
    """Failing cases by the reason that is written down for them."""
    explanations = known_failures.read_explanations(name)
    if explanations is None:
        return ""
    groups = {reason: [] for _, reason in explanations}
    for outcome in counted(outcomes):
        reason = known_failures.explanation_of(outcome.case, explanations)
        if not outcome.passed and reason:
            groups[reason].append(outcome.case)
    lines = ["Why the failing cases fail:", ""]
    for reason, cases in groups.items():
        if cases:
            lines.append(f"- {reason}: " + ", ".join(f"`{case}`" for case in cases))
    return "\n".join(lines) + "\n"


def _other_positions(outcomes):
    """Errors with the positions of neither version, by the reason that is written down for them."""
    explanations = known_failures.read_explanations("positions") or []
    groups = defaultdict(lambda: defaultdict(int))
    for outcome in counted(outcomes):
        if outcome.marks.get("either version") is False:
            reason = known_failures.explanation_of(outcome.case, explanations) or "not looked into"
            groups[reason][outcome.case.split(" ")[0]] += 1
    if not groups:
        return ""
    lines = ["Why errors have the positions of neither version:", ""]
    for reason in sorted(groups, key=lambda reason: -sum(groups[reason].values())):
        archives = ", ".join(f"{archive} ({count})" for archive, count in sorted(groups[reason].items()))
        lines.append(f"- {reason}: {archives}")
    return "\n".join(lines) + "\n"


def _whole_files():
    """The two properties that whole_files.py checks have a list of their own."""
    explanations = known_failures.read_explanations("whole_files") or []
    known = sorted(known_failures.read_list(known_failures.FOLDER, "whole_files"))
    lines = [
        "## Whole files",
        "",
        "`tests/conformance/whole_files.py` checks over all inputs that `fmt` writes each file byte for byte as the oracle does, and",
        "that what `def` prints evaluates to the value that it was printed from. All do but:",
        "",
    ]
    lines += [f"- `{case}`: {known_failures.explanation_of(case, explanations)}" for case in known]
    return "\n".join(lines) + "\n"


def terminal(results):
    parts = [summary(results)]
    for name in ("values", "packages"):
        if name in results and results[name]:
            parts.append(f"\n{TITLES[name]}\n" + _by_kind(results[name]))
    for name, outcomes in results.items():
        if outcomes:
            parts.append(f"\n{TITLES[name]}, by folder\n" + _by_folder(outcomes))
    return "\n".join(parts)


def markdown(results, oracle_version, corpus_version):
    parts = [f"""# Conformance

Written by `scripts/conformance`; do not edit. Inputs: the test suite of CUE {corpus_version}. Oracle: `cue` {oracle_version}, run with
limits of time and memory. A case passes when verdict and value are right; the finer scores count, among the cases to which they apply:

- verdict: both succeed or both fail
- value: the same value; order: the same value with fields in the same order; text: the same bytes
- wording: the same first message of an error; every message: the same messages; positions: the same set of positions;
  undisputed: the same, of those errors alone for which `cue` {corpus_version} gives the oracle's set, too (as with values, for which cases
  with two answers are left out); either version: the oracle's set or that of `cue` {corpus_version}; error text: the same bytes
- positions, by error: counts errors rather than cases. An error is a message with the positions below it; it is the same when both
  give one of the same path (of the same message, where one has no path) with the same set of positions. Errors that only
  one of the two gives count as different ones, and so do all those of a case with another verdict

Cases that fail are listed in `tests/conformance/known_failures`, and the lists may only shrink.

## Scores

{summary(results)}
"""]
    for name, outcomes in results.items():
        if not outcomes:
            continue
        full, files = _files(outcomes)
        parts.append(f"## {TITLES[name]}\n\nFiles without a failing case: {full} of {files}.\n")
        if name in ("values", "packages"):
            parts.append(_by_kind(outcomes) + "\n")
        parts.append(_by_folder(outcomes) + "\n")
        if explained := _explained(name, outcomes):
            parts.append(explained)
        if others := _other_positions(outcomes):
            parts.append(others)
        if any(outcome.left_out for outcome in outcomes):
            parts.append(
                "Left out, but still run so that a crash or hang is noticed:\n" + _left_out(outcomes) + "\n"
            )
    parts.append(_whole_files())
    return "\n".join(parts)
