"""The committed lists: cases that fail, which may only shrink, and cases that are not counted.

A surprise in either direction fails the suite.
"""

import os

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "known_failures")
EXPLANATIONS_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "explanations")
LEFT_OUT_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "left_out")
LATER_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "later_positions")


def read_list(folder, corpus):
    try:
        with open(os.path.join(folder, corpus + ".txt"), encoding="utf-8") as source:
            return {line.rstrip("\n") for line in source if line.strip()}
    except FileNotFoundError:
        return set()


def write_list(folder, corpus, names):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, corpus + ".txt"), "w", encoding="utf-8") as out:
        out.writelines(name + "\n" for name in sorted(names))


def surprises(outcomes, known):
    """(failures that are not on the list, cases on the list that pass, names on the list that are no case)."""
    failing = [outcome for outcome in outcomes if not outcome.survived or not (outcome.left_out or outcome.passed)]
    failing_names = {outcome.case for outcome in failing}
    passing = sorted(
        outcome.case
        for outcome in outcomes
        if outcome.case in known and outcome.case not in failing_names and not outcome.left_out
    )
    names = {outcome.case for outcome in outcomes}
    return [outcome for outcome in failing if outcome.case not in known], passing, sorted(known - names)


def read_left_out(corpus):
    """Case -> why the oracle is no judge of it."""
    return dict(line.split("\t", 1) for line in read_list(LEFT_OUT_FOLDER, corpus))


def write_left_out(corpus, reasons):
    write_list(LEFT_OUT_FOLDER, corpus, {f"{case}\t{reason}" for case, reason in reasons.items()})


def read_later_positions(corpus, folder=LATER_FOLDER):
    """Case -> the positions of its error as a later version of the oracle gives them, where those are others."""
    rows = (line.split("\t") for line in read_list(folder, corpus))
    return {case: tuple(position for position in positions if position) for case, *positions in rows}


def write_later_positions(corpus, positions, folder=LATER_FOLDER):
    write_list(folder, corpus, {"\t".join([case, *places]) for case, places in positions.items()})


def read_explanations(corpus, folder=EXPLANATIONS_FOLDER):
    """Why known failures fail, as written: a case, or the beginning of several and a star, and the reason. None: not asked for."""
    path = os.path.join(folder, corpus + ".txt")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as source:
        return [tuple(line.rstrip("\n").split("\t", 1)) for line in source if line.strip()]


def _explains(name, case):
    return case.startswith(name[:-1]) if name.endswith("*") else case == name


def explanation_of(case, explanations):
    return next((reason for name, reason in explanations if _explains(name, case)), "")


def unexplained(known, explanations):
    """(known failures that nobody explained, explanations of nothing)."""
    missing = sorted(case for case in known if not explanation_of(case, explanations))
    idle = [name for name, _ in explanations if not any(_explains(name, case) for case in known)]
    return missing, idle
